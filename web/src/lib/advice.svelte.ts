/** What a machine thinks of the position shown: bars for the eye, arrows for the board. */
import { arrowOf, type Arrow } from './arrows'
import { arrowsOf } from './plan'
import { api } from './api'
import { parse, type Decision } from './decisions'
import type { History } from './history.svelte'
import type { Live } from './live.svelte'
import { adviser } from './people'
import type { Analysis, BotFace, LogEntry, Seat, Weighed } from './wire'

/** The level of the machine that answers within a second. */
const QUICK = 4
/** A chance looked at far less often than the best one says little. */
const SURE = 0.2

/**
 * One measure sorts, is drawn and is read: how much of its thinking the machine gave to a decision (`percent`), or,
 * if it does not search, how good it finds it. `share` is that measure beside the best. `chance` is the decider's
 * chance to win as far as the machine is sure of it: it may be higher further down, where less thought went in.
 */
export interface Opinion {
  decision: Decision
  share: number
  percent: number | null
  chance: number | null
  played: boolean
}
export type Measure = 'thought' | 'value' | null

export class Advice {
  found = $state.raw<Analysis | null>(null)
  thinking = $state(false)
  error = $state('')
  bots = $state.raw<BotFace[]>([])
  spec = $state('')
  private asked = 0
  /** What is left of the turn the machine would play, everybody's decisions in it. */
  plan = $state.raw<string[]>([])
  /** The turn as a whole is asked for, not what one decision is worth. */
  private whole = $state(false)

  constructor(
    readonly live: Live,
    readonly history: History,
  ) {}

  bot = $derived.by(() => this.bots.find((b) => b.spec === this.spec))
  number = $derived.by(() => this.history.decision)
  /** What was really decided there. */
  played = $derived.by(
    () => this.live.log.find((e) => e.kind === 'decision' && e.number === this.number + 1)?.text ?? null,
  )

  opinions = $derived.by<Opinion[]>(() => {
    // A machine that only decides, without weighing, has one opinion.
    const given: Weighed[] = this.found?.options.length
      ? this.found.options
      : this.found
        ? [{ decision: this.found.decision, value: 1, visits: 0, shares: {} }]
        : []
    const all = given.toSorted((a, b) => b.visits - a.visits || b.value - a.value)
    const top = all.slice(0, 6)
    const [best] = top
    const played = all.find((o) => o.decision === this.played)
    if (played && !top.includes(played)) top.push(played)
    const low = Math.min(...top.map((o) => o.value))
    const span = Math.max(...top.map((o) => o.value)) - low
    const sure = (o: Weighed): number => o.visits / Math.max(1, best?.visits ?? 1)
    const looked = all.reduce((sum, o) => sum + o.visits, 0)
    return top.map((o) => ({
      decision: parse(o.decision),
      share: looked ? sure(o) : span > 0 ? (o.value - low) / span : 1,
      percent: looked ? Math.round((100 * o.visits) / looked) : null,
      chance: sure(o) > SURE ? Math.round(100 * o.value) : null,
      played: o.decision === this.played,
    }))
  })
  measure = $derived.by<Measure>(() =>
    this.opinions.length < 2 ? null : this.opinions.some((o) => o.percent !== null) ? 'thought' : 'value',
  )
  /** Everybody's chance to win if the best decision is taken. */
  chances = $derived.by<{ seat: Seat; share: number }[]>(() => {
    const best = this.found?.options.find((o) => o.decision === this.found?.decision)?.shares
    return best ? (Object.entries(best) as [Seat, number][]).map(([seat, share]) => ({ seat, share })) : []
  })
  arrows = $derived.by<Arrow[]>(() => {
    const { view } = this.history.shown
    return this.plan.length && (this.whole || !this.found) ? arrowsOf(this.plan, view.player, view) : this.ranked
  })
  private ranked = $derived.by<Arrow[]>(() =>
    this.opinions.slice(0, 4).flatMap((o, i) => {
      const arrow = arrowOf(o.decision, this.history.shown.view)
      return arrow ? [{ ...arrow, rank: i + 1, weight: Math.max(0.15, o.share) }] : []
    }),
  )

  async load(): Promise<void> {
    const { bots } = await api.bots()
    this.bots = bots
    this.spec ||= adviser(bots)?.spec ?? ''
  }

  /** `quickly`: with a machine that answers at once, for the turn as a whole. */
  async ask(quickly = false): Promise<void> {
    const turn = ++this.asked
    this.thinking = true
    this.error = ''
    try {
      await this.load()
      const spec = quickly ? (adviser(this.bots, QUICK)?.spec ?? this.spec) : this.spec
      const found = await api.analysis(this.live.id, this.number, spec)
      if (turn !== this.asked) return
      this.found = found
      this.plan = found.turn
      this.whole = quickly
    } catch (e) {
      if (turn === this.asked) this.error = (e as Error).message
    } finally {
      if (turn === this.asked) this.thinking = false
    }
  }

  /** What was decided as the machine would have is part of its plan; anything else makes it worthless. */
  follow(fresh: LogEntry[]): void {
    let left = this.plan
    for (const { kind, player, text } of fresh) {
      if (kind === 'decision' && left[0] === `${player}> ${text}`) left = left.slice(1)
      else left = []
    }
    this.clear()
    this.plan = left
  }

  clear(): void {
    this.asked += 1
    this.found = null
    this.plan = []
    this.error = ''
    this.thinking = false
  }
}
