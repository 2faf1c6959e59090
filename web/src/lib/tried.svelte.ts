/** A table nobody else sees: decisions are tried from a position, the server carries them out and keeps nothing. */
import { api } from './api'
import { sorry } from './errors'
import { Live } from './live.svelte'
import type { Line, LogEntry, PastPosition, Position, Preview, Seat, TableFace } from './wire'

/** Where lines begin, and who carries them out. */
export interface Source {
  /** Decisions before the first one tried. */
  start: number
  /** The table as whoever tries sees it. */
  table: TableFace
  ask: (decisions: string[]) => Promise<Line>
  /** Decisions that are sent; the others are answers. */
  sends: (entry: LogEntry) => boolean
  /** A position before the first decision tried. */
  before?: (number: number) => Promise<PastPosition>
}

/** A finished table opened for trying: whoever tries decides for everybody. */
export function forTrying(table: TableFace, yours: Seat[] = table.seats.map((s) => s.seat)): TableFace {
  return {
    ...table,
    status: 'running',
    clock: null,
    previews: true,
    proposals: [],
    result: null,
    rematch: null,
    you: { ...table.you, seats: yours },
    seats: table.seats.map((s) => ({
      ...s,
      kind: 'human',
      yours: yours.includes(s.seat),
      present: true,
      conceded: false,
      standin: null,
      remaining: null,
      away: null,
      deadline: null,
    })),
  }
}

export const ofGame = (table: TableFace, number: number): Source => ({
  start: number,
  table: forTrying(table),
  ask: (decisions) => api.line(table.id, number, decisions),
  sends: () => true,
  before: (n) => api.position(table.id, n, '?open=true'),
})

export class Tried extends Live {
  override readonly trial = true
  override readonly advised: boolean
  /** What was sent so far. */
  line = $state.raw<string[]>([])
  /** What the server said of that line. */
  found = $state.raw<Line | null>(null)
  private turn = 0

  constructor(readonly source: Source) {
    super(source.table.id, false)
    this.table = source.table
    this.link = 'live'
    this.advised = source.before !== undefined
  }

  /** The decisions that were sent up to a number. */
  private upTo(number: number): string[] {
    return this.log.filter((e) => e.number <= number && this.source.sends(e)).map((e) => e.text)
  }

  /** Shows what comes of a line, or says why it cannot be played. */
  async go(line: string[]): Promise<Line | null> {
    const turn = ++this.turn
    this.error = ''
    try {
      const found = await this.source.ask(line)
      if (turn !== this.turn) return null
      const known = new Set(this.log.map((e) => `${e.number} ${e.text}`))
      this.fresh = found.entries.filter((e) => !known.has(`${e.number} ${e.text}`))
      this.log = found.entries
      // Of a line that cannot be played to its end only the beginning stands.
      this.line = found.entries.filter((e) => this.source.sends(e)).map((e) => e.text)
      this.found = found
      // After taking back, other decisions stand under the same numbers.
      this.position = { ...found.position, revision: turn }
      return found
    } catch (e) {
      if (turn === this.turn) this.error = sorry(e)
      return null
    } finally {
      if (turn === this.turn) this.sending = ''
    }
  }

  override act(decision: string): void {
    if (!this.position || this.sending) return
    this.sending = decision
    void this.go([...this.line, decision])
  }

  override undo(to: number | null = null): void {
    const { number } = this.position!
    void this.go(this.upTo(to ?? number - 1))
  }

  override asked(number: number): { number: number; line: string[] } {
    const { start } = this.source
    return { number: Math.min(start, number), line: number > start ? this.upTo(number) : [] }
  }

  override async past(number: number): Promise<PastPosition> {
    const { start, before, ask } = this.source
    if (number < start && before) return before(number)
    const { position, entries } = await ask(this.upTo(number))
    return { ...position, number, legal: null, entry: entries.at(-1) ?? null }
  }

  override async preview(_: Position, decision: string): Promise<Preview> {
    const { position, entries } = await this.source.ask([...this.line, decision])
    const known = this.log.length
    return { events: entries.slice(known).flatMap((e) => e.events), position: { ...position, legal: null } }
  }
}
