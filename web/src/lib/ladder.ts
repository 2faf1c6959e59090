/** The levels of machines as a ladder: after a game one up, one down, or the same again. */
import { standings } from './ending'
import type { BotFace, Score, Seat, TableFace } from './wire'

/** The strongest machine at the table, where everybody else is one. */
export function levelOf(table: TableFace, bots: BotFace[]): number {
  const others = table.seats.filter((s) => !s.yours)
  if (table.you.seats.length !== 1 || !others.length || others.some((s) => s.kind !== 'bot')) return 0
  return Math.max(...others.map((s) => bots.find((b) => b.spec === s.bot)?.level ?? 0))
}

export interface Rung {
  way: 'up' | 'down'
  bot: BotFace
}

/** Whoever wins goes up; whoever comes in last, of three or more, may want to go down. */
export function nextRung(
  table: TableFace,
  bots: BotFace[],
  scores: Partial<Record<Seat, Score>>,
  winners: Seat[],
): Rung | null {
  const level = levelOf(table, bots)
  const [own] = table.you.seats
  if (!level || !own || !scores[own]) return null
  const ranked = standings(scores, winners)
  const last = ranked.length > 2 && ranked.every((r) => r.seat === own || r.score.total > scores[own]!.total)
  const way = winners.includes(own) ? 'up' : last ? 'down' : null
  const bot = way && bots.find((b) => b.level === level + (way === 'up' ? 1 : -1))
  return way && bot ? { way, bot } : null
}
