/** One open table: the socket, what the server said last, and what is on its way. */
import { api } from './api'
import { t } from '../i18n/index.svelte'
import { refusal } from './errors'
import { Following } from './following.svelte'
import { Talk } from './talk.svelte'
import { now } from './ticking'
import type {
  ChatLine,
  ClientMessage,
  LogEntry,
  PastPosition,
  Position,
  Preview,
  Propose,
  ServerMessage,
  TableFace,
  Update,
} from './wire'

export type Link = 'connecting' | 'live' | 'lost'

/** A ping must be answered before the next one is due: so a dead line is noticed within nine seconds. */
const BEAT = 4500
/** The mark by which an answer to a line of the chat is known. */
const SAYING = 'chat'

export class Live {
  table = $state.raw<TableFace | null>(null)
  position = $state.raw<Position | null>(null)
  log = $state.raw<LogEntry[]>([])
  chat = $state.raw<ChatLine[]>([])
  link = $state<Link>('connecting')
  error = $state('')
  gone = $state('')
  /** The text of a decision that was sent, or waits for the line, and is not yet answered. */
  sending = $state('')
  private sentAt = 0
  /** Lines of the chat that are not yet answered, and what of it came to nothing: it goes back to whoever typed it. */
  private saying: string[] = []
  unsaid = $state('')
  /** Since when the line is down; what happened meanwhile, told when it is back. */
  lostAt = $state(0)
  missed = $state.raw<LogEntry[]>([])
  /** The entries of the newest update, to be animated and announced. */
  fresh = $state.raw<LogEntry[]>([])
  /** How far the server's clock is ahead of ours, in milliseconds. */
  skew = $state(0)
  readonly talk = new Talk(this)
  /** What machines decided, at a pace that can be followed. Whoever must decide, or has a clock, waits for nothing. */
  readonly following = new Following(
    (said) => this.update(said),
    () => this.position?.legal === null && !this.table?.clock,
  )
  private socket: WebSocket | null = null
  private closed = false
  private tries = 0
  private timer = 0
  private beat = 0
  private unanswered = false
  /** The first message of this connection is still to come. */
  private fresher = true

  /** Nothing decided here counts: it is only tried. */
  readonly trial: boolean = false
  /** A machine can be asked about its positions. */
  readonly advised: boolean = true

  constructor(
    readonly id: string,
    linked = true,
  ) {
    if (!linked) return
    this.open()
    document.addEventListener('visibilitychange', this.wake)
    window.addEventListener('online', this.wake)
    window.addEventListener('offline', this.lose)
    this.beat = window.setInterval(() => this.listen(), BEAT)
  }

  close(): void {
    this.closed = true
    document.removeEventListener('visibilitychange', this.wake)
    window.removeEventListener('online', this.wake)
    window.removeEventListener('offline', this.lose)
    clearInterval(this.beat)
    clearTimeout(this.timer)
    this.following.forget()
    this.socket?.close()
  }

  /** Is anybody there? Whoever did not answer the last time is not. */
  private listen(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return
    if (this.unanswered) this.lose()
    else this.unanswered = this.send({ type: 'ping' })
  }

  /** The line is dead: said at once, and tried again. A browser may take minutes to close such a socket. */
  private lose = (): void => {
    if (this.closed || this.gone || this.link === 'lost') return
    const dead = this.socket
    this.socket = null
    dead?.close()
    this.link = 'lost'
    this.lostAt = Date.now()
    this.again()
  }

  private again(): void {
    clearTimeout(this.timer)
    this.timer = window.setTimeout(() => this.open(), Math.min(8000, 400 * 2 ** this.tries++))
  }

  /** Connect as who one is now: whoever sat down as a stranger has just got a name. */
  introduce(): void {
    if (this.table?.you.name === null) this.open(true)
  }

  /** Look now instead of waiting for the next try. */
  tryNow(): void {
    this.tries = 0
    this.open()
  }

  /** After sleep or a lost network: look at once instead of waiting for the next try. */
  private wake = (): void => {
    if (document.hidden || this.closed || this.socket?.readyState === WebSocket.OPEN) return
    clearTimeout(this.timer)
    this.tryNow()
  }

