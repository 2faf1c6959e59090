/** A new table from a position of a finished game. */
import { api } from './api'
import type { History } from './history.svelte'
import { chosenName } from './mine.svelte'
import { go } from './router.svelte'
import type { SeatWish } from './wire'

/** `play`: one's own seats against machines; `study`: all seats are one's own. */
export type Fork = 'play' | 'study'

export async function fork(history: History, way: Fork): Promise<void> {
  const { id, table } = history.live
  const mine = table!.you?.seats ?? []
  const own = mine.length ? mine : ['p1']
  const seats = table!.seats.map((s): SeatWish => {
    const name = s.name ?? undefined
    return way === 'study' || own.includes(s.seat)
      ? { kind: 'me', name }
      : { kind: 'bot', bot: s.bot ?? 'greedy', name }
  })
  const next = await api.fork(id, history.decision, seats, chosenName(table!))
  go(`/g/${next.id}`)
}
