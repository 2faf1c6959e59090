/** Which position is shown: the live one, or one of the past. */
import type { Live } from './live.svelte'
import { keepAt } from './router.svelte'
import type { LogEntry, PastPosition, Position } from './wire'

export class History {
  /** How many decisions stand in the position shown; null: the live one. */
  at = $state<number | null>(null)
  past = $state.raw<PastPosition | null>(null)
  private readonly kept = new Map<number, Promise<PastPosition>>()

  /** Told about every step: whoever shows the position drops what belonged to the one before. */
  moved: (at: number | null) => void = () => {}

  constructor(readonly live: Live) {}

  shown = $derived.by<Position>(() => (this.at !== null && this.past ? this.past : this.live.position!))

  /** The entry that led to the position of the past. */
  entry = $derived.by<LogEntry | null>(() => (this.at === null ? null : (this.past?.entry ?? null)))

  private fetch(number: number): Promise<PastPosition> {
    let known = this.kept.get(number)
    if (!known) {
      known = this.live.past(number)
      known.catch(() => this.kept.delete(number))
      this.kept.set(number, known)
    }
    return known
  }

  async seek(wanted: number | null): Promise<void> {
    const { number: now, over } = this.live.position!
    const number = wanted === null || (wanted >= now && !over) ? null : Math.min(now, Math.max(0, wanted))
    this.at = number
    keepAt(number)
    this.moved(number)
    if (number === null) {
      this.past = null
      return
    }
    const found = await this.fetch(number)
    if (this.at === number) this.past = found
    // The next one is fetched while this one is looked at, so that stepping on is instant.
    if (number < now) void this.fetch(number + 1).catch(() => {})
  }

  back(): void {
    void this.seek((this.at ?? this.live.position!.number) - 1)
  }

  forth(): void {
    if (this.at === null) return
    const next = this.at + 1
    void this.seek(next >= this.live.position!.number ? null : next)
  }

  /** Which decision is judged, or replaced by a fork: the one to be taken in the position shown; after the end the last one. */
  decision = $derived.by(() => {
    const { number, over } = this.live.position!
    return Math.min(this.at ?? number, over ? Math.max(0, number - 1) : number)
  })

  /** After an undo other decisions may stand under the same numbers. */
  forget(): void {
    this.kept.clear()
  }
}