  /** `anew`: ask for everything, because what came does not follow on what we have. */
  private open(anew = false): void {
    this.socket?.close()
    this.giveBack(this.saying.splice(0).join(' '))
    this.following.flush()
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const known =
      !anew && this.table && this.position ? `?after=${this.position.revision}&chat=${this.chat.at(-1)?.id ?? 0}` : ''
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${this.id}/socket${known}`)
    this.socket = socket
    this.unanswered = false
    this.fresher = true
    socket.onmessage = (event) => {
      if (this.socket === socket) this.hear(JSON.parse(event.data as string) as ServerMessage)
    }
    socket.onclose = (event) => {
      if (this.closed || this.socket !== socket) return
      if (event.code === 4404 || event.code === 4403) {
        this.gone = event.code === 4404 ? 'not_found' : 'not_allowed'
        return
      }
      if (this.link === 'lost') this.again()
      else this.lose()
    }
  }

  private send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false
    this.socket.send(JSON.stringify(message))
    return true
  }

  /** Only what the server says proves that it is there. */
  private alive(): void {
    this.unanswered = false
    this.link = 'live'
    this.tries = 0
  }

  private hear(said: ServerMessage): void {
    this.alive()
    if ('now' in said) this.skew = said.now - Date.now()
    if (said.type === 'snapshot') {
      const before = this.position?.revision
      this.following.forget()
      this.table = said.table
      this.position = said.position
      this.log = said.log
      this.chat = said.chat
      this.resume(
        said.log.filter((e) => e.revision > (before ?? Infinity)),
        before,
      )
      if (said.log_from > 0) void this.fetchEarlier(said.log_from)
    } else if (said.type === 'update') this.follow(said)
    else if (said.type === 'table') this.table = said.table
    else if (said.type === 'chat')
      this.chat = [...this.chat, ...said.messages.filter((m) => !this.chat.some((c) => c.id === m.id))]
    else if (said.type === 'ack' && said.re === SAYING) this.saying.shift()
    else if (said.type === 'error') {
      this.error = refusal(said.code, said.message)
      if (said.re === SAYING) this.giveBack(this.saying.shift() ?? '')
      else this.sending = ''
    }
  }

  private follow(said: Update): void {
    const known = this.following.newest ?? this.position?.revision
    if (known !== undefined && said.from !== known && said.entries.length > 0) this.open(true)
    else if (this.fresher) this.update(said)
    else this.following.hear(said)
  }

  private update(said: Update): void {
    let log = this.log
    for (const entry of said.entries) {
      if (entry.kind === 'undo') log = log.filter((e) => e.kind !== 'decision' || e.number <= entry.number)
      log = [...log, entry]
    }
    this.log = log
    const before = this.position?.revision
    this.fresh = said.entries
    this.position = said.position
    this.error = ''
    if (this.fresher) this.resume(said.entries, before)
    else this.sending = ''
  }

  /** Back on the line: what was on its way is there, is sent again, or is taken back and said so. */
  private resume(entries: LogEntry[], before: number | undefined): void {
    this.fresher = false
    if (this.lostAt) this.missed = entries
    this.lostAt = 0
    const waiting = this.sending
    this.sending = ''
    if (!waiting) return
    const mine = this.table?.you.seats ?? []
    const stored = entries.some((e) => e.text === waiting && e.by === 'person' && mine.some((s) => s === e.player))
    if (this.position?.revision === before && this.position?.legal?.includes(waiting)) this.act(waiting)
    else if (!stored) this.takeBack()
  }

  /** A decision that does not count: the one who made it must see that. */
  private takeBack(): void {
    this.sending = ''
    this.error = t('link.takenBack')
  }

  /** A decision has been on its way for so long that it should be said. */
  slow = $derived.by(() => this.sending !== '' && now() - this.sentAt > 1000)

  /** Whoever decided while the line was down may think better of it. */
  withdraw(): void {
    this.sending = ''
  }

  /** Something other than a decision: it goes out now or not at all. */
  private tell(message: ClientMessage): void {
    this.error = this.send(message) ? '' : t('link.notSent')
  }

  private async fetchEarlier(before: number): Promise<void> {
    const { log } = await api.log(this.id, 0, before)
    const first = this.log[0]?.revision ?? Infinity
    this.log = [...log.filter((e) => e.revision < first), ...this.log]
  }

  /** A position of the past; when all is over it hides nothing. */
  past(number: number): Promise<PastPosition> {
    return api.position(this.id, number, this.position!.over ? '?open=true' : '')
  }

  /** A position as a machine is asked about it: decisions of the game, and what was tried after them. */
  asked(number: number): { number: number; line: string[] } {
    return { number, line: [] }
  }

  /** What a decision would bring about. */
  preview({ number, seat }: Position, decision: string): Promise<Preview> {
    return api.preview(this.id, number, decision, seat ?? '')
  }

  act(decision: string): void {
    if (!this.position || this.sending) return
    const { number, revision } = this.position
    // With number and revision it can be sent again safely: it is taken once or not at all.
    this.send({ type: 'act', re: decision.slice(0, 40), number, revision, decision })
    this.sending = decision
    this.sentAt = Date.now()
    this.error = ''
    this.missed = []
  }

  undo(to: number | null = null, ask = false): void {
    this.following.flush()
    if (this.position) this.tell({ type: 'undo', number: this.position.number, to, ask })
  }

  /** Whether it went out: what was typed is not lost with the line. */
  say(text: string): boolean {
    this.error = ''
    const out = this.send({ type: 'chat', re: SAYING, text })
    if (out) this.saying.push(text)
    return out
  }

  private giveBack(text: string): void {
    if (text) this.unsaid = text
  }

  vote(proposal: number, yes: boolean): void {
    this.tell({ type: 'vote', proposal, yes })
  }

  propose(asked: Omit<Propose, 'type'>): void {
    this.tell({ type: 'propose', ...asked })
  }

  concede(): void {
    const seat = this.table?.you?.seats[0]
    if (seat) this.tell({ type: 'concede', seat })
  }

  takeBackSeat(): void {
    this.tell({ type: 'return' })
  }
}
