/** What the form for a new game asks for beside the rules. */
import type { Clock, SeatWish } from './wire'

export interface SeatForm {
  name: string
  kind: string
}

/** How the table is kept. */
export interface TableOptions {
  clock: Clock | null
  /** Seconds that somebody who is away keeps the seat; null: as the clock has it. */
  absence: number | null
  undo: boolean
  rated: boolean
  open: boolean
  draw: boolean
  title: string
  seed: string
}

export function newSeat(seat: SeatForm): SeatWish {
  const name = seat.name.trim() || undefined
  if (seat.kind.startsWith('bot')) return { kind: 'bot', bot: seat.kind.slice(4) || 'greedy', name }
  return { kind: seat.kind === 'open' ? 'open' : 'me', name }
}
