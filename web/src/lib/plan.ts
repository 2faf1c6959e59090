/** A turn as a machine expects it: its decisions, what they are for, and arrows for the board. */
import { named, t } from '../i18n/index.svelte'
import { arrowOf, type Arrow } from './arrows'
import { parse, type Decision } from './decisions'
import type { View } from './wire'
import { city, route, type Names } from './words'

export interface Planned {
  player: string
  decision: Decision
}

/** `p1> place t a-b/1` as records write it. */
export function planned(line: string): Planned {
  const [player = '', text = ''] = line.split('> ')
  return { player, decision: parse(text) }
}

/** The own decisions, without what goes without saying. */
export const steps = (plan: string[], seat: string): Decision[] =>
  plan
    .map(planned)
    .filter((p) => p.player === seat && p.decision.verb !== 'end' && p.decision.verb !== 'done')
    .map((p) => p.decision)

/** What establishing a route is for: its gain, and the marker that lies there. */
function gained(d: Decision, view: View, names: Names, said: boolean): string[] {
  const marker = view.routes[d.route ?? '']?.marker
  const taken = marker ? [t('hint.why.marker', { marker: named('marker', marker) })] : []
  if (said) return taken
  return [
    ...(d.gain === 'skill' ? [t('hint.why.skill', { skill: named('skill', d.skill ?? '') })] : []),
    ...(d.gain === 'office' || d.gain === 'extra' ? [t('hint.why.office', { city: city(names, d.city) })] : []),
    ...(d.gain === 'prestige' ? [t('hint.why.prestige', { n: d.prestige ?? '' })] : []),
    ...taken,
  ]
}

/** Routes that the turn brings pieces onto: filled by it, or how many posts are missing then. */
function advanced(list: Decision[], seat: string, view: View, names: Names): string[] {
  const put = list.filter((d) => ['place', 'displace', 'put'].includes(d.verb) && d.post)
  return [...new Set(put.map((d) => d.route!))].map((id) => {
    const taken = new Set(put.filter((d) => d.route === id).map((d) => Number(d.post!.slice(id.length + 1))))
    const posts = view.routes[id]?.posts ?? []
    const missing = posts.filter((piece, i) => !piece?.startsWith(`${seat}:`) && !taken.has(i + 1)).length
    const values = { route: route(names, id), n: missing }
    // The decision that comes next names the route already.
    const said = list[0]?.route === id
    if (missing) return t(said ? 'hint.why.missing' : 'hint.why.towards', values)
    return t(said ? 'hint.why.fillsIt' : 'hint.why.fills', values)
  })
}

/** What the turn is for, in a few words each, the weightiest first. `said`: its first decision was named already. */
export function reasons(plan: string[], seat: string, view: View, names: Names, said = false): string[] {
  const list = steps(plan, seat)
  const gains = list.filter((d) => d.verb === 'establish').flatMap((d) => gained(d, view, names, said && d === list[0]))
  const found = [...gains, ...advanced(list, seat, view, names)]
  if (found.length) return found.slice(0, 3)
  return list.some((d) => d.verb === 'income') ? [t('hint.why.income')] : []
}

/** One arrow a decision, numbered in the order of the turn. */
export const arrowsOf = (plan: string[], seat: string, view: View): Arrow[] =>
  steps(plan, seat).flatMap((d, i) => {
    const arrow = arrowOf(d, view)
    return arrow ? [{ ...arrow, rank: i + 1, weight: 1 }] : []
  })
