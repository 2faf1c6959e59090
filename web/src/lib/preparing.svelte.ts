/**
 * A turn prepared while others decide: tried on a board of its own, kept in this browser, and played when the turn
 * comes if all of it is still legal and brings about the same; otherwise offered as a draft.
 */
import { api } from './api'
import { sorry } from './errors'
import { History } from './history.svelte'
import type { Live } from './live.svelte'
import { forTrying, Tried, type Source } from './tried.svelte'
import type { LogEntry, Prepared, Seat, Why } from './wire'

/** Nothing; on the board of its own; waiting for the turn; the turn has come and a person must look; being played. */
export type Stage = '' | 'trying' | 'kept' | 'offered' | 'playing'

interface Kept {
  line: string[]
  /** What each decision brought about when it was prepared. */
  meant: string[]
  /** The turn it is for. */
  due: number
  /** Somebody said that it is ready to be played. */
  ready: boolean
}

/** Whose turn comes next, and with how many actions, is no part of what a decision means. */
const meaning = ({ events }: LogEntry): string => JSON.stringify(events.filter((e) => e.type !== 'turn-began'))

export class Preparing {
  stage = $state<Stage>('')
  line = $state.raw<string[]>([])
  tried = $state.raw<Tried | null>(null)
  history = $state.raw<History | null>(null)
  /** Of a draft: how many of its decisions can be played, why the next cannot, which one means something else now. */
  playable = $state(0)
  refused = $state.raw<Why | null>(null)
  changed = $state.raw<string | null>(null)
  private meant: string[] = []
  private due = 0
  private ready = false
  /** The decision sent last, and the number it gets. */
  private sent: { text: string; number: number } | null = null

  constructor(readonly live: Live) {
    const kept = this.stored()
    if (!kept) return
    Object.assign(this, kept)
    this.stage = 'kept'
  }

  private seat = $derived.by<Seat | null>(() => {
    const seats = this.live.table?.you.seats ?? []
    return seats.length === 1 ? seats[0]! : null
  })

  /** It is others' turn, and one's own will come. */
  may = $derived.by(() => {
    const { table, position } = this.live
    const own = table?.seats.find((s) => s.seat === this.seat)
    if (!own || !position || table?.status !== 'running' || table.name === 'Tutorial') return false
    if (own.conceded || own.standin || this.stage === 'playing') return false
    return !position.over && position.legal === null && position.phase !== 'setup' && position.active !== this.seat
  })

  private ask = (number: number, line: string[]): Promise<Prepared> =>
    api.prepared(this.live.id, number, this.seat!, line)

  /** Opens the board on which the turn is tried, with what was prepared so far. */
  async begin(): Promise<void> {
    if (!this.may) return
    const { live } = this
    const source: Source = {
      start: live.position!.number,
      table: forTrying(live.table!, [this.seat!]),
      ask: (line) => this.ask(source.start, line),
      sends: () => true,
      before: (number) => live.past(number),
    }
    const tried = new Tried(source)
    if (await tried.go(this.line)) {
      this.tried = tried
      this.history = new History(tried)
      this.stage = 'trying'
    } else live.error = tried.error
  }

  /** To be played when the turn comes; what somebody was called away from is only offered then. */
  keep(ready = true): void {
    const { tried } = this
    if (!tried?.line.length) return this.drop()
    this.line = tried.line
    this.meant = tried.log.map(meaning)
    this.due = this.next()
    this.ready = ready
    this.stage = 'kept'
    this.close()
    const { line, meant, due } = this
    localStorage.setItem(this.key, JSON.stringify({ line, meant, due, ready } satisfies Kept))
  }

  drop(): void {
    this.stage = ''
    this.line = []
    this.sent = null
    this.close()
    localStorage.removeItem(this.key)
  }

  /** Plays what can be played of a draft. */
  play(): void {
    this.line = this.line.slice(0, this.playable)
    this.stage = 'playing'
    this.step()
  }

  /** Called with every new position of the table. */
  take(): void {
    const { position } = this.live
    if (!this.stage || !position) return
    const own = position.active === this.seat
    if (position.over || (this.stage === 'kept' && position.turn > this.due)) this.drop()
    else if (this.stage === 'playing') this.step()
    else if (own && position.legal && position.phase === 'turn') void this.come()
    else if (this.stage === 'offered' && !own) this.drop()
    else if (this.stage === 'trying') this.follow(position.legal !== null)
  }

  /** The others went on: what is tried goes on from there; whoever must answer something looks at the table. */
  private follow(asked: boolean): void {
    const { tried } = this
    const { number } = this.live.position!
    if (!tried || number === tried.source.start) return
    if (asked) this.keep(false)
    else {
      tried.source.start = number
      void tried.go(tried.line)
    }
  }

  /** The turn has come: play, or offer. */
  private async come(): Promise<void> {
    const alone = this.stage === 'kept' && this.ready
    const line = this.stage === 'trying' ? (this.tried?.line ?? []) : this.line
    const meant = this.stage === 'trying' ? (this.tried?.log.map(meaning) ?? []) : this.meant
    if (!line.length) return this.drop()
    const { number } = this.live.position!
    const found = await this.ask(number, line).catch((e: unknown) => void (this.live.error = sorry(e)))
    if (!found || this.live.position?.number !== number || this.live.sending) return
    const other = found.entries.findIndex((entry, k) => meaning(entry) !== meant[k])
    Object.assign(this, { line, meant, playable: found.entries.length, refused: found.refused })
    this.changed = other < 0 ? null : line[other]!
    this.close()
    if (alone && !found.refused && this.changed === null) this.play()
    else this.stage = 'offered'
  }

  /** Sends the next decision once the one before stands. */
  private step(): void {
    const { position, log, sending } = this.live
    if (sending || !position) return
    const { sent } = this
    const stands = !sent || log.some((e) => e.kind === 'decision' && e.number === sent.number && e.text === sent.text)
    const [text, ...rest] = this.line
    if (text === undefined || !stands || position.active !== this.seat) this.drop()
    else if (position.legal?.includes(text)) {
      this.line = rest
      this.meant = this.meant.slice(1)
      this.sent = { text, number: position.number + 1 }
      this.live.act(text)
    } else if (position.legal) {
      this.stage = 'offered'
      void this.come()
    }
  }

  /** The number of one's own next turn. */
  private next(): number {
    const { position, table } = this.live
    const seats = table!.seats.map((s) => s.seat)
    const ahead = seats.indexOf(this.seat!) - seats.indexOf(position!.active) + seats.length
    return position!.turn + (ahead % seats.length)
  }

  private close(): void {
    this.tried = null
    this.history = null
  }

  private get key(): string {
    return `hansa.prepared.${this.live.id}`
  }

  private stored(): Kept | null {
    try {
      return JSON.parse(localStorage.getItem(this.key) ?? 'null') as Kept | null
    } catch {
      return null
    }
  }
}
