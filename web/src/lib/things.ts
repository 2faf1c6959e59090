/** What a thing of the board is, in words: for tooltips and screen readers. Facts of the data only. */
import { named, oneOf, t } from '../i18n/index.svelte'
import type { BoardAnswer, Position } from './wire'
import { split } from './geometry'
import { markerFace } from './house.svelte'
import { missionOf } from './seats'
import { asObject, city, marker, piece, province, route, skill, type Names } from './words'

export interface Told {
  title: string
  lines: string[]
  rule: string
}

const owner = (text: string): string => text.split(':')[0] ?? 'n'
const shape = (text: string): string => text.split(':')[1] ?? 't'

function tellPost(id: string, names: Names, position: Position | null): Told {
  const cut = id.lastIndexOf('/')
  const r = id.slice(0, cut)
  const k = Number(id.slice(cut + 1))
  const held = position?.view.routes[r]?.posts[k - 1]
  const lines = [
    held ? t('thing.postOf', { piece: piece(shape(held)), who: names.who(owner(held)) }) : t('thing.postFree'),
  ]
  if (names.geometry?.routes[r]?.posts[k - 1]?.ship) lines.push(t('thing.ship'))
  const region = names.geometry?.routes[r]?.region
  if (region) lines.push(named('region', region))
  return { title: t('thing.post', { n: k, route: route(names, r) }), lines, rule: held ? 'DISPLACE-1' : 'PLACE-1' }
}

function tellCity(id: string, names: Names, position: Position | null, board: BoardAnswer): Told {
  const c = names.geometry!.cities[id]!
  const state = position?.view.cities[id]
  const lines: string[] = []
  const offices = state?.offices ?? []
  const holder = position?.control[id]
  lines.push(holder ? t('thing.controlled', { who: asObject(names.who(holder)) }) : t('thing.nobody'))
  if (c.green) lines.push(t('thing.green'))
  else {
    const taken = offices.filter(Boolean).length
    lines.push(t('thing.houses', { n: taken, m: c.houses.length }))
    const next = c.houses[taken]
    if (next)
      lines.push(
        t('thing.nextHouse', {
          colour: named('privilege', next.privilege),
          piece: piece(next.shape === 'merchant' ? 'm' : 't'),
        }) + (next.coin ? `, ${t('thing.coin', { n: next.coin })}` : ''),
      )
    else lines.push(t('thing.complete'))
  }
  for (const badge of c.badges) lines.push(t('thing.develops', { skill: skill(badge.skill) }))
  if (board.data.east_west.cities.includes(id)) lines.push(t('thing.linkCity'))
  if (board.data.prestige.city === id) lines.push(t('thing.prestigeCity'))
  const seat = position?.seat
  if (position && seat && missionOf(position.view, seat).includes(id)) lines.push(t('thing.missionCity'))
  const permission = board.data.permissions.find((p) => p.city === id)
  if (permission)
    lines.push(t('thing.permission', { regions: oneOf(permission.regions.map((r) => named('region', r))) }))
  return { title: city(names, id), lines, rule: 'OFFICE-1' }
}

function tellProvince(id: string, names: Names, position: Position | null): Told {
  const here = String(position?.view.pawn) === id
  const routes = names.geometry?.provinces.find((p) => String(p.id) === id)?.routes ?? []
  return {
    title: province(names, id),
    lines: [t(here ? 'thing.pawnHere' : 'thing.province'), t('thing.provinceRoutes', { n: routes.length })],
    rule: here ? 'DUEL-PAWN-7' : 'DUEL-PAWN-4',
  }
}

function tellSeal(id: string, names: Names, position: Position | null): Told {
  const place = names.geometry!.routes[id]!
  const kind = place.permanent ?? position?.view.routes[id]?.marker
  if (!kind) return { title: t('thing.tavern'), lines: [], rule: 'SETUP-5' }
  return {
    title: marker(kind),
    lines: [route(names, id), named('markerText', kind)],
    rule: ruleOf(kind),
  }
}

/** The rule that says what a marker does; of one not seen yet, where it will go. */
const ruleOf = (name: string): string => (name === '?' ? 'MARKER-PUT-1' : (markerFace(name)?.rule ?? 'MARKER-USE-1'))

/** Things that need no position to be told about. */
const PLAIN: Record<string, (id: string) => Told> = {
  skill: (id) => ({ title: skill(id), lines: [named('skillText', id)], rule: 'SKILL-1' }),
  marker: (id) => ({ title: marker(id), lines: [named('markerText', id)], rule: ruleOf(id) }),
  plate: (id) => ({ title: `${t('table.plate')}: ${marker(id)}`, lines: [t('thing.plate')], rule: 'MARKER-PUT-1' }),
  supply: (id) => ({ title: `${t('table.supply')}: ${piece(id)}`, lines: [t('thing.supply')], rule: 'INCOME-1' }),
  stock: (id) => ({ title: `${t('table.stockLabel')}: ${piece(id)}`, lines: [t('thing.stock')], rule: 'INCOME-1' }),
  favour: (id) => ({ title: named('favour', id), lines: [named('favourText', id)], rule: 'FAVOUR-2' }),
  country: (id) => ({ title: named('region', id), lines: [t('thing.country')], rule: 'BRIT-SCORE-3' }),
}
PLAIN.badge = PLAIN.skill!

export function tell(key: string, names: Names, position: Position | null, board: BoardAnswer): Told | null {
  const [kind, id] = split(key)
  if (PLAIN[kind]) return PLAIN[kind](id)
  if (kind === 'post') return tellPost(id, names, position)
  if (kind === 'city') return tellCity(id, names, position, board)
  if (kind === 'seal') return tellSeal(id, names, position)
  if (kind === 'route') return { title: t('thing.route', { route: route(names, id) }), lines: [], rule: 'ROUTE-1' }
  if (kind === 'province') return tellProvince(id, names, position)
  if (kind === 'mission')
    return {
      title: t('thing.mission', { city: city(names, id) }),
      lines: [t('thing.missionText'), t('thing.missionSecret')],
      rule: 'MISSION-4',
    }
  if (kind === 'soldier')
    return {
      title: t('thing.soldier', {
        cities: id
          .split('/')
          .map((c) => city(names, c))
          .join(' | '),
      }),
      lines: [t('thing.soldierText')],
      rule: 'DUEL-PAWN-2',
    }
  if (kind === 'prestige') {
    const space = board.geometry.prestige.spaces.find((s) => String(s.points) === id)
    const taken = position?.view.prestige[id]
    return {
      title: t('thing.prestige', { n: id, colour: named('privilege', space?.privilege ?? '') }),
      lines: taken ? [names.who(taken)] : [],
      rule: 'PRESTIGE-1',
    }
  }
  if (key === 'panel:link')
    return {
      title: t('table.link'),
      lines: [board.data.east_west.cities.map((c) => city(names, c)).join(' – ')],
      rule: 'LINK-1',
    }
  if (key === 'panel:completed')
    return {
      title: t('table.completed', { n: position?.completed ?? 0, m: board.data.completed_cities_end }),
      lines: [],
      rule: 'END-3',
    }
  return null
}
