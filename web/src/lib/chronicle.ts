/** The log as lines to read: what belongs together is told together, what goes without saying is not told. */
import type { Entry } from './api'

export interface Line {
  entry: Entry
  /** What was paid for it. */
  paid: Entry[]
}

const verb = (entry: Entry): string => entry.text.split(' ')[0] ?? ''

/** The heading of each turn says whose it is, so its end needs no line unless nothing else was done; a fee stands with what it was paid for. */
export function lines(log: Entry[]): Line[] {
  const out: Line[] = []
  for (const entry of log) {
    const last = out.at(-1)
    if (entry.kind === 'decision' && (entry.text === 'done' || (entry.text === 'end' && last?.entry.turn === entry.turn))) continue
    const fee = entry.kind === 'decision' && verb(entry) === 'pay' && last?.entry.kind === 'decision' && last.entry.player === entry.player && verb(last.entry) === 'displace'
    if (fee) last.paid.push(entry)
    else out.push({ entry, paid: [] })
  }
  return out
}

/** Turn → whose it is: the first decision of a turn is its owner's. */
export function owners(log: Entry[]): Map<number, string> {
  const out = new Map<number, string>()
  for (const { turn, player } of log) if (player !== null && !out.has(turn)) out.set(turn, player)
  return out
}

/** Where one's last turn ended, as a revision: what follows is news. */
export const lastOwn = (log: Entry[], mine: string[]): number => log.findLast((e) => e.player !== null && mine.includes(e.player) && e.text === 'end')?.revision ?? -1
