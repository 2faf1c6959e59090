/** The lesson: a real game with a word at each first time. It only watches what is decided and never decides. */
import type { Key } from '../i18n/en'
import type { Geometry, LogEntry, Position, Seat, View } from './wire'
import { parse, type Decision } from './decisions'
import { pieceAt } from './hands'
import type { Side } from './session.svelte'

/** What the lesson looks at. */
export interface Facts {
  decided: Set<string>
  developed: boolean
  founded: boolean
  legal: string[]
  phase: string
  decides: boolean
  supply: number
  over: boolean
}

/** What a hint is chosen by. */
export interface Sight {
  geometry: Geometry
  view: View
  seat: Seat
}
type Helps = (d: Decision, s: Sight) => boolean

/**
 * A step is read and left by a button, or ends when its task is done.
 * `can`: whether the task is possible now; where not, it is only read. `panel`: the part beside the board it speaks of.
 * `helps`: which decisions bring the task on, the best kind first.
 */
export interface Step {
  key: Key
  rule: string
  panel?: Side
  done?: (f: Facts) => boolean
  can?: (f: Facts) => boolean
  helps?: Helps[]
}

const verb =
  (name: string): Helps =>
  (d) =>
    d.verb === name
const gains =
  (gain: string): Helps =>
  (d) =>
    d.verb === 'establish' && d.gain === gain
const postsOf = (d: Decision, { view }: Sight): (string | null)[] => view.routes[d.route ?? '']?.posts ?? []
const owned = (piece: string | null, { seat }: Sight): boolean => piece?.startsWith(`${seat}:`) ?? false
/** Onto a route where one stands and nobody else does. */
const goesOn: Helps = (d, s) =>
  d.verb === 'place' && postsOf(d, s).some((p) => owned(p, s)) && postsOf(d, s).every((p) => p === null || owned(p, s))
const short: Helps = (d, s) =>
  d.verb === 'place' && postsOf(d, s).length <= 3 && postsOf(d, s).every((p) => p === null || owned(p, s))
/** Onto a free route at a city that develops a skill. */
const towardsSkill: Helps = (d, s) =>
  d.verb === 'place' &&
  postsOf(d, s).every((p) => p === null || owned(p, s)) &&
  (s.geometry.routes[d.route ?? '']?.cities ?? []).some((c) => s.geometry.cities[c]?.badges.length)

const offers = (f: Facts, verb: string): boolean => f.legal.some((text) => text.startsWith(`${verb} `))

export const STEPS: Step[] = [
  { key: 'tut.welcome', rule: 'TURN-1' },
  { key: 'tut.board', rule: 'GEO-1' },
  { key: 'tut.desk', rule: 'SKILL-1', panel: 'desk' },
  { key: 'tut.place', rule: 'PLACE-1', done: (f) => f.decided.has('place'), helps: [short, verb('place')] },
  {
    key: 'tut.again',
    rule: 'TURN-3',
    done: (f) => f.decided.has('end') || (f.decides && f.phase === 'turn' && !offers(f, 'place')),
    helps: [goesOn, verb('place')],
  },
  { key: 'tut.end', rule: 'TURN-10', done: (f) => f.decided.has('end'), helps: [verb('end')] },
  { key: 'tut.others', rule: 'TURN-9', panel: 'log' },
  {
    key: 'tut.fill',
    rule: 'ROUTE-1',
    done: (f) => f.decided.has('establish') || offers(f, 'establish'),
    helps: [goesOn, verb('place')],
  },
  {
    key: 'tut.establish',
    rule: 'ROUTE-2',
    done: (f) => f.decided.has('establish'),
    helps: [gains('skill'), gains('office'), verb('establish')],
  },
  { key: 'tut.after', rule: 'ROUTE-8' },
  { key: 'tut.houses', rule: 'OFFICE-1' },
  { key: 'tut.office', rule: 'OFFICE-1', done: (f) => f.founded, helps: [gains('office')] },
  { key: 'tut.control', rule: 'CONTROL-1' },
  {
    key: 'tut.skill',
    rule: 'ROUTE-SKILL-1',
    done: (f) => f.developed,
    helps: [gains('skill'), (d, s) => goesOn(d, s) && towardsSkill(d, s), towardsSkill],
  },
  { key: 'tut.marker', rule: 'MARKER-TAKE-1' },
  {
    key: 'tut.use',
    rule: 'MARKER-USE-1',
    done: (f) => f.decided.has('use'),
    can: (f) => offers(f, 'use'),
    helps: [verb('use')],
  },
  { key: 'tut.prestige', rule: 'PRESTIGE-1' },
  {
    key: 'tut.displace',
    rule: 'DISPLACE-1',
    done: (f) => f.decided.has('displace'),
    can: (f) => offers(f, 'displace'),
    helps: [verb('displace')],
  },
  {
    key: 'tut.move',
    rule: 'MOVE-1',
    done: (f) => f.decided.has('lift'),
    can: (f) => offers(f, 'lift'),
    helps: [verb('lift')],
  },
  { key: 'tut.network', rule: 'SCORE-F-1' },
  { key: 'tut.score', rule: 'SCORE-A-1', panel: 'score' },
  { key: 'tut.ending', rule: 'END-1', panel: 'score' },
  { key: 'tut.finish', rule: 'EX-10' },
]

