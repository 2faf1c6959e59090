/**
 * Between the socket and the table: what machines decide within milliseconds is shown at a pace that can be followed,
 * one decision after the other, with pause and step. Everything else comes at once, and nothing comes out of order.
 */
import { dwell } from './pace'
import { settings } from './settings.svelte'
import type { Update } from './wire'

const byMachine = ({ entries }: Update): boolean =>
  entries.length > 0 && entries.every((e) => e.kind === 'decision' && (e.by === 'bot' || e.by === 'standin'))

export class Following {
  private queue = $state.raw<Update[]>([])
  paused = $state(false)
  private timer = 0
  /** Until when what is shown stays. */
  private until = 0

  /** `free`: nobody is kept from deciding, and no clock runs, while things are shown slowly. */
  constructor(
    private readonly show: (said: Update) => void,
    private readonly free: () => boolean,
  ) {}

  waiting = $derived.by(() => this.queue.length)
  /** The revision of the newest thing heard; null: everything heard is shown. */
  newest = $derived.by(() => this.queue.at(-1)?.position?.revision ?? null)

  private slow = (): boolean => settings.machines !== 'once' && this.free() && !document.hidden

  hear(said: Update): void {
    this.queue = [...this.queue, said]
    if (!byMachine(said) || !this.slow()) this.flush()
    else this.go()
  }

  /** Shows what is due, and comes again when the next is. */
  private go = (): void => {
    clearTimeout(this.timer)
    if (this.paused || !this.queue.length) return
    const left = this.until - Date.now()
    if (left > 0 && this.slow()) this.timer = window.setTimeout(this.go, left)
    else {
      this.next()
      this.go()
    }
  }

  private next(): void {
    const [said, ...rest] = this.queue
    if (!said) return
    this.queue = rest
    this.until = Date.now() + dwell(said.entries.at(-1))
    this.show(said)
  }

  /** Everything heard is shown now. */
  flush(): void {
    clearTimeout(this.timer)
    this.paused = false
    while (this.queue.length) this.next()
  }

  toggle(): void {
    this.paused = !this.paused
    if (!this.paused) this.until = 0
    this.go()
  }

  /** One decision on; whoever steps wants to stand still in between. */
  step(): void {
    this.paused = true
    clearTimeout(this.timer)
    this.next()
  }

  /** What was heard is known from elsewhere. */
  forget(): void {
    clearTimeout(this.timer)
    this.queue = []
    this.paused = false
  }
}
