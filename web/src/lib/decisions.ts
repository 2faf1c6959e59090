/**
 * Decisions as the server writes them, taken apart so that a click can find them.
 * Nothing here knows a rule: a decision is legal because the server listed it.
 */
import { house } from './house.svelte'
import type { House, Shape } from './wire'

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
  /** The used marker that an exchange takes. */
  takes?: string
  /** What `establish` gains: none, office, extra, skill, prestige. */
  gain?: string
  count?: [number, number]
}

/** The five verbs of the turn and what else may be offered beside them. */
export const VERBS = ['income', 'place', 'displace', 'lift', 'establish', 'walk', 'pawn', 'favour', 'fee'] as const
export type Verb = (typeof VERBS)[number]

/** What the words of a form are called here; two words: a city and a house of it. */
const PLACES: Record<string, (keyof Decision)[]> = {
  end: ['city'],
  green: ['city'],
  house: ['city', 'house'],
  space: ['prestige'],
}

interface Form {
  /** The fixed words and the fields, in order. */
  parts: { fixed?: string; field?: keyof Decision }[]
}

function read(text: string): Form {
  const parts = text.split(' ').flatMap((word): Form['parts'] => {
    if (!word.startsWith('{')) return [{ fixed: word }]
    const name = word.slice(1, -1)
    return (PLACES[name] ?? [name as keyof Decision]).map((field) => ({ field }))
  })
  return { parts }
}

/** Forms of the house, extensions included, read once for each house. */
let known: { house: House; forms: Form[] } | null = null
function forms(): Form[] {
  if (known?.house !== house()) known = { house: house(), forms: house().forms.map(read) }
  return known.forms
}

const isShape = (word: string): boolean => word === 't' || word === 'm'

/** `take t` and `take a-b/1` differ in what the word looks like. */
function fits({ parts }: Form, words: string[]): boolean {
  return (
    parts.length === words.length &&
    parts.every(({ fixed, field }, k) =>
      fixed !== undefined
        ? fixed === words[k]
        : field === 'shape'
          ? isShape(words[k]!)
          : !(field === 'post' && isShape(words[k]!)),
    )
  )
}

export function parse(text: string): Decision {
  const words = text.split(' ')
  const decision: Decision = { text, verb: words[0] ?? '' }
  const form = forms().find((one) => fits(one, words))
  if (!form) return decision
  const fixed = form.parts.filter((p) => p.fixed !== undefined).map((p) => p.fixed!)
  const named: Record<string, string> = {}
  form.parts.forEach(({ field }, k) => field && (named[field] = words[k]!))
  return complete(decision, fixed, named)
}

/** What follows from the words: the route of a post, what `establish` gains, which marker is used. */
function complete(decision: Decision, fixed: string[], named: Record<string, string>): Decision {
  const { traders, merchants, house, marker, post, ...rest } = named
  Object.assign(decision, rest)
  if (post !== undefined) Object.assign(decision, { post, route: post.slice(0, post.lastIndexOf('/')) })
  if (house !== undefined) decision.house = Number(house)
  if (traders !== undefined) decision.count = [Number(traders), Number(merchants)]
  if (marker !== undefined) decision.marker = marker
  if (fixed[0] === 'establish') {
    decision.gain = fixed[1]
    if (fixed[1] === 'extra') decision.marker = 'extra-office'
  }
  if (fixed[0] === 'use') {
    decision.takes = marker
    decision.marker = fixed[1]
  }
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

/** The incomes of most pieces: several where the shapes can be chosen. */
export function fullest(list: Decision[]): Decision[] {
  const { total } = incomeRange(list)
  return list.filter((d) => d.verb === 'income' && d.count && d.count[0] + d.count[1] === total)
}

export const hasVerb = (legal: Decision[], verb: string): boolean => legal.some((d) => d.verb === verb)
