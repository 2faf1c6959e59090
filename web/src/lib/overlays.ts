/** Overlays: who controls, whose largest network, which routes are nearly full. Read off the position for the eye only. */
import type { Geometry, Position } from './wire'

export type Overlay = 'none' | 'control' | 'network' | 'close'
export const OVERLAYS: Overlay[] = ['none', 'control', 'network', 'close']

function presence(position: Position, city: string): Map<string, number> {
  const count = new Map<string, number>()
  const state = position.view.cities[city]
  for (const piece of [...(state?.offices ?? []), ...(state?.extra ?? [])]) {
    const owner = piece?.split(':')[0]
    if (owner) count.set(owner, (count.get(owner) ?? 0) + 1)
  }
  return count
}

/** The connected cities with most offices of one player. */
export function largestNetwork(position: Position, g: Geometry, owner: string): string[] {
  const own = new Map(Object.keys(g.cities).map((c) => [c, presence(position, c).get(owner) ?? 0] as const))
  const seen = new Set<string>()
  let best: string[] = []
  let most = 0
  for (const [start, n] of own) {
    if (!n || seen.has(start)) continue
    const group: string[] = []
    const queue = [start]
    seen.add(start)
    while (queue.length) {
      const here = queue.pop()!
      group.push(here)
      for (const r of Object.values(g.routes)) {
        if (!r.cities.includes(here)) continue
        const next = r.cities[0] === here ? r.cities[1] : r.cities[0]
        if (own.get(next) && !seen.has(next)) {
          seen.add(next)
          queue.push(next)
        }
      }
    }
    const size = group.reduce((sum, c) => sum + (own.get(c) ?? 0), 0)
    if (size > most) {
      most = size
      best = group
    }
  }
  return best
}

/** How many offices somebody has in these cities. */
export const officesIn = (position: Position, cities: string[], owner: string): number =>
  cities.reduce((sum, c) => sum + (presence(position, c).get(owner) ?? 0), 0)

/** What an overlay paints over the board, and one figure for each player. */
export interface Wash {
  /** city → in whose colours; networks of several can meet in one city. */
  cities: Map<string, string[]>
  roads: { route: string; owners: string[] }[]
  posts: { key: string; owner: string }[]
  counts: { owner: string; n: number }[]
}

const empty = (): Wash => ({ cities: new Map(), roads: [], posts: [], counts: [] })

function control(position: Position): Wash {
  const out = empty()
  const count = new Map(Object.keys(position.view.players).map((p) => [p, 0]))
  for (const [city, owner] of Object.entries(position.control)) {
    if (!owner) continue
    out.cities.set(city, [owner])
    count.set(owner, (count.get(owner) ?? 0) + 1)
  }
  out.counts = [...count].map(([owner, n]) => ({ owner, n }))
  return out
}

function networks(position: Position, g: Geometry): Wash {
  const out = empty()
  const roads = new Map<string, string[]>()
  for (const owner of Object.keys(position.view.players)) {
    const cities = largestNetwork(position, g, owner)
    for (const city of cities) out.cities.set(city, [...(out.cities.get(city) ?? []), owner])
    for (const [id, { cities: ends }] of Object.entries(g.routes)) {
      if (ends.every((c) => cities.includes(c))) roads.set(id, [...(roads.get(id) ?? []), owner])
    }
    out.counts.push({ owner, n: officesIn(position, cities, owner) })
  }
  out.roads = [...roads].map(([route, owners]) => ({ route, owners }))
  return out
}

/** Routes on which one player lacks one piece at most. */
function nearlyFull(position: Position): Wash {
  const out = empty()
  const count = new Map(Object.keys(position.view.players).map((p) => [p, 0]))
  for (const [route, { posts }] of Object.entries(position.view.routes)) {
    const owners = posts.map((p) => p?.split(':')[0])
    for (const owner of new Set(owners.filter((o) => o !== undefined && o !== 'n')) as Set<string>) {
      if (owners.filter((o) => o === owner).length < owners.length - 1) continue
      const missing = owners.findIndex((o) => o !== owner)
      out.roads.push({ route, owners: [owner] })
      if (missing >= 0) out.posts.push({ key: `post:${route}/${missing + 1}`, owner })
      count.set(owner, (count.get(owner) ?? 0) + 1)
    }
  }
  out.counts = [...count].map(([owner, n]) => ({ owner, n }))
  return out
}

export function wash(overlay: Overlay, position: Position, g: Geometry): Wash | null {
  if (overlay === 'control') return control(position)
  if (overlay === 'network') return networks(position, g)
  return overlay === 'close' ? nearlyFull(position) : null
}
