/** What changed in the waiting room since one looked last, in words. */
import { t } from '../i18n/index.svelte'
import type { SeatFace, TableFace } from './wire'

const keyOf = (seat: SeatFace): string => `${seat.kind} ${seat.name} ${seat.bot ?? ''}`

/** One's own seats are spoken of only where somebody else took them away. */
export function arrivals(before: TableFace, after: TableFace): string[] {
  const was = new Map(before.seats.map((s) => [keyOf(s), s]))
  const now = new Map(after.seats.map((s) => [keyOf(s), s]))
  const came = after.seats.filter((s) => s.kind !== 'open' && !s.yours && !was.has(keyOf(s)))
  const went = before.seats.filter((s) => s.kind !== 'open' && !s.yours && !now.has(keyOf(s)))
  return [
    ...came.map((s) => t(s.kind === 'bot' ? 'room.machineCame' : 'room.came', { who: s.name })),
    ...went.map((s) => t('room.went', { who: s.name })),
  ]
}

/** The host freed the seat of whoever looks. */
export const sentAway = (before: TableFace, after: TableFace): boolean =>
  before.you.seats.length > 0 && after.you.seats.length === 0 && after.status === 'open'
