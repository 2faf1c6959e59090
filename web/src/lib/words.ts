/** Decisions and log entries in words of the chosen language. Places stay lit-able: a line is a list of parts. */
import { t, template, named, has, type Params } from '../i18n/index.svelte'
import type { Key } from '../i18n/en'
import type { GameEvent, Geometry, LogEntry, PieceMoved, Skill, SkillDeveloped } from './wire'
import { parse, type Decision } from './decisions'
import { markerFace } from './house.svelte'
import { settings } from './settings.svelte'
import { TRACKS } from './skills'

export interface Names {
  geometry: Geometry | null
  who: (seat: string) => string
  /** The one seat of whoever reads: sentences about it may need another form than a name in its place. */
  own?: string
  /** Whose piece is in hand: in the duel with neutral traders it may be nobody's. */
  holds?: string
  /** The pieces in hand, in the order they were lifted. */
  hand?: { owner: string; shape: string }[]
  /** Something was lifted in this effect already. */
  lifted?: boolean
  /** Whose piece stands on a post. */
  holder?: (post: string) => string | null
  /** Before the first turn the pawn is placed, not moved. */
  placing?: boolean
}

/** German verbs would have to change with "du": there one is called by name, like everybody. */
export const ownName = (name: string): string => (settings.lang === 'de' ? name : t('log.you'))
/** The same as an object of the sentence: "displaced you". */
export const asObject = (who: string): string => (who === t('log.you') ? who.toLocaleLowerCase() : who)

export interface Part {
  text: string
  key?: string
  strong?: boolean
}

export const city = (names: Names, id: string | undefined): string => names.geometry?.cities[id ?? '']?.name ?? id ?? ''

export function route(names: Names, id: string | undefined): string {
  const ends = names.geometry?.routes[id ?? '']?.cities
  return ends ? t('place.route', { a: city(names, ends[0]), b: city(names, ends[1]) }) : (id ?? '')
}

/** The board shows its number, the words its name: both are said. The names are those of the board file. */
export function province(names: Names, id: string | undefined): string {
  const found = names.geometry?.provinces.find((p) => String(p.id) === id)
  return found ? t('place.province', { n: found.id, name: named('province', found.name) }) : (id ?? '')
}

export const marker = (id: string | undefined): string => named('marker', id ?? '?')
export const skill = (id: string | undefined): string => named('skill', id ?? '')
export const piece = (shape: string | undefined): string =>
  shape === 'm' ? t('piece.m') : shape === 't' ? t('piece.t') : t('piece.any')
/** With its article, as the object of a sentence. */
export const thePiece = (shape: string | undefined): string =>
  t(shape === 'm' ? 'piece.theM' : shape === 't' ? 'piece.theT' : 'piece.the')
export const aPiece = (shape: string | undefined): string =>
  shape === 'm' ? t('piece.am') : shape === 't' ? t('piece.at') : t('piece.any')

export function pieces(traders: number, merchants: number): string {
  const a = traders ? t('piece.nt', { n: traders }) : ''
  const b = merchants ? t('piece.nm', { n: merchants }) : ''
  return a && b ? t('piece.and', { a, b }) : a || b
}

function params(d: Decision, names: Names): Params {
  return {
    piece: aPiece(d.shape),
    pieces: d.count ? pieces(d.count[0], d.count[1]) : '',
    route: route(names, d.route),
    city: city(names, d.city),
    skill: skill(d.skill),
    marker: marker(d.takes ?? d.marker),
    province: province(names, d.province),
    tile: named('favour', d.tile ?? ''),
    who: d.player ? names.who(d.player) : '',
    victim: standing(d, names),
    n: d.prestige ?? 0,
    a: d.house ?? 0,
    b: (d.house ?? 0) + 1,
  }
}

/** Whose piece a decision meets on its post. */
function standing(d: Decision, names: Names): string {
  const owner = d.post ? names.holder?.(d.post) : null
  return owner ? asObject(names.who(owner)) : t('piece.any')
}

/** The key's ending that says which form of a verb it is. */
function form(d: Decision, placing = false): string {
  if (d.verb === 'pawn' && placing) return '.setup'
  if (d.verb === 'establish') return d.gain === 'none' ? '.none' : `.${d.gain}`
  if (d.verb === 'use') {
    if (d.marker === 'skill' || d.marker === 'swap' || d.marker === 'exchange') return `.${d.marker}`
    if (markerFace(d.marker ?? '')?.laid) return '.route'
  }
  if (d.verb === 'take' && !d.post) return 'Stock'
  return ''
}

