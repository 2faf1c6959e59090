/** The people of a table for the eye: their order around one's own seat, and a word about each. */
import { t } from '../i18n/index.svelte'
import type { Position, Seat, TableFace, View } from './wire'
import { ACCOUNTS } from './ending'

export const nameOf = (table: TableFace, seat: string): string => table.seats.find((s) => s.seat === seat)?.name ?? seat

/** Who starts is drawn when the game starts: until then only those have a colour who chose one. */
type Drawn = Pick<TableFace, 'status' | 'order' | 'forked_from'>
export const drawsOrder = (table: Drawn): boolean =>
  table.status === 'open' && table.order === 'draw' && !table.forked_from
/** The colour of a seat where the page is not dressed for its table: in lists, invitations, the waiting room. */
export const colourOf = (table: Pick<TableFace, 'seats'>, seat: string): string =>
  table.seats.find((s) => s.seat === seat)?.colour ?? 'n'

/** Clockwise from the seat after one's own; watchers see them in turn order. */
export function around(table: TableFace, own: Seat | null): Seat[] {
  const seats = table.seats.map((s) => s.seat)
  const first = own ? seats.indexOf(own) : -1
  return first < 0 ? seats : [...seats.slice(first + 1), ...seats.slice(0, first)]
}

export function leader(table: TableFace, view: View): Seat | null {
  const most = Math.max(...table.seats.map((s) => view.players[s.seat]?.points ?? 0))
  const who = table.seats.filter((s) => view.players[s.seat]?.points === most)
  return most > 0 && who.length === 1 ? who[0]!.seat : null
}

/** What there is to say about a seat in one word. */
export function note(table: TableFace, { view, over }: Pick<Position, 'view' | 'over'>, seat: Seat): string {
  const seats = table.seats.map((s) => s.seat)
  const info = table.seats.find((s) => s.seat === seat)
  const next = seats[(seats.indexOf(view.active) + 1) % seats.length]
  if (info?.conceded) return t('table.gaveUp')
  if (over && table.result?.winners.includes(seat)) return t('table.won')
  if (info?.standin && table.status !== 'over') return t('table.standin')
  if (!over && seat === view.player && seat !== view.active) return t('table.decides')
  if (!over && seat === leader(table, view)) return t('table.leads')
  if (!over && seat === next && seat !== view.active) return t('table.next')
  return info?.kind === 'bot' ? t('table.machine') : ''
}

/** The estimate account by account, in words. */
export function accountsOf(position: Position, seat: Seat): string {
  const score = position.scores[seat]
  return score
    ? ACCOUNTS.filter((a) => score[a])
        .map((a) => `${t(`score.${a}`)} ${score[a]}`)
        .join(' · ')
    : ''
}

/** The cities of somebody's mission, as far as the one who looks may know them. */
export function missionOf(view: View, seat: Seat): string[] {
  const mission = view.players[seat]?.mission
  return Array.isArray(mission) ? mission : []
}
