/** The position as data (the contract's section 4), as far as the page reads it. */
export type Seat = 'p1' | 'p2' | 'p3' | 'p4' | 'p5'
export type Owner = Seat | 'n'
export type Shape = 't' | 'm'
export type Skill = 'keys' | 'actions' | 'privilege' | 'book' | 'bank'
export type Pieces = Record<Shape, number>

export interface GameSetup {
  board: string
  players: number
  edition: string
  seed: number | null | '?'
  missions: boolean
  favours: boolean
  promos: string[]
  duel: string | null
  border_fee: boolean
}

export interface PlayerState {
  points: number
  supply: Pieces
  skills: Record<Skill, number>
  markers: string[]
  used: string[]
  plate: string[]
  favours: string[]
  mission: string[] | null | '?'
}

/** What of an action begun is still to be decided, the next one last. */
export interface Waiting {
  what: string
  player?: Seat
  count?: number
  added?: number
  waiting?: Shape | null
  route?: string
}
export interface View {
  game: GameSetup
  turn: number
  active: Seat
  player: Seat
  phase: string
  actions_left: number
  acted: boolean
  flags: string[]
  permissions_used: string[]
  players: Partial<Record<Seat, PlayerState>>
  neutral: { points: number } | null
  routes: Record<string, { posts: (string | null)[]; marker: string | null; laid: string[] }>
  cities: Record<string, { offices: (string | null)[]; extra: string[] }>
  prestige: Record<string, string | null>
  east_west: string[]
  pawn: number | null
  favours: string[]
  supply: string[]
  discarded: string[]
  over: boolean
  end_reason: string | null
  pending: { stack: Waiting[] } | null
}

export type ScoreKey =
  'track' | 'skills' | 'markers' | 'prestige' | 'cities' | 'network' | 'missions' | 'regions' | 'total'
export type Score = Record<ScoreKey, number>

export interface Derived {
  stock: Partial<Record<Seat, Pieces>>
  control: Record<string, string | null>
  completed: number
  scores: Partial<Record<Seat, Score>>
  winners: Seat[]
}

/** A board file. */
export interface House {
  shape: 'trader' | 'merchant'
  privilege: 'white' | 'orange' | 'pink' | 'black'
  coin?: number
}
export interface City {
  id: string
  name: string
  xy: [number, number]
  houses: House[]
  skills: Skill[]
  green?: boolean
  regions?: string[]
}
export interface Post {
  xy: [number, number]
  ship?: boolean
}
export interface Route {
  id: string
  cities: [string, string]
  posts: Post[]
  tavern?: boolean
  permanent?: string
  region?: string
}
export interface Province {
  id: number
  name: string
  xy: [number, number]
  routes: string[]
}
export interface BoardData {
  id: string
  name: string
  size: [number, number]
  completed_cities_end: number
  east_west: { cities: [string, string]; points: number[] }
  prestige: { city: string; spaces: { privilege: House['privilege']; points: number }[]; xy: [number, number] }
  regions: string[]
  permissions: { city: string; regions: string[] }[]
  cities: City[]
  routes: Route[]
  two_player?: { soldiers: [string, string][]; provinces: Province[] }
}

export const SKILLS: Skill[] = ['keys', 'actions', 'privilege', 'book', 'bank']
/** SKILL-1: what the fields of a desk show; drawing only, values come from the server. */
export const TRACKS: Record<Skill, string[]> = {
  keys: ['1', '2', '2', '3', '4'],
  actions: ['2', '3', '3', '4', '4', '5'],
  privilege: ['white', 'orange', 'pink', 'black'],
  book: ['2', '3', '4', '5'],
  bank: ['3', '5', '7', 'all'],
}
