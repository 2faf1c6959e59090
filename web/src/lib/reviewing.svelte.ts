/** The review of a finished game: asked for, followed while it is worked out, and looked up turn by turn. */
import { arrowOf, type Arrow } from './arrows'
import { api } from './api'
import { parse, type Decision } from './decisions'
import { sorry } from './errors'
import type { Chart, JudgedTurn, ReviewState, View } from './wire'

/** Milliseconds between two looks at how far it is. */
const LOOK = 900

/** The decisions of a line of a record: `p1> end` and so on. */
export const decided = (line: string[]): { player: string; decision: Decision }[] =>
  line.map((step) => {
    const [player = '', text = ''] = step.split('> ')
    return { player, decision: parse(text) }
  })

/** A turn as numbered arrows: what its player does on the board, in order. */
export function arrowsOf({ player, better }: JudgedTurn, view: View): Arrow[] {
  const own = decided(better).filter((d) => d.player === player)
  return own
    .flatMap(({ decision }) => {
      const arrow = arrowOf(decision, view)
      return arrow ? [arrow] : []
    })
    .map((arrow, i) => ({ ...arrow, rank: i + 1, weight: 1 / (1 + i / 2) }))
}

export class Reviewing {
  state = $state.raw<ReviewState>({ state: 'none', done: 0, total: 0, review: null })
  error = $state('')
  private timer = 0
  private left = false

  constructor(readonly id: string) {}

  turns = $derived.by<JudgedTurn[]>(() => this.state.review?.turns ?? [])
  /** Turns that gave something away. */
  faults = $derived.by(() => this.turns.filter((turn) => turn.mark))
  /** The same by their number of turn, for the chronicle. */
  marks = $derived.by(() => new Map(this.faults.map((turn) => [turn.turn, turn])))
  share = $derived.by(() => (this.state.total ? this.state.done / this.state.total : 0))
  /** Everybody's chance over time, in percent. */
  chart = $derived.by<Chart>(() => ({
    points: this.turns.map(({ number, turn, shares }) => ({
      number,
      turn,
      scores: Object.fromEntries(Object.entries(shares).map(([seat, share]) => [seat, Math.round(100 * (share ?? 0))])),
    })),
  }))

  /** The turn that the decision with this number (from 0) belongs to. */
  at(number: number): JudgedTurn | null {
    return this.turns.findLast((turn) => turn.number <= number) ?? null
  }

  /** The next turn that gave something away, forth or back from a decision. */
  next(number: number, step: 1 | -1): JudgedTurn | null {
    return (
      (step > 0
        ? this.faults.find((turn) => turn.number > number)
        : this.faults.findLast((turn) => turn.number < number)) ?? null
    )
  }

  private async ask(what: () => Promise<ReviewState>): Promise<void> {
    clearTimeout(this.timer)
    try {
      this.state = await what()
      this.error = ''
    } catch (e) {
      this.error = sorry(e)
    }
    if (this.state.state === 'working' && !this.left) this.timer = window.setTimeout(() => void this.load(), LOOK)
  }

  load = (): Promise<void> => this.ask(() => api.review(this.id))
  begin = (): Promise<void> => this.ask(() => api.beginReview(this.id))

  leave(): void {
    this.left = true
    clearTimeout(this.timer)
  }
}
