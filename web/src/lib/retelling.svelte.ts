/** "Since my last turn": what happened is shown once more, decision by decision, with a sentence for each action. */
import { lastOwn } from './chronicle'
import type { History } from './history.svelte'
import type { News } from './news.svelte'
import { dwell } from './pace'
import type { LogEntry } from './wire'

export class Retelling {
  on = $state(false)
  paused = $state(false)
  private timer = 0
  /** The place it is at; wherever else one looks, it is over. */
  private expects: number | null = null

  constructor(
    readonly history: History,
    readonly news: News,
  ) {}

  /** What others decided since the last turn of one's own ended. */
  private since = $derived.by<LogEntry[]>(() => {
    const { log, table } = this.history.live
    const mine = table?.you?.seats ?? []
    const ended = mine.length === 1 ? lastOwn(log, mine) : -1
    return ended < 0 ? [] : log.filter((e) => e.kind === 'decision' && e.revision > ended)
  })
  some = $derived.by(() => this.since.some((e) => !this.history.live.table?.you?.seats.some((s) => s === e.player)))

  start(): void {
    const first = this.since[0]
    if (!first) return
    this.on = true
    this.paused = false
    void this.show(first.number - 1)
  }

  private async show(number: number): Promise<void> {
    clearTimeout(this.timer)
    const { live } = this.history
    const entry = live.log.find((e) => e.kind === 'decision' && e.number === number)
    if (number >= live.position!.number) return this.stop()
    this.expects = number
    try {
      await this.history.seek(number)
    } catch {
      // Without the server nothing can be shown again: back to what is known.
      return this.stop()
    }
    if (!this.on || this.expects !== number) return
    if (entry) this.news.retell(entry)
    this.wait(entry)
  }

  private wait(entry: LogEntry | undefined): void {
    if (!this.paused) this.timer = window.setTimeout(() => void this.show(this.expects! + 1), dwell(entry, true))
  }

  toggle(): void {
    this.paused = !this.paused
    clearTimeout(this.timer)
    if (!this.paused) void this.show(this.expects! + 1)
  }

  step(): void {
    this.paused = true
    void this.show(this.expects! + 1)
  }

  stop(): void {
    this.leave()
    void this.history.seek(null)
  }

  /** Somebody looks at a place of the past: if it is not the one retold, the telling is over. */
  moved(at: number | null): void {
    if (this.on && at !== this.expects) this.leave()
  }

  private leave(): void {
    clearTimeout(this.timer)
    this.on = false
    this.expects = null
  }
}
