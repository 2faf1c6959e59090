/** A new table from a position of a finished game. */
import { api } from './api'
import type { History } from './history.svelte'
import { chosenName } from './mine.svelte'
import { go } from './router.svelte'
import type { SeatWish } from './wire'

/** One's own seats against machines. */
export async function fork(history: History): Promise<void> {
  const { id, table } = history.live
  const mine = table!.you?.seats ?? []
  const own = mine.length ? mine : ['p1']
  const seats = table!.seats.map((s): SeatWish => {
    const name = s.name ?? undefined
    return own.includes(s.seat) ? { kind: 'me', name } : { kind: 'bot', bot: s.bot ?? 'greedy', name }
  })
  const next = await api.fork(id, history.decision, seats, chosenName(table!))
  go(`/g/${next.id}`)
}
