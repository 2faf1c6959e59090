/** The end of a game for the eye: standings, accounts, and what decided it. */
import { allOf, t } from '../i18n/index.svelte'
import type { Score, ScoreKey, Seat } from './wire'
import { asObject, type Names } from './words'

export const ACCOUNTS: ScoreKey[] = [
  'track',
  'skills',
  'markers',
  'prestige',
  'cities',
  'network',
  'missions',
  'regions',
]

export interface Standing {
  seat: Seat
  score: Score
  rank: number
}

/** Winners first (the server knows the tie-break), then by total; equal totals share a rank. */
export function standings(scores: Partial<Record<Seat, Score>>, winners: Seat[]): Standing[] {
  const list = (Object.entries(scores) as [Seat, Score][]).map(([seat, score]) => ({ seat, score, rank: 0 }))
  list.sort(
    (a, b) => Number(winners.includes(b.seat)) - Number(winners.includes(a.seat)) || b.score.total - a.score.total,
  )
  for (const [i, item] of list.entries()) {
    const before = list[i - 1]
    const tied =
      before && before.score.total === item.score.total && winners.includes(before.seat) === winners.includes(item.seat)
    item.rank = tied ? before.rank : i + 1
  }
  return list
}

/** The account in which the winner leads most before whom it is compared with, if there is a lead. */
export function decisive(
  scores: Partial<Record<Seat, Score>>,
  winner: Seat,
  rival: Seat,
): { account: ScoreKey; n: number; m: number } | null {
  const of = (seat: Seat, a: ScoreKey): number => scores[seat]?.[a] ?? 0
  const [best] = ACCOUNTS.map((account) => ({ account, n: of(winner, account), m: of(rival, account) })).toSorted(
    (a, b) => b.n - b.m - (a.n - a.m),
  )
  return best && best.n > best.m ? best : null
}

const leads = (first?: Standing, second?: Standing): first is Standing =>
  first !== undefined && first.score.total > (second?.score.total ?? -1)

/**
 * Who won, by how much and what decided it. A game given up by all has no winner: then who led.
 * Whoever gave up could not win, whatever the points: nobody is compared with him.
 */
export function verdict(
  scores: Partial<Record<Seat, Score>>,
  winners: Seat[],
  conceded: Seat[],
  mine: Seat[],
  names: Names,
  seatName: (seat: Seat) => string,
): { title: string; text: string } {
  const stayed = winners.length
    ? standings(scores, winners).filter((s) => !conceded.includes(s.seat))
    : standings(scores, [])
  const [first, second] = stayed
  if (winners.length > 1) return { title: t('end.shared', { names: allOf(winners.map(seatName)) }), text: '' }
  const [winner] = winners
  if (!winner)
    return {
      title: t('end.undecided'),
      text: leads(first, second) ? t('end.subUndecided', { n: first.score.total, who: names.who(first.seat) }) : '',
    }
  const title = mine.length === 1 && winner === mine[0] ? t('end.youWin') : t('end.wins', { who: seatName(winner) })
  if (!first) return { title, text: '' }
  if (!second) return { title, text: conceded.length ? t('end.subGaveUp', { n: first.score.total }) : '' }
  const ahead = first.score.total - second.score.total
  const [own] = mine.length === 1 ? mine : []
  const start =
    ahead > 0
      ? t(second.seat === own ? 'end.sub.you' : 'end.sub', {
          n: first.score.total,
          m: ahead,
          who: asObject(names.who(second.seat)),
        })
      : t('end.subTie', { n: first.score.total })
  // Whoever lost wants to know what was missing; whoever won, what made the difference.
  const rival = own && own !== winner && stayed.some((s) => s.seat === own) ? own : second.seat
  const most = decisive(scores, winner, rival)
  if (!most) return { title, text: start }
  const { n, m } = most
  const values = { account: t(`score.${most.account}`), n, m, who: seatName(rival) }
  return { title, text: `${start} ${t(rival === own ? 'end.decided.you' : 'end.decided', values)}` }
}
