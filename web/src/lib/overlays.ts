/** Overlays: who controls, whose largest network, which routes are nearly full. Read off the position for the eye only. */
import type { Position } from './api'
import type { Geometry } from './geometry'

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

/** city → whose colour it is washed in. */
export function tint(overlay: Overlay, position: Position | null, g: Geometry, focus: string): Map<string, string> {
  const out = new Map<string, string>()
  if (!position) return out
  if (overlay === 'control') for (const [city, owner] of Object.entries(position.control)) if (owner) out.set(city, owner)
  if (overlay === 'network') for (const city of largestNetwork(position, g, focus)) out.set(city, focus)
  return out
}

/** The posts missing on routes where one player needs one more. */
export function nearlyFull(overlay: Overlay, position: Position | null): Set<string> {
  const out = new Set<string>()
  if (overlay !== 'close' || !position) return out
  for (const [id, state] of Object.entries(position.view.routes)) {
    const owners = state.posts.map((p) => p?.split(':')[0])
    for (const owner of new Set(owners.filter(Boolean))) {
      if (owners.filter((o) => o === owner).length === owners.length - 1) out.add(`post:${id}/${owners.findIndex((o) => o !== owner) + 1}`)
    }
  }
  return out
}
