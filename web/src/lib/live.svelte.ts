/** One open table: the socket, what the server said last, and what is on its way. */
import { api } from './api'
import { refusal } from './errors'
import type { ChatLine, ClientMessage, LogEntry, Position, Propose, ServerMessage, TableFace, Update } from './wire'

export type Link = 'connecting' | 'live' | 'lost'

export class Live {
  table = $state.raw<TableFace | null>(null)
  position = $state.raw<Position | null>(null)
  log = $state.raw<LogEntry[]>([])
  chat = $state.raw<ChatLine[]>([])
  link = $state<Link>('connecting')
  error = $state('')
  gone = $state('')
  /** The text of a decision that was sent and not yet answered. */
  sending = $state('')
  /** The entries of the newest update, to be animated and announced. */
  fresh = $state.raw<LogEntry[]>([])
  /** How far the server's clock is ahead of ours, in milliseconds. */
  skew = $state(0)
  private socket: WebSocket | null = null
  private closed = false
  private tries = 0
  private timer = 0
  private beat = 0

  constructor(readonly id: string) {
    this.open()
    document.addEventListener('visibilitychange', this.wake)
    window.addEventListener('online', this.wake)
    this.beat = window.setInterval(() => this.send({ type: 'ping' }), 20_000)
  }

  close(): void {
    this.closed = true
    document.removeEventListener('visibilitychange', this.wake)
    window.removeEventListener('online', this.wake)
    clearInterval(this.beat)
    clearTimeout(this.timer)
    this.socket?.close()
  }

  /** After sleep or a lost network: look at once instead of waiting for the next try. */
  private wake = (): void => {
    if (document.hidden || this.closed || this.socket?.readyState === WebSocket.OPEN) return
    this.tries = 0
    clearTimeout(this.timer)
    this.open()
  }

  /** `anew`: ask for everything, because what came does not follow on what we have. */
  private open(anew = false): void {
    this.socket?.close()
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const known =
      !anew && this.table && this.position ? `?after=${this.position.revision}&chat=${this.chat.at(-1)?.id ?? 0}` : ''
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${this.id}/socket${known}`)
    this.socket = socket
    socket.onmessage = (event) => this.hear(JSON.parse(event.data as string) as ServerMessage)
    socket.onopen = () => {
      this.tries = 0
      this.link = 'live'
    }
    socket.onclose = (event) => {
      if (this.closed || this.socket !== socket) return
      this.sending = ''
      if (event.code === 4404 || event.code === 4403) {
        this.gone = event.code === 4404 ? 'not_found' : 'not_allowed'
        return
      }
      this.link = 'lost'
      this.timer = window.setTimeout(() => this.open(), Math.min(8000, 400 * 2 ** this.tries++))
    }
  }

  private send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false
    this.socket.send(JSON.stringify(message))
    return true
  }

  private hear(said: ServerMessage): void {
    if ('now' in said) this.skew = said.now - Date.now()
    if (said.type === 'snapshot') {
      this.table = said.table
      this.position = said.position
      this.log = said.log
      this.chat = said.chat
      this.sending = ''
      if (said.log_from > 0) void this.fetchEarlier(said.log_from)
    } else if (said.type === 'update') this.update(said)
    else if (said.type === 'table') this.table = said.table
    else if (said.type === 'chat')
      this.chat = [...this.chat, ...said.messages.filter((m) => !this.chat.some((c) => c.id === m.id))]
    else if (said.type === 'error') {
      this.error = refusal(said.code, said.message)
      this.sending = ''
    }
  }

  private update(said: Update): void {
    if (this.position && said.from !== this.position.revision && said.entries.length > 0) {
      this.open(true)
      return
    }
    let log = this.log
    for (const entry of said.entries) {
      if (entry.kind === 'undo') log = log.filter((e) => e.kind !== 'decision' || e.number <= entry.number)
      log = [...log, entry]
    }
    this.log = log
    this.fresh = said.entries
    this.position = said.position
    this.sending = ''
    this.error = ''
  }

  private async fetchEarlier(before: number): Promise<void> {
    const { log } = await api.log(this.id, 0, before)
    const first = this.log[0]?.revision ?? Infinity
    this.log = [...log.filter((e) => e.revision < first), ...this.log]
  }

  act(decision: string): void {
    if (!this.position || this.sending) return
    const { number, revision } = this.position
    if (this.send({ type: 'act', re: decision.slice(0, 40), number, revision, decision })) {
      this.sending = decision
      this.error = ''
    }
  }

  undo(to: number | null = null, ask = false): void {
    if (this.position) this.send({ type: 'undo', number: this.position.number, to, ask })
  }

  say(text: string): void {
    this.send({ type: 'chat', text })
  }

  vote(proposal: number, yes: boolean): void {
    this.send({ type: 'vote', proposal, yes })
  }

  propose(asked: Omit<Propose, 'type'>): void {
    this.send({ type: 'propose', ...asked })
  }

  concede(): void {
    const seat = this.table?.you?.seats[0]
    if (seat) this.send({ type: 'concede', seat })
  }

  takeBackSeat(): void {
    this.send({ type: 'return' })
  }
}
