/** The lesson: a real game with a word at each first time. It only watches what is decided and never decides. */
import type { Key } from '../i18n/en'
import type { Entry, Position } from './api'
import type { Seat } from './types'

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

/** A step is read and left by a button, or ends when its task is done. */
export interface Step { key: Key; rule: string; done?: (f: Facts) => boolean }

const offers = (f: Facts, verb: string): boolean => f.legal.some((text) => text.startsWith(`${verb} `))

export const STEPS: Step[] = [
  { key: 'tut.welcome', rule: 'TURN-1' },
  { key: 'tut.board', rule: 'GEO-1' },
  { key: 'tut.desk', rule: 'SKILL-1' },
  { key: 'tut.place', rule: 'PLACE-1', done: (f) => f.decided.has('place') },
  { key: 'tut.again', rule: 'TURN-3', done: (f) => f.decided.has('end') || (f.decides && f.phase === 'turn' && !offers(f, 'place')) },
  { key: 'tut.end', rule: 'TURN-10', done: (f) => f.decided.has('end') },
  { key: 'tut.others', rule: 'TURN-9' },
  { key: 'tut.fill', rule: 'ROUTE-1', done: (f) => f.decided.has('establish') || offers(f, 'establish') },
  { key: 'tut.establish', rule: 'ROUTE-2', done: (f) => f.decided.has('establish') },
  { key: 'tut.after', rule: 'ROUTE-8' },
  { key: 'tut.office', rule: 'OFFICE-1', done: (f) => f.founded },
  { key: 'tut.control', rule: 'CONTROL-1' },
  { key: 'tut.skill', rule: 'ROUTE-SKILL-1', done: (f) => f.developed },
  { key: 'tut.marker', rule: 'MARKER-TAKE-1' },
  { key: 'tut.displace', rule: 'DISPLACE-1', done: (f) => f.decided.has('displace') },
  { key: 'tut.score', rule: 'SCORE-A-1' },
  { key: 'tut.ending', rule: 'END-1' },
  { key: 'tut.finish', rule: 'EX-10' },
]

export function factsOf(log: Entry[], position: Position, seat: Seat): Facts {
  const own = log.filter((e) => e.kind === 'decision' && e.player === seat)
  const happened = (type: string): boolean => own.some((e) => e.events.some((x) => x.type === type && x.player === seat))
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

/** What is more urgent than the step: being displaced, an empty supply, a route of one's own that is full. */
export function aside(at: number, f: Facts): Step | null {
  const step = STEPS[at]!
  if (!f.decides || !step.done) return null
  if (f.phase === 'displaced') return { key: 'tut.displaced', rule: 'DISPLACE-6' }
  if (f.phase === 'pay') return { key: 'tut.pay', rule: 'DISPLACE-3' }
  if (f.phase === 'lay' || offers(f, 'lay')) return { key: 'tut.lay', rule: 'MARKER-PUT-1' }
  if (f.phase !== 'turn') return null
  if (at > 5 && !f.legal.some((x) => x !== 'end' && !x.startsWith('use '))) return { key: 'tut.noActions', rule: 'TURN-10' }
  if (at > 9 && offers(f, 'establish') && !step.key.endsWith('displace')) return { key: 'tut.full', rule: 'ROUTE-1' }
  if (at > 5 && f.supply < 2 && offers(f, 'income')) return { key: 'tut.income', rule: 'INCOME-1' }
  return null
}
