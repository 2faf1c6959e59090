import type { BoardData, Derived, Pieces, Score, Seat, View, GameSetup } from './types'

export interface SeatInfo {
  seat: Seat
  kind: 'human' | 'bot' | 'open'
  name: string | null
  bot: string | null
  present: boolean
  yours: boolean
  host: boolean
  conceded: boolean
  standin: string | null
  invite: string | null
  remaining: number | null
}
export interface Proposal {
  id: number
  kind: string
  by: Seat
  to: number | null
  seat: Seat | null
  bot: string | null
  number: number
  yes: Seat[]
  waiting: Seat[]
}
export interface Result {
  reason: string
  winners: Seat[]
  scores: Partial<Record<Seat, Score>>
  conceded: Seat[]
}
export interface Table {
  id: string
  name: string | null
  status: 'open' | 'running' | 'over'
  setup: GameSetup
  board: string
  seeded: boolean
  visibility: string
  watchers: boolean
  undo: boolean
  order: 'draw' | 'fixed'
  clock: { bank: number; increment: number; consequence: string } | null
  clock_at?: number
  ticking?: Seat | null
  host: string
  created: number
  started: number | null
  ended: number | null
  seats: SeatInfo[]
  you: { seats: Seat[]; host: boolean; name: string | null } | null
  watching: number
  revision: number
  number: number
  proposals?: Proposal[]
  result: Result | null
  rematch: string | null
  forked_from: { game: string; number: number } | null
  watch: string
  /** The server tells what a decision would do. */
  previews?: boolean
  /** In lists only: how far the game is, who decides, and whether whoever asks does. */
  turn?: number | null
  player?: Seat | null
  your_turn?: boolean
}
export interface Position extends Derived {
  revision: number
  number: number
  seat: Seat | null
  view: View
  legal: string[] | null
  undo: { free: boolean; to: number | null; reason: string | null } | null
  stock: Partial<Record<Seat, Pieces>>
  phase: string
  over: boolean
  end_reason: string | null
  entry?: Entry | null
}
export type GameEvent = { type: string } & Record<string, unknown>
export interface Entry {
  revision: number
  number: number
  kind: string
  player: Seat | null
  text: string
  turn: number
  at: number
  by: string
  undone?: number
  events: GameEvent[]
}
export interface ChatMessage {
  id: number
  at: number
  seat: Seat | null
  name: string
  text: string
}
export interface BoardAnswer {
  id: string
  data: BoardData
  geometry: unknown
  ground: { light: string; dark: string } | string
  defs: string
}
export interface BotInfo {
  name: string
  spec: string
  title: string
  text: string
  level: number
}
export interface Gate {
  allowed: boolean
  reason: string | null
}
export interface SetupChoice {
  board: string
  players: number
  file: string | null
  allowed: boolean
  reason: string | null
  duels: ({ value: string } & Gate)[]
  default_duel: string | null
  editions: Record<string, Record<'missions' | 'favours' | 'promos' | 'border_fee', Gate>>
}
export interface ClockWish {
  bank: number
  increment: number
  consequence: 'none' | 'bot' | 'lose'
}
export interface Setups {
  boards: string[]
  players: number[]
  editions: string[]
  promos: string[]
  max_promos: number
  choices: SetupChoice[]
}
export interface Person {
  id: string
  name: string
  account: string | null
  guest: boolean
  notify: boolean
}
export interface Token {
  id: string
  name: string
  created: number
  token?: string
}
export interface Option {
  decision: string
  value: number
  visits?: number
  shares?: Partial<Record<Seat, number>>
}
/** Why a decision is not legal: a reason to say in any language, its rule, and the same in English words. */
export interface Why {
  allowed: boolean
  message: string
  reason?: string
  rule?: string
  values?: Record<string, string | number>
}
export interface Analysis {
  number: number
  player: Seat
  bot: string
  decision: string
  options: Option[]
}
export interface Chart {
  points: { number: number; turn: number; scores: Partial<Record<Seat, number>> }[]
}
export interface Stats {
  person: { id: string; name: string }
  games: number
  wins: number
  mean_score: number | null
  boards: Record<string, { games: number; wins: number }>
  recent: Table[]
}

