/**
 * Decisions as the server writes them, taken apart so that a click can find them.
 * Nothing here knows a rule: a decision is legal because the server listed it.
 */
import type { Shape } from './wire'

export interface Decision {
  text: string
  verb: string
  shape?: Shape
  post?: string
  route?: string
  city?: string
  house?: number
  skill?: string
  prestige?: string
  province?: string
  marker?: string
  player?: string
  tile?: string
  /** What `establish` gains: none, office, extra, skill, prestige. */
  gain?: string
  count?: [number, number]
}

/** The five verbs of the turn and what else may be offered beside them. */
export const VERBS = ['income', 'place', 'displace', 'lift', 'establish', 'pawn', 'walk'] as const
export type Verb = (typeof VERBS)[number]

type Reader = (d: Decision, words: string[]) => void

function post(d: Decision, text: string | undefined): void {
  if (text === undefined) return
  d.post = text
  d.route = text.slice(0, text.lastIndexOf('/'))
}

function readEstablish(d: Decision, [route, gain, what, shape]: string[]): void {
  d.route = route
  d.gain = gain
  if (gain === 'office' || gain === 'extra') d.city = what
  if (gain === 'extra') {
    d.shape = shape as Shape
    d.marker = 'extra-office'
  }
  if (gain === 'skill') d.skill = what
  if (gain === 'prestige') d.prestige = what
}

function readUse(d: Decision, [marker, first, second]: string[]): void {
  d.marker = marker
  if (marker === 'skill') d.skill = first
  if (marker === 'swap') {
    d.city = first
    d.house = Number(second)
  }
  if (marker === 'exchange') {
    d.player = first
    d.tile = second
  }
  if (marker === 'tribute' || marker === 'block') d.route = first
}

const READERS: Record<string, Reader> = {
  income: (d, [t, m]) => (d.count = [Number(t), Number(m)]),
  place: (d, [shape, at]) => ((d.shape = shape as Shape), post(d, at)),
  displace: (d, [shape, at]) => ((d.shape = shape as Shape), post(d, at)),
  put: (d, [shape, at]) => ((d.shape = shape as Shape), post(d, at)),
  lift: (d, [at]) => post(d, at),
  take: (d, [what]) => (what === 't' || what === 'm' ? (d.shape = what) : post(d, what)),
  establish: readEstablish,
  pawn: (d, [province]) => (d.province = province),
  walk: (d, [province]) => (d.province = province),
  use: readUse,
  favour: (d, [tile]) => (d.tile = tile),
  spend: (d, [marker]) => (d.marker = marker),
  fee: (d, [marker]) => (d.marker = marker),
  pay: (d, [shape]) => (d.shape = shape as Shape),
  green: (d, [city, shape]) => ((d.city = city), (d.shape = shape as Shape)),
  neutral: (d, [route, city]) => ((d.route = route), (d.city = city)),
  lay: (d, [marker, route]) => ((d.marker = marker), (d.route = route)),
}

export function parse(text: string): Decision {
  const [verb = '', ...words] = text.split(' ')
  const decision: Decision = { text, verb }
  READERS[verb]?.(decision, words)
  return decision
}

export const posts = (route: string, count: number): string[] =>
  Array.from({ length: count }, (_, k) => `post:${route}/${k + 1}`)

/** The things on the table that stand for a decision: clicking one of them chooses it, or narrows the choice. */
export function targets(d: Decision, length: (route: string) => number = () => 4): string[] {
  const at = d.post ? [`post:${d.post}`] : []
  const route = d.route && !d.post ? [`route:${d.route}`] : []
  const city = d.city ? [`city:${d.city}`] : []
  const marker = d.marker ? [`marker:${d.marker}`] : []
  const skill = d.skill ? [`skill:${d.skill}`] : []
  switch (d.verb) {
    case 'establish':
      return [
        ...route,
        ...posts(d.route ?? '', length(d.route ?? '')),
        ...city,
        ...skill,
        ...(d.prestige ? [`prestige:${d.prestige}`] : []),
        ...marker,
      ]
    case 'use':
      return [
        ...marker,
        ...route,
        ...city,
        ...skill,
        ...(d.house ? [`house:${d.city}/${d.house}`, `house:${d.city}/${d.house + 1}`] : []),
        ...(d.player ? [`player:${d.player}`] : []),
      ]
    case 'lay':
      return [...route, `plate:${d.marker}`]
    case 'pawn':
    case 'walk':
      return [`province:${d.province}`]
    case 'favour':
      return [`favour:${d.tile}`]
    case 'pay':
      return [`supply:${d.shape}`]
    case 'take':
      return d.post ? at : [`stock:${d.shape}`]
    case 'income':
      return ['stock:t', 'stock:m']
    case 'fee':
    case 'spend':
      return marker
    default:
      return [...at, ...route, ...city]
  }
}

export interface Choice {
  verb: Verb | null
  /** What was clicked so far, in order. */
  picked: string[]
  /** The shape wanted where both would do, if anybody said so. */
  shape: Shape | null
}

/** What is still possible after the verb and the clicks so far. */
export function candidates(legal: Decision[], choice: Choice, length?: (route: string) => number): Decision[] {
  return legal.filter((d) => {
    if (choice.verb && d.verb !== choice.verb) return false
    const own = targets(d, length)
    return choice.picked.every((key) => own.includes(key))
  })
}

/** Where only the shape is open, the wanted one decides. */
export function preferShape(list: Decision[], shape: Shape | null): Decision[] {
  if (list.length !== 2 || shape === null) return list
  const [a, b] = list as [Decision, Decision]
  const same = a.verb === b.verb && a.post === b.post && a.city === b.city && a.gain === b.gain && a.route === b.route
  const simple = a.verb === 'place' || a.verb === 'displace' || a.verb === 'put'
  if (!same || !simple || a.shape === b.shape) return list
  return list.filter((d) => d.shape === shape)
}

/** Every thing that may be clicked now. */
export function glowing(list: Decision[], picked: string[], length?: (route: string) => number): Set<string> {
  const keys = new Set<string>()
  for (const d of list) for (const key of targets(d, length)) if (!picked.includes(key)) keys.add(key)
  return keys
}

export interface IncomeRange {
  traders: number
  merchants: number
  total: number
}

/** The bounds of the income on offer: most of each shape, most together. */
export function incomeRange(list: Decision[]): IncomeRange {
  const counts = list.flatMap((d) => (d.verb === 'income' && d.count ? [d.count] : []))
  return {
    traders: Math.max(0, ...counts.map(([t]) => t)),
    merchants: Math.max(0, ...counts.map(([, m]) => m)),
    total: Math.max(0, ...counts.map(([t, m]) => t + m)),
  }
}

export const hasVerb = (legal: Decision[], verb: string): boolean => legal.some((d) => d.verb === verb)
