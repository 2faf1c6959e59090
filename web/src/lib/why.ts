/** "Why can't I?": what the position shows about a thing that does not glow. The server decides; this only explains. */
import type { Key } from '../i18n/en'
import type { Geometry } from './geometry'
import type { Seat, View } from './types'

export interface Reason { key: Key; rule: string; n?: number; m?: number }

interface Asked { view: View; seat: Seat; geometry: Geometry; verb: string | null }

function ground({ view, geometry }: Asked, route: string): Reason | null {
  const place = geometry.routes[route]
  if (view.game.duel === 'pawn' && !geometry.provinces.find((p) => p.id === view.pawn)?.routes.includes(route)) return { key: 'why.pawn', rule: 'DUEL-PAWN-7' }
  if (place?.region && place.region !== 'england') return { key: 'why.permission', rule: 'BRIT-PERM-2' }
  return null
}

function freePost(asked: Asked, route: string, ship: boolean): Reason | null {
  const supply = asked.view.players[asked.seat]?.supply ?? { t: 0, m: 0 }
  const blocked = asked.view.routes[route]?.laid.some((x) => x.endsWith(':block')) ?? false
  if (supply.t + supply.m === 0) return { key: 'why.noSupply', rule: 'INCOME-4' }
  if (ship && !supply.m) return { key: 'why.ship', rule: 'PLACE-3' }
  if (blocked && supply.t + supply.m < 2) return { key: 'why.block', rule: 'PROMO-BLOCK-2' }
  if (asked.verb && asked.verb !== 'place') return { key: 'why.free', rule: 'PLACE-1' }
  return ground(asked, route)
}

function takenPost(asked: Asked, route: string, piece: string, ship: boolean): Reason | null {
  const supply = asked.view.players[asked.seat]?.supply ?? { t: 0, m: 0 }
  const need = piece.endsWith(':m') ? 3 : 2
  if (supply.t + supply.m < need) return { key: 'why.fee', rule: 'DISPLACE-5', n: need }
  if (ship && !supply.m) return { key: 'why.ship', rule: 'PLACE-3' }
  if (asked.verb && asked.verb !== 'displace') return { key: 'why.taken', rule: 'DISPLACE-1' }
  return ground(asked, route)
}

function wholeRoute(asked: Asked, route: string): Reason | null {
  const posts = asked.view.routes[route]?.posts ?? []
  const own = posts.filter((p) => p?.startsWith(`${asked.seat}:`)).length
  return own < posts.length ? { key: 'why.route', rule: 'ROUTE-1', n: own, m: posts.length } : ground(asked, route)
}

export function whyNot(thing: string, asked: Asked): Reason | null {
  const cut = thing.indexOf(':')
  const kind = thing.slice(0, cut)
  const id = thing.slice(cut + 1)
  if (kind !== 'post' && kind !== 'route') return null
  if (asked.view.phase !== 'turn') return { key: 'why.inside', rule: 'TURN-5' }
  if (asked.view.actions_left === 0) return { key: 'verbNo.noActions', rule: 'TURN-3' }
  if (kind === 'route') return wholeRoute(asked, id)
  const route = id.slice(0, id.lastIndexOf('/'))
  const index = Number(id.slice(id.lastIndexOf('/') + 1)) - 1
  const piece = asked.view.routes[route]?.posts[index]
  const ship = asked.geometry.routes[route]?.posts[index]?.ship ?? false
  if (!piece) return freePost(asked, route, ship)
  if (!piece.startsWith(`${asked.seat}:`)) return takenPost(asked, route, piece, ship)
  return asked.verb === 'establish' ? wholeRoute(asked, route) : { key: 'why.own', rule: 'PLACE-1' }
}
