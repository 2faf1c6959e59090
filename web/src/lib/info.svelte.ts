/** Words about a thing: a tip while the pointer rests on it; after a click they stay, with the reason why it does not glow. */
import { has, named, oneOf, t } from '../i18n/index.svelte'
import { api } from './api'
import type { Session } from './session.svelte'
import { tell, type Told } from './things'
import { meant } from './why'
import { city, marker, piece, pieces, route, skill, type Names } from './words'
import type { Why } from './wire'

/** Where the thing is on the screen. */
export interface Spot {
  x: number
  y: number
  w: number
  h: number
}
export interface Reason {
  text: string
  rule: string
}

const DELAY = 350

export function spotOf(element: Element | null): Spot | null {
  if (!element) return null
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x, y, w: width, h: height }
}

/** The server's reason in the chosen language: its names of things become ours. */
export function reasonOf(why: Why, names: Names): Reason {
  const key = `why.${why.reason}`
  const {
    route: r,
    city: c,
    shape,
    colour,
    reach,
    skill: s,
    marker: m,
    region,
    cities,
    ...rest
  } = (why.values ?? {}) as Record<string, string>
  const values = {
    ...rest,
    route: route(names, r),
    city: city(names, c),
    piece: piece(shape),
    colour: named('privilege', colour ?? ''),
    reach: named('privilege', reach ?? ''),
    skill: skill(s),
    marker: marker(m),
    region: named('region', region ?? ''),
    cities: oneOf(cities?.split(', ') ?? []),
    pieces: pieces(Number(rest.t ?? 0), Number(rest.m ?? 0)),
  }
  return { text: has(key) ? t(key, values) : why.message, rule: why.rule ?? '' }
}

/** A rule as a link names it: with its chapter, where that has a short name. */
export function ruleName(id: string): string {
  const chapter = `family.${id.split('-')[0]}`
  return has(chapter) ? `${t(chapter)} · ${id}` : t('thing.rule', { id })
}

export class Info {
  key = $state<string | null>(null)
  told = $state.raw<Told | null>(null)
  spot = $state.raw<Spot | null>(null)
  pinned = $state(false)
  /** A click would choose the thing rather than explain it. */
  usable = $derived.by(() => this.key !== null && this.session.deciding && this.session.play.glow.has(this.key))
  reason = $state.raw<Reason | null>(null)
  private timer = 0

  constructor(private readonly session: Session) {}

  private tell(key: string): Told | null {
    const { names, shown, board } = this.session
    return tell(key, names, shown, board)
  }

  hover(key: string | null, spot: Spot | null): void {
    if (this.pinned || key === this.key) return
    clearTimeout(this.timer)
    this.key = key
    this.told = null
    if (key)
      this.timer = window.setTimeout(
        () => this.key === key && ((this.spot = spot), (this.told = this.tell(key))),
        DELAY,
      )
  }

  async explain(key: string, spot: Spot | null): Promise<void> {
    clearTimeout(this.timer)
    this.key = key
    this.told = this.tell(key)
    this.spot = spot
    this.pinned = this.told !== null
    this.reason = null
    const { deciding, play, view, decider, geometry, board, live } = this.session
    if (!deciding) return
    const verbs = new Set(play.turn ? [] : play.legal.map((d) => d.verb))
    const text = meant(key, {
      view,
      seat: decider,
      geometry,
      verb: play.choice.verb,
      shape: play.shape,
      verbs,
      prestigeCity: board.data.prestige.city,
    })
    if (!text || play.legal.some((d) => d.text === text)) return
    const { number } = live.position!
    const answer = await api.why(live.id, decider, text).catch(() => null)
    if (!answer || answer.allowed || this.key !== key || live.position!.number !== number) return
    this.reason = reasonOf(answer, this.session.names)
    play.tell(this.reason.text)
  }

  close(): void {
    clearTimeout(this.timer)
    if (this.reason && this.session.play.notice === this.reason.text) this.session.play.notice = ''
    this.key = null
    this.told = null
    this.pinned = false
    this.reason = null
  }
}
