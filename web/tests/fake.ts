/** A server that says what a test wants, and remembers what it was asked. */
import { vi } from 'vitest'
import type { ListedTable, SetupChoice, TableFace } from '../src/lib/wire'

export interface Asked {
  method: string
  path: string
  body: unknown
}
type Answers = Record<string, unknown>

export function fakeServer(answers: Answers): Asked[] {
  const asked: Asked[] = []
  vi.stubGlobal('fetch', (url: string, init: { method?: string; body?: string } = {}) => {
    const path = url.replace(/^\/api/, '')
    const method = init.method ?? 'GET'
    asked.push({ method, path, body: init.body ? JSON.parse(init.body) : undefined })
    const key = Object.keys(answers).find((k) => `${method} ${path}`.startsWith(k))
    if (!key)
      return Promise.resolve(
        new Response('{"code":"not_found","message":"There is nothing."}', {
          status: 404,
          headers: { 'content-type': 'application/json' },
        }),
      )
    if (answers[key] === 'gone') return Promise.reject(new TypeError('Failed to fetch'))
    return Promise.resolve(
      new Response(JSON.stringify(answers[key]), { headers: { 'content-type': 'application/json' } }),
    )
  })
  return asked
}

/** A table as it is alone, and as it is in a list. */
export type Shown = TableFace & ListedTable

export const table = (more: Partial<Shown> = {}): Shown =>
  ({
    id: 'k7',
    name: "Guest 1's table",
    status: 'running',
    board: 'hansa-45',
    created: 1,
    host: 'Alheyd',
    code: 'badokimu',
    watch: '/g/k7',
    auto_start: false,
    absence: 86_400,
    asks: [],
    hook: null,
    ratings: {},
    rated: false,
    clock: null,
    visibility: 'unlisted',
    result: null,
    proposals: [],
    setup: {
      board: 'hansa',
      players: 3,
      edition: 'bigbox',
      missions: false,
      favours: false,
      promos: [],
      duel: null,
      border_fee: false,
      seed: null,
    },
    seats: ['Alheyd', 'Bertram', 'Katrijn'].map((name, i) => ({
      seat: `p${i + 1}`,
      kind: i ? 'bot' : 'human',
      name,
      bot: null,
      present: true,
      yours: i === 0,
      host: i === 0,
      conceded: false,
      imitates: false,
      near: [],
      standin: null,
      invite: null,
      remaining: null,
      away: null,
      deadline: null,
      colour: `p${i + 1}`,
    })),
    you: { seats: ['p1'], host: true, name: 'Alheyd' },
    turn: 7,
    player: 'p2',
    your_turn: false,
    ...more,
  }) as unknown as Shown

const open = { allowed: true, reason: null }
const gates = (board: string, edition: string): SetupChoice['editions'][string] => ({
  missions: board === 'hansa' ? open : { allowed: false, reason: 'missions and favours need board hansa (CFG-6)' },
  favours: board === 'hansa' ? open : { allowed: false, reason: 'missions and favours need board hansa (CFG-6)' },
  promos: edition === 'bigbox' ? open : { allowed: false, reason: 'promos need edition bigbox (CFG-7)' },
  border_fee: board === 'britannia' ? open : { allowed: false, reason: 'border_fee needs board britannia (CFG-8)' },
})
export const SETUPS = {
  boards: ['hansa', 'east', 'britannia'],
  promos: ['exchange', 'tribute', 'block'],
  choices: ['hansa', 'east', 'britannia'].flatMap((board) =>
    [2, 3, 4, 5].map((players) => ({
      board,
      players,
      file: board,
      ...open,
      default_duel: board === 'hansa' ? 'pawn' : 'neutral',
      duels:
        players === 2
          ? [
              {
                value: 'pawn',
                ...(board === 'hansa' ? open : { allowed: false, reason: "duel 'pawn' needs board hansa (CFG-4)" }),
              },
              { value: 'neutral', ...open },
            ]
          : [],
      editions: { bigbox: gates(board, 'bigbox'), classic: gates(board, 'classic') },
    })),
  ),
}
export const BOTS = {
  default: 'greedy',
  bots: [
    { name: 'greedy', spec: 'greedy', title: 'Trader', text: '', level: 3, rated: true },
    { name: 'search', spec: 'search:time=1', title: 'Alderman', text: '', level: 5, rated: false },
  ],
}