export function factsOf(log: LogEntry[], position: Position, seat: Seat): Facts {
  const own = log.filter((e) => e.kind === 'decision' && e.player === seat)
  const happened = (type: 'skill-developed' | 'office-founded'): boolean =>
    own.some((e) => e.events.some((x) => x.type === type && x.player === seat))
  const supply = position.view.players[seat]?.supply
  return {
    decided: new Set(own.map((e) => e.text.split(' ')[0]!)),
    developed: happened('skill-developed'),
    founded: happened('office-founded'),
    legal: position.legal ?? [],
    phase: position.phase,
    decides: position.legal !== null,
    supply: (supply?.t ?? 0) + (supply?.m ?? 0),
    over: position.over,
  }
}

/** Tasks already done are passed over; what is to be read waits for its button. */
export function advance(at: number, f: Facts): number {
  let next = at
  while (STEPS[next]?.done?.(f)) next += 1
  return Math.min(next, STEPS.length - 1)
}

/** Tasks that wait for their chance even while a route is full. */
const TRIES = new Set<Key>(['tut.use', 'tut.displace', 'tut.move'])

/** What is more urgent than the step: being displaced, an empty supply, a route of one's own that is full. */
export function aside(at: number, f: Facts): Step | null {
  const step = STEPS[at]!
  if (!f.decides) return null
  if (f.phase === 'displaced') return { key: 'tut.displaced', rule: 'DISPLACE-6' }
  if (f.phase === 'pay') return { key: 'tut.pay', rule: 'DISPLACE-3' }
  if (f.phase === 'lay' || offers(f, 'lay')) return { key: 'tut.lay', rule: 'MARKER-PUT-1' }
  // Whatever else must be decided first: nobody reads meanwhile.
  if (f.phase !== 'turn') return at > 2 ? { key: 'tut.decide', rule: 'TURN-1' } : null
  if (!step.done) return null
  if (at > 5 && !f.legal.some((x) => x !== 'end' && !x.startsWith('use ')))
    return { key: 'tut.noActions', rule: 'TURN-10', helps: [verb('end')] }
  if (at > 9 && offers(f, 'establish') && !TRIES.has(step.key))
    return { key: 'tut.full', rule: 'ROUTE-1', helps: [...(step.helps ?? []).slice(0, 1), verb('establish')] }
  if (at > 5 && f.supply < 2 && offers(f, 'income'))
    return { key: 'tut.income', rule: 'INCOME-1', helps: [verb('income')] }
  return null
}

/** What is asked for can be done now, or at all: while others play nobody knows. */
export const possible = (step: Step, f: Facts): boolean => !f.decides || f.phase !== 'turn' || (step.can?.(f) ?? true)

/** Least first: posts still missing on the route, whom it is cheaper to displace, the larger income. */
function price(d: Decision, s: Sight): number {
  if (d.count) return -(d.count[0] + d.count[1])
  if (d.verb === 'place') return postsOf(d, s).filter((p) => !owned(p, s)).length + (d.shape === 'm' ? 0.5 : 0)
  const held = d.post ? pieceAt(s.view, `post:${d.post}`) : null
  return (held?.endsWith(':m') ? 1 : 0) + (d.shape === 'm' ? 0.5 : 0)
}

/** What to do for the step: the machine's choice if it serves, else what serves and costs least, else the machine's choice. */
export function hintFor(step: Step, legal: string[], machine: string, s: Sight): Decision {
  const all = legal.map(parse)
  for (const helps of step.helps ?? []) {
    const serving = all.filter((d) => helps(d, s))
    if (serving.length)
      return (
        serving.find((d) => d.text === machine) ??
        serving.reduce((best, d) => (price(d, s) < price(best, s) ? d : best))
      )
  }
  return parse(machine)
}