/** What a button for this decision says. */
export function label(d: Decision, names: Names): string {
  const key = d.verb === 'put' && names.holds === 'n' ? 'do.putNeutral' : `do.${d.verb}${form(d, names.placing)}`
  return has(key) ? capital(t(key, params(d, names))) : d.text
}

/** Rows of a list and buttons begin with a capital, whatever stands first in the sentence. */
const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

const PLACES: Record<string, (d: Decision) => string | undefined> = {
  route: (d) => (d.post ? `post:${d.post}` : d.route ? `route:${d.route}` : undefined),
  city: (d) => (d.city ? `city:${d.city}` : undefined),
  province: (d) => (d.province ? `province:${d.province}` : undefined),
}

/** Fills a template part by part, so that names stand out and places can be lit. */
export function parts(text: string, values: Params, d: Decision | null): Part[] {
  return text
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((bit) => {
      const name = /^\{(\w+)\}$/.exec(bit)?.[1]
      if (!name) return { text: bit }
      const strong = ['who', 'victim', 'route', 'city', 'province'].includes(name)
      return { text: String(values[name] ?? bit), key: d ? PLACES[name]?.(d) : undefined, strong }
    })
}

/** What is no decision: by kind, a vote by what it was about, and said to "you" where that needs other words. */
function other(entry: LogEntry, own: string | undefined): Key {
  const kind = `log.${entry.kind}`
  const about = `${kind}.${entry.text}`
  const key = has(about) ? about : kind
  const toYou = `${key}.you`
  return entry.player === own && has(toYou) ? toYou : has(key) ? key : 'log.done'
}

export function line(entry: LogEntry, names: Names): Part[] {
  const who = entry.player ? names.who(entry.player) : ''
  if (entry.kind !== 'decision') {
    const values: Params = { who, n: entry.undone ?? 1 }
    return parts(template(other(entry, names.own), values), values, null)
  }
  const d = parse(entry.text)
  const ending = form(
    d,
    entry.events.some((e) => e.type === 'pawn-moved' && e.source === null),
  )
  const key =
    d.verb === 'put' && moved(entry)?.[0] === 'n'
      ? 'log.putNeutral'
      : `log.${d.verb}${ending === '.none' ? '' : ending}`
  const values: Params = { ...params(d, names), who, victim: victim(entry, d, names) }
  if (d.verb === 'lift') values.piece = aPiece(moved(entry)?.[1])
  return parts(has(key) ? template(key, values) : d.text, values, d)
}

function victim(entry: LogEntry, d: Decision, names: Names): string {
  if (d.player) return asObject(names.who(d.player))
  const gone = moves(entry).find((e) => e.source === `post:${d.post}` && e.target.startsWith('hand:'))
  const owner = gone?.piece.split(':')[0]
  return owner ? asObject(names.who(owner)) : t('piece.any')
}

const moves = (entry: LogEntry): PieceMoved[] => entry.events.filter((e) => e.type === 'piece-moved')

/** Owner and shape of the piece that a decision moved. */
const moved = (entry: LogEntry): string[] | undefined => moves(entry)[0]?.piece.split(':')

/** The step of a skill: what it was worth, what it is worth, and actions gained at once. */
function developed({ skill, level, actions }: SkillDeveloped): string[] {
  const id = skill as Skill
  const value = (n: number): string => {
    const text = TRACKS[id][n] ?? ''
    return id === 'privilege' ? named('privilege', text) : text === 'all' ? t('value.all') : text
  }
  const step = t('log.developed', { a: value(level - 1), b: value(level) })
  return actions > 0 ? [step, t('log.gained', { n: actions })] : [step]
}

/** The consequences worth telling of a decision: points, completed cities, links, markers. `ahead`: it is not taken yet. */
export function consequences(events: GameEvent[], names: Names, ahead = false): string[] {
  const told = ahead ? 'cost' : 'log'
  const out: string[] = []
  const gained = new Map<string, number>()
  for (const event of events) {
    if (event.type === 'points-gained') {
      const { player, points: n, reason } = event
      if (reason === 'link') out.push(t(`${told}.link`, { who: names.who(player), n }))
      else gained.set(player, (gained.get(player) ?? 0) + n)
    } else if (event.type === 'city-completed') out.push(t(`${told}.completed`, { city: city(names, event.city) }))
    else if (event.type === 'skill-developed') out.push(...developed(event))
    else if (event.type === 'marker-taken') out.push(t(`${told}.took`, { marker: marker(event.marker) }))
  }
  return [...[...gained].map(([who, n]) => t('log.points', { who: names.who(who), n })), ...out]
}

export const plain = (list: Part[]): string => list.map((p) => p.text).join('')
