/** The log as lines to read: what belongs together is told together, what goes without saying is not told. */
import type { LogEntry } from './wire'

export interface Line {
  entry: LogEntry
  /** What belongs to the same action: fees, pieces put down, more pieces lifted. */
  rest: LogEntry[]
}

const verb = (entry: LogEntry): string => entry.text.split(' ')[0] ?? ''

/** Who took something back says so once a turn, with how much; the decisions themselves are gone from the log already. */
function folded(log: LogEntry[]): LogEntry[] {
  const kept = new Map<string, LogEntry>()
  const out: LogEntry[] = []
  for (const entry of log.toReversed()) {
    // Whoever leaves an action halfway has done nothing.
    if (entry.cancelled) continue
    const place = `${entry.player} ${entry.turn}`
    const later = entry.kind === 'undo' ? kept.get(place) : undefined
    if (later) {
      later.undone = (later.undone ?? 1) + (entry.undone ?? 1)
      continue
    }
    const shown = entry.kind === 'undo' ? { ...entry } : entry
    if (entry.kind === 'undo') kept.set(place, shown)
    out.push(shown)
  }
  return out.reverse()
}

/** What a decision goes on with, by the verb of the action it may belong to. */
const GOES_ON: Record<string, Set<string>> = {
  displace: new Set(['pay']),
  lift: new Set(['lift', 'put']),
  put: new Set(['put']),
  use: new Set(['lift', 'put', 'take']),
  establish: new Set(['lift', 'put', 'take', 'green']),
}

const PARTS = new Set(Object.values(GOES_ON).flatMap((verbs) => [...verbs]))
/** Whether such a decision is usually part of an action begun before. */
export const goesWith = (name: string): boolean => PARTS.has(name) && name !== 'lift'

const belongs = (entry: LogEntry, { entry: first }: Line): boolean =>
  first.kind === 'decision' &&
  first.player === entry.player &&
  first.turn === entry.turn &&
  (GOES_ON[verb(first)]?.has(verb(entry)) ?? false)

/**
 * One line an action: the fee and the pieces moved stand with it. The heading of each turn says whose it is, so its end
 * needs no line unless nothing else was done.
 */
export function lines(log: LogEntry[]): Line[] {
  const out: Line[] = []
  for (const entry of folded(log)) {
    const last = out.at(-1)
    const decision = entry.kind === 'decision'
    if (decision && (entry.text === 'done' || (entry.text === 'end' && last?.entry.turn === entry.turn))) continue
    if (decision && last && belongs(entry, last)) last.rest.push(entry)
    else out.push({ entry, rest: [] })
  }
  return out
}

/** The line that tells of a decision. */
export const lineOf = (log: LogEntry[], number: number): Line | null =>
  lines(log).find(({ entry, rest }) => [entry, ...rest].some((e) => e.kind === 'decision' && e.number === number)) ??
  null

/** Turn → whose it is: the first decision of a turn is its owner's. */
export function owners(log: LogEntry[]): Map<number, string> {
  const out = new Map<number, string>()
  for (const { turn, player, kind } of log)
    if (kind === 'decision' && player !== null && !out.has(turn)) out.set(turn, player)
  return out
}

/** Where one's last turn ended, as a revision: what follows is news. */
export const lastOwn = (log: LogEntry[], mine: string[]): number =>
  log.findLast((e) => e.player !== null && mine.includes(e.player) && e.text === 'end')?.revision ?? -1
