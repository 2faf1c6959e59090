/** The end of a game for the eye: standings, accounts, sentences from the chronicle. */
import { allOf, t } from '../i18n/index.svelte'
import type { LogEntry, Score, ScoreKey, Seat } from './wire'
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

/** The accounts in which somebody has more than anybody else. */
export function firsts(scores: Partial<Record<Seat, Score>>, seat: Seat): ScoreKey[] {
  return ACCOUNTS.filter((a) => {
    const own = scores[seat]?.[a] ?? 0
    return own > 0 && Object.entries(scores).every(([other, s]) => other === seat || (s?.[a] ?? 0) < own)
  })
}

/** Who won and by how much. A game given up by all has no winner: then who led. */
export function verdict(
  scores: Partial<Record<Seat, Score>>,
  winners: Seat[],
  mine: Seat[],
  names: Names,
  seatName: (seat: Seat) => string,
): { title: string; text: string } {
  const [first, second] = standings(scores, winners)
  if (winners.length > 1) return { title: t('end.shared', { names: winners.map(seatName).join(', ') }), text: '' }
  const [winner] = winners
  if (!winner)
    return {
      title: t('end.undecided'),
      text: first ? t('end.subUndecided', { n: first.score.total, who: names.who(first.seat) }) : '',
    }
  const title = mine.length === 1 && winner === mine[0] ? t('end.youWin') : t('end.wins', { who: seatName(winner) })
  if (!first || !second) return { title, text: '' }
  const ahead = first.score.total - second.score.total
  const start =
    ahead > 0
      ? t('end.sub', { n: first.score.total, m: ahead, who: asObject(names.who(second.seat)) })
      : t('end.subTie', { n: first.score.total })
  const best = firsts(scores, first.seat).map((a) => t(`score.${a}`))
  return { title, text: best.length ? `${start} ${t('end.first', { list: allOf(best) })}` : start }
}

export interface Sentence {
  seat: Seat | null
  text: string
}

function most(counts: Map<Seat, number>): [Seat, number] | null {
  return [...counts].sort((a, b) => b[1] - a[1])[0] ?? null
}

/** Up to four sentences worth remembering. */
export function story(log: LogEntry[], scores: Partial<Record<Seat, Score>>, linked: Seat[], names: Names): Sentence[] {
  const out: Sentence[] = []
  const own = (seat: Seat): boolean => names.who(seat) === t('log.you')
  const network = most(new Map((Object.entries(scores) as [Seat, Score][]).map(([seat, s]) => [seat, s.network])))
  if (network?.[1])
    out.push({ seat: network[0], text: t('end.network', { who: names.who(network[0]), n: network[1] }) })
  if (linked[0]) out.push({ seat: linked[0], text: t('end.linked', { who: names.who(linked[0]) }) })
  const displaced = new Map<Seat, number>()
  const established = new Map<Seat, number>()
  for (const entry of log) {
    if (entry.text.startsWith('establish ') && entry.player)
      established.set(entry.player, (established.get(entry.player) ?? 0) + 1)
    if (!entry.text.startsWith('displace ')) continue
    for (const event of entry.events) {
      if (event.type !== 'piece-moved' || !event.target.startsWith('hand:')) continue
      const [owner] = event.piece.split(':')
      if (owner?.startsWith('p')) displaced.set(owner as Seat, (displaced.get(owner as Seat) ?? 0) + 1)
    }
  }
  const victim = most(displaced)
  if (victim)
    out.push({
      seat: victim[0],
      text: t(own(victim[0]) ? 'end.displaced.you' : 'end.displaced', { who: names.who(victim[0]), n: victim[1] }),
    })
  const busy = most(established)
  if (busy) out.push({ seat: busy[0], text: t('end.established', { who: names.who(busy[0]), n: busy[1] }) })
  const last = log.findLast((e) => e.events.some((x) => x.type === 'game-ended'))
  if (last?.player && out.length < 5)
    out.push({ seat: last.player, text: t('end.ended', { who: names.who(last.player) }) })
  return out
}
