/** Somebody at a small table whose server is played by the test. */
import { vi } from 'vitest'
import { keydown } from '../src/lib/keys'
import { Live } from '../src/lib/live.svelte'
import { Session } from '../src/lib/session.svelte'
import type { BoardAnswer, Position } from '../src/lib/wire'
import { table } from './fake'

const posts = (route: string) => [1, 2].map((k) => ({ id: `${route}/${k}`, x: 100 * k, y: 10, ship: false }))
const geometry = {
  size: [1000, 700],
  view: [0, 0, 1000, 742],
  scale: 1,
  provinces: [],
  prestige: { spaces: [] },
  cities: {
    a: { name: 'Aachen', houses: [1], badges: [], x: 0, y: 0 },
    b: { name: 'Bremen', houses: [1], badges: [], x: 300, y: 0 },
  },
  routes: { 'a-b': { cities: ['a', 'b'], posts: posts('a-b'), middle: [150, 10] } },
}
const board = { id: 'hansa-45', geometry, data: { prestige: { city: 'a' } } } as unknown as BoardAnswer
export const LEGAL = ['income 1 0', 'income 2 0', 'place t a-b/1', 'place m a-b/1', 'place t a-b/2', 'use plus3', 'end']

export function position(more: object = {}): Position {
  const player = {
    points: 0,
    supply: { t: 2, m: 1 },
    skills: { keys: 0, actions: 0, privilege: 0, book: 0, bank: 0 },
    markers: ['plus3'],
    used: [],
    plate: [],
    favours: [],
    mission: null,
  }
  return {
    revision: 4,
    number: 4,
    seat: 'p1',
    phase: 'turn',
    over: false,
    legal: LEGAL,
    undo: { free: true, to: 3, reason: null },
    stock: {},
    control: {},
    completed: 0,
    scores: {},
    view: {
      game: { duel: null, board: 'hansa' },
      turn: 2,
      active: 'p1',
      player: 'p1',
      phase: 'turn',
      actions_left: 2,
      players: { p1: player, p2: player, p3: player },
      routes: { 'a-b': { posts: ['p2:t', null], marker: null, laid: [] } },
      cities: {},
      supply: ['swap', 'plus3'],
      over: false,
      pawn: null,
    },
    ...more,
  } as unknown as Position
}

export function seated(more: object = {}): {
  session: Session
  live: { act: ReturnType<typeof vi.fn>; undo: ReturnType<typeof vi.fn>; log: object[] }
} {
  const live = {
    id: 'k7',
    table: { ...table(), previews: false },
    position: position(more),
    log: [] as object[],
    fresh: [],
    chat: [],
    sending: '',
    error: '',
    skew: 0,
    act: vi.fn(),
    undo: vi.fn(),
    advised: true,
    past: Live.prototype.past,
    asked: Live.prototype.asked,
    preview: Live.prototype.preview,
    following: { waiting: 0, paused: false },
  }
  const session = new Session(live as unknown as Live, board)
  session.take()
  return { session, live }
}
export const move = (live: object, to: Position): void => {
  ;(live as { position: Position }).position = to
}
export function displaced(live: object, revision: number, legal: string[], pending: object): void {
  const next = position({ revision, number: revision, phase: 'displaced', legal })
  move(live, {
    ...next,
    view: { ...next.view, active: 'p2', phase: 'displaced', pending: { stack: [pending] } },
  } as unknown as Position)
}
export function press(session: Session, key: string, more: object = {}): void {
  const heard = (event: KeyboardEvent): void => keydown(event, session, undefined, () => {})
  document.body.addEventListener('keydown', heard, { once: true })
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ...more }))
}
