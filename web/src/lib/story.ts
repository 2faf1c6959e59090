/** What of a game is worth telling when it is over: sentences read off its log and its last position. */
import { has, t, type Params } from '../i18n/index.svelte'
import type { Key } from '../i18n/en'
import { TRACK_END } from './ends'
import { where } from './geometry'
import { largestNetwork, officesIn } from './overlays'
import type { BoardAnswer, Geometry, LogEntry, Position, Score, Seat } from './wire'
import { city, type Names } from './words'

export interface Sentence {
  seat: Seat | null
  text: string
}

/** What is told about: the last position, and who scored how. */
export interface Told {
  log: LogEntry[]
  position: Position
  scores: Partial<Record<Seat, Score>>
  board: BoardAnswer
}

/** A sentence about somebody; about whoever reads it says "you". */
function about(key: Key, seat: Seat, values: Params, names: Names): Sentence {
  const toYou = `${key}.you`
  const chosen = seat === names.own && has(toYou) ? toYou : key
  return { seat, text: t(chosen, { ...values, who: names.who(seat) }) }
}

function most(counts: Map<Seat, number>): [Seat, number] | null {
  const first = [...counts].sort((a, b) => b[1] - a[1])[0]
  return first?.[1] ? first : null
}

/** The two cities of a network that lie furthest apart. */
function ends(cities: string[], geometry: Geometry): [string, string] {
  let best: [string, string] = [cities[0]!, cities[0]!]
  let far = -1
  for (const a of cities)
    for (const b of cities) {
      const [p, q] = [where(geometry, `city:${a}`), where(geometry, `city:${b}`)]
      const d = p && q ? Math.hypot(p.x - q.x, p.y - q.y) : 0
      if (d > far) [best, far] = [[a, b], d]
    }
  return best
}

/** Whose network scored most: what it is made of, where the figures agree with the score. */
function network({ position, scores, board }: Told, names: Names): Sentence[] {
  const found = most(new Map((Object.entries(scores) as [Seat, Score][]).map(([seat, s]) => [seat, s.network])))
  if (!found) return []
  const [seat, points] = found
  const cities = largestNetwork(position, board.geometry, seat)
  const offices = officesIn(position, cities, seat)
  if (cities.length < 2 || points % offices !== 0) return [about('end.network', seat, { n: points }, names)]
  const [a, b] = ends(cities, board.geometry)
  const keys = t('end.keys', { n: points / offices })
  return [about('end.net', seat, { n: offices, a: city(names, a), b: city(names, b), keys }, names)]
}

function linked({ position, board }: Told, names: Names): Sentence[] {
  const [seat] = position.view.east_west as Seat[]
  const { cities, points } = board.data.east_west
  const values = { a: city(names, cities[0]), b: city(names, cities[1]), n: points[0] ?? 0 }
  return seat ? [about('end.linked', seat, values, names)] : []
}

/** Who was displaced most often, and how many pieces that brought onto the board. */
function displaced(log: LogEntry[], names: Names): Sentence[] {
  const often = new Map<Seat, number>()
  const added = new Map<Seat, number>()
  const count = (map: Map<Seat, number>, owner: string | undefined): void => {
    if (owner?.startsWith('p')) map.set(owner as Seat, (map.get(owner as Seat) ?? 0) + 1)
  }
  for (const { text, events } of log) {
    const verb = text.split(' ')[0]
    for (const event of events) {
      if (event.type !== 'piece-moved') continue
      const owner = event.piece.split(':')[0]
      if (verb === 'displace' && event.target.startsWith('hand:')) count(often, owner)
      if (verb === 'put' && event.target.startsWith('post:') && /^(stock|supply):/.test(event.source))
        count(added, owner)
    }
  }
  const found = most(often)
  if (!found) return []
  const [seat, n] = found
  return [about('end.displaced', seat, { n, pieces: t('end.pieces', { n: added.get(seat) ?? 0 }) }, names)]
}

function established(log: LogEntry[], names: Names): Sentence[] {
  const routes = new Map<Seat, number>()
  for (const { text, player } of log)
    if (text.startsWith('establish ') && player) routes.set(player, (routes.get(player) ?? 0) + 1)
  const found = most(routes)
  return found ? [about('end.established', found[0], { n: found[1] }, names)] : []
}

/** Who brought the end about: on the track whoever is furthest, else whoever decided last. */
function ended({ log, position, board }: Told, names: Names): Sentence[] {
  const last = log.findLast((e) => e.events.some((x) => x.type === 'game-ended'))
  const reason = last?.events.find((x) => x.type === 'game-ended')?.reason ?? ''
  const key = `end.ended.${reason}`
  const track = new Map(
    (Object.entries(position.view.players) as [Seat, { points: number }][]).map(([s, p]) => [s, p.points]),
  )
  const seat = reason === 'prestige' ? most(track)?.[0] : last?.player
  if (!seat || !has(key)) return []
  return [about(key, seat, { n: reason === 'prestige' ? TRACK_END : board.data.completed_cities_end }, names)]
}

/** Up to five sentences worth remembering. */
export const story = (told: Told, names: Names): Sentence[] => [
  ...network(told, names),
  ...linked(told, names),
  ...displaced(told.log, names),
  ...established(told.log, names),
  ...ended(told, names),
]
