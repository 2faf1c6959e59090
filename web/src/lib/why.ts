/** What a click on something that does not glow would have meant, as a decision the server can be asked about. */
import { split } from './geometry'
import { markerFace } from './house.svelte'
import type { Geometry, Seat, Shape, View } from './wire'

export interface Context {
  view: View
  seat: Seat
  geometry: Geometry
  verb: string | null
  shape: Shape
  verbs: Set<string>
  prestigeCity: string
}

/** The route that would most likely be established: the one with most own pieces. */
function likeliest({ view, seat, geometry }: Context, at: (cities: [string, string]) => boolean): string | null {
  const own = (route: string): number => view.routes[route]?.posts.filter((p) => p?.startsWith(`${seat}:`)).length ?? 0
  const routes = Object.keys(geometry.routes).filter((r) => at(geometry.routes[r]!.cities))
  return routes.toSorted((a, b) => own(b) - own(a))[0] ?? null
}

function onPost(id: string, { view, seat, verb, shape, verbs }: Context): string {
  const cut = id.lastIndexOf('/')
  const route = id.slice(0, cut)
  const held = view.routes[route]?.posts[Number(id.slice(cut + 1)) - 1]
  if (verbs.has('put')) return `put ${shape} ${id}`
  if (verbs.has('take')) return `take ${id}`
  if (verb === 'place' || verb === 'displace') return `${verb} ${shape} ${id}`
  if (verb === 'establish') return `establish ${route} none`
  if (verb === 'lift' || verbs.has('lift')) return `lift ${id}`
  if (!held) return `place ${shape} ${id}`
  return held.startsWith(`${seat}:`) ? `place ${shape} ${id}` : `displace ${shape} ${id}`
}

const USE: Record<string, (c: Context) => string> = {
  skill: () => 'use skill keys',
  swap: ({ geometry }) =>
    `use swap ${Object.keys(geometry.cities).find((c) => geometry.cities[c]!.houses.length > 1)} 1`,
  exchange: ({ seat }) => `use exchange ${seat === 'p1' ? 'p2' : 'p1'} plus3`,
}

/** Using a marker as simply as it can be used. */
function used(id: string, context: Context): string {
  if (markerFace(id)?.laid) return `use ${id} ${Object.keys(context.geometry.routes)[0]}`
  return USE[id]?.(context) ?? `use ${id}`
}

export function meant(thing: string, context: Context): string | null {
  const [kind, id] = split(thing)
  const { geometry, verbs } = context
  const withSkill = (skill: string): string | null =>
    likeliest(context, (cities) => cities.some((c) => geometry.cities[c]?.badges.some((b) => b.skill === skill)))
  if (kind === 'post') return onPost(id, context)
  if (kind === 'route' || kind === 'seal') return verbs.has('lay') ? `lay plus3 ${id}` : `establish ${id} none`
  if (kind === 'city') {
    if (verbs.has('green')) return `green ${id} ${context.shape}`
    const route = likeliest(context, (cities) => cities.includes(id))
    return route && `establish ${route} office ${id}`
  }
  if (kind === 'badge' || kind === 'skill') {
    const route = withSkill(id)
    return route && `establish ${route} skill ${id}`
  }
  if (kind === 'prestige') {
    const route = likeliest(context, (cities) => cities.includes(context.prestigeCity))
    return route && `establish ${route} prestige ${id}`
  }
  if (kind === 'province') return verbs.has('walk') || context.verb === 'walk' ? `walk ${id}` : `pawn ${id}`
  if (kind === 'favour') return `favour ${id}`
  if (kind === 'stock') return 'income 1 0'
  if (kind === 'marker' && id !== 'extra-office') return used(id, context)
  return null
}
