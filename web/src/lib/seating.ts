/** Seats as the form for a new game has them. */
import type { NewSeat } from './api'

export interface SeatForm {
  name: string
  kind: string
}

export function newSeat(seat: SeatForm): NewSeat {
  const name = seat.name.trim() || undefined
  if (seat.kind.startsWith('bot')) return { kind: 'bot', bot: seat.kind.slice(4) || 'greedy', name }
  return { kind: seat.kind === 'open' ? 'open' : 'me', name }
}
