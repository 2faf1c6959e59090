/** Time to think, as the server counts it: what it said last, run down on this screen until it speaks again. */
import { tenths } from './figures'
import type { Live } from './live.svelte'
import type { Seat } from './wire'

export interface ClockFace {
  text: string
  left: number
  running: boolean
  low: boolean
  empty: boolean
}

const pad = (n: number): string => String(n).padStart(2, '0')

/** `2 d 4 h`, `1:02:03`, `4:05`, and tenths at the very end. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return tenths(Math.floor(seconds * 10) / 10)
  const whole = Math.ceil(seconds)
  const [d, h, m, s] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
    whole % 60,
  ]
  if (d) return `${d} d ${h} h`
  return h ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`
}

/** Low: under a tenth of the bank, but never before the last minute. */
export const isLow = (ms: number, bank: number): boolean => ms < Math.min(60_000, Math.max(10_000, bank * 100))

export class Clocks {
  private now = $state(Date.now())

  constructor(readonly live: Live) {}

  on = $derived.by(() => this.live.table?.clock ?? null)
  running = $derived.by<Seat | null>(() =>
    this.on && this.live.table?.status === 'running' ? (this.live.table.ticking ?? null) : null,
  )

  left(seat: Seat): number | null {
    const { table, skew } = this.live
    const rest = table?.seats.find((s) => s.seat === seat)?.remaining
    if (!this.on || rest === null || rest === undefined) return null
    const passed = this.running === seat ? this.now + skew - (table?.clock_at ?? 0) : 0
    return Math.max(0, rest - Math.max(0, passed))
  }

  face(seat: Seat): ClockFace | null {
    const left = this.left(seat)
    if (left === null || !this.on) return null
    return {
      text: clockText(left),
      left,
      running: this.running === seat,
      low: isLow(left, this.on.bank),
      empty: left === 0,
    }
  }

  /** Runs while somebody looks; the tenths of the last seconds need a quicker hand. */
  start(): () => void {
    const timer = setInterval(() => (this.now = Date.now()), 200)
    return () => clearInterval(timer)
  }
}
