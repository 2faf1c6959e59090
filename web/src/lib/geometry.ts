/** Finding places on a board (board units, 1000 = width). */
import type { Geometry } from './wire'

export type Box = { x: number; y: number; w: number; h: number }

/** The place a key of decisions.ts stands for. */
export function where(g: Geometry, key: string): { x: number; y: number } | null {
  const [kind = '', name = ''] = split(key)
  if (kind === 'post') {
    const cut = name.lastIndexOf('/')
    return g.routes[name.slice(0, cut)]?.posts[Number(name.slice(cut + 1)) - 1] ?? null
  }
  if (kind === 'city') return g.cities[name] ?? null
  if (kind === 'house') {
    const cut = name.lastIndexOf('/')
    const row = g.cities[name.slice(0, cut)]?.rows[0]
    const x = row?.houses[Number(name.slice(cut + 1)) - 1]
    return row && x !== undefined ? { x: x + 12 * g.scale, y: row.y - 12 * g.scale } : null
  }
  if (kind === 'route') {
    const middle = g.routes[name]?.middle
    return middle ? { x: middle[0], y: middle[1] } : null
  }
  if (kind === 'prestige') return g.prestige.spaces.find((s) => String(s.points) === name) ?? null
  if (kind === 'province') return g.provinces.find((p) => String(p.id) === name) ?? null
  return null
}

/** Posts and cities of the route a key lies on. */
export function routeKeys(g: Geometry, key: string | null): string[] {
  const [kind, name] = split(key ?? '')
  const id = kind === 'post' ? name.slice(0, name.lastIndexOf('/')) : kind === 'route' || kind === 'seal' ? name : ''
  const route = g.routes[id]
  return route ? [...route.posts.map((_, i) => `post:${id}/${i + 1}`), ...route.cities.map((c) => `city:${c}`)] : []
}

export function split(key: string): [string, string] {
  const cut = key.indexOf(':')
  return [key.slice(0, cut), key.slice(cut + 1)]
}

/** The nearest place in a direction, for the arrow keys: straight ahead counts double. */
export function nextInDirection<T extends { x: number; y: number }>(
  from: { x: number; y: number },
  list: T[],
  dx: number,
  dy: number,
): T | null {
  let best: T | null = null
  let least = Infinity
  for (const item of list) {
    const along = (item.x - from.x) * dx + (item.y - from.y) * dy
    const across = Math.abs((item.x - from.x) * dy) + Math.abs((item.y - from.y) * dx)
    if (along <= 1) continue
    const cost = along + 2 * across
    if (cost < least) {
      least = cost
      best = item
    }
  }
  return best
}

/** The smallest box holding all places, grown by a margin, inside the board. */
export function boxAround(places: { x: number; y: number }[], margin: number, whole: Box): Box {
  if (!places.length) return whole
  const xs = places.map((p) => p.x)
  const ys = places.map((p) => p.y)
  const x = Math.max(whole.x, Math.min(...xs) - margin)
  const y = Math.max(whole.y, Math.min(...ys) - margin)
  return {
    x,
    y,
    w: Math.min(whole.x + whole.w, Math.max(...xs) + margin) - x,
    h: Math.min(whole.y + whole.h, Math.max(...ys) + margin) - y,
  }
}