/** What the server refused, with its own words. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`/api${path}`, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const kind = answer.headers.get('content-type') ?? ''
  const said: unknown = kind.includes('json') ? await answer.json() : await answer.text()
  if (!answer.ok) {
    const { code = 'failed', message = answer.statusText } = (
      typeof said === 'object' && said !== null ? said : {}
    ) as { code?: string; message?: string }
    throw new Refused(code, message)
  }
  return said as T
}

const get = <T>(path: string): Promise<T> => ask<T>('GET', path)
const post = <T>(path: string, body: unknown = {}): Promise<T> => ask<T>('POST', path, body)
const kept = new Map<string, Promise<unknown>>()

/** Things that never change while the page is open are asked for once. */
function once<T>(path: string): Promise<T> {
  let known = kept.get(path)
  if (!known) {
    known = get<T>(path)
    known.catch(() => kept.delete(path))
    kept.set(path, known)
  }
  return known as Promise<T>
}

export interface NewSeat {
  kind: 'me' | 'bot' | 'open'
  name?: string
  bot?: string
}
export interface NewTable {
  setup: Omit<GameSetup, 'seed'> & { seed: number | null }
  seats: NewSeat[]
  name?: string
  visibility: 'unlisted' | 'open'
  watchers: boolean
  undo: boolean
  order: 'draw' | 'fixed'
  clock?: ClockWish | null
  bot_delay?: number
  start: boolean
}

export const api = {
  me: () => get<{ person: Person | null }>('/me'),
  rename: (name: string) => post<{ person: Person }>('/me', { name }),
  register: (account: string, password: string) => post<{ person: Person }>('/account', { account, password }),
  signIn: (account: string, password: string) => post<{ person: Person }>('/session', { account, password }),
  signOut: () => ask<{ person: null }>('DELETE', '/session'),
  newPassword: (password: string, fresh: string) =>
    post<{ person: Person }>('/account/password', { password, new: fresh }),
  resetPassword: (account: string, code: string, fresh: string) =>
    post<{ person: Person }>('/account/reset', { account, code, new: fresh }),
  notify: (url: string | null) => ask<{ notify: boolean }>('PUT', '/me/notify', { url }),
  tokens: () => get<{ tokens: Token[] }>('/me/tokens'),
  addToken: (name: string) => post<Token>('/me/tokens', { name }),
  deleteToken: (id: string) => ask<{ deleted: boolean }>('DELETE', `/me/tokens/${id}`),
  setups: () => once<Setups>('/setups'),
  bots: () => once<{ bots: BotInfo[]; default: string }>('/bots'),
  board: (id: string) => once<BoardAnswer>(`/boards/${id}`),
  create: (table: NewTable) => post<Table>('/games', table),
  tables: (query: string) => get<{ games: Table[] }>(`/games?${query}`),
  table: (id: string) => get<Table>(`/games/${id}`),
  /** As a watcher sees it, whoever asks. */
  state: (id: string) => get<{ table: Table; position: Position }>(`/games/${id}/state?seat=none`),
  invite: (token: string) => get<{ game: Table; seat: Seat }>(`/invites/${token}`),
  accept: (token: string, name: string) => post<Table>(`/invites/${token}`, { name }),
  join: (id: string, name: string) => post<Table>(`/games/${id}/join`, { seat: null, name }),
  leave: (id: string) => post<Table>(`/games/${id}/leave`, { seat: null }),
  free: (id: string, seat: string) => ask<Table>('PUT', `/games/${id}/seats/${seat}`, { kind: 'open' }),
  remove: (id: string) => ask<unknown>('DELETE', `/games/${id}`),
  start: (id: string) => post<Table>(`/games/${id}/start`),
  fill: (id: string, seat: string, bot: string) =>
    ask<Table>('PUT', `/games/${id}/seats/${seat}`, { kind: 'bot', bot }),
  rematch: (id: string) => post<Table>(`/games/${id}/rematch`),
  fork: (id: string, number: number, seats: NewSeat[], name: string) =>
    post<Table>(`/games/${id}/fork`, { number, seats, name, order: 'fixed', start: true }),
  position: (id: string, number: number, query = '') => get<Position>(`/games/${id}/positions/${number}${query}`),
  log: (id: string, from: number, to: number) => get<{ log: Entry[] }>(`/games/${id}/log?from=${from}&to=${to}`),
  preview: (id: string, number: number, decision: string, seat: string) =>
    get<{ events: GameEvent[]; position: Position | null }>(
      `/games/${id}/preview?number=${number}&seat=${seat}&decision=${encodeURIComponent(decision)}`,
    ),
  why: (id: string, seat: string, decision: string) =>
    get<Why>(`/games/${id}/why?seat=${seat}&decision=${encodeURIComponent(decision)}`),
  chart: (id: string) => get<Chart>(`/games/${id}/chart`),
  analysis: (id: string, number: number, bot: string) => post<Analysis>(`/games/${id}/analysis`, { number, bot }),
  upload: (record: string) => post<Table>('/records', { record }),
  stats: (person = 'me') => get<Stats>(`/people/${person}/stats`),
}
