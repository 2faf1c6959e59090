// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Live } from '../src/lib/live.svelte'
import type { ClientMessage, LogEntry, Position, Seat, ServerMessage } from '../src/lib/wire'
import { table } from './fake'

/** A line to a server that says what a test lets it say. */
class Line {
  static lines: Line[] = []
  static readonly OPEN = 1
  readyState = 1
  sent: ClientMessage[] = []
  onmessage: (event: { data: string }) => void = () => {}
  onclose: (event: { code: number }) => void = () => {}
  constructor(readonly url: string) {
    Line.lines.push(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage)
  }
  close(): void {
    this.readyState = 3
  }
  say(message: Partial<ServerMessage>): void {
    this.onmessage({ data: JSON.stringify(message) })
  }
  get acts(): ClientMessage[] {
    return this.sent.filter((m) => m.type === 'act')
  }
}

const at = (revision: number, legal: string[] | null): Position =>
  ({ revision, number: revision, legal, over: false }) as unknown as Position
const decided = (revision: number, player: Seat, text: string): LogEntry =>
  ({ revision, number: revision, kind: 'decision', player, text, by: 'person', events: [] }) as unknown as LogEntry
const snapshot = (position: Position, log: LogEntry[]): Partial<ServerMessage> =>
  ({ type: 'snapshot', now: Date.now(), table: table(), position, log, log_from: 0, chat: [] }) as never
const update = (from: number, position: Position, entries: LogEntry[]): Partial<ServerMessage> =>
  ({ type: 'update', now: Date.now(), from, position, entries }) as never

describe('a line that is lost', () => {
  let live: Live
  const last = (): Line => Line.lines.at(-1)!
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('WebSocket', Line)
    Line.lines = []
    live = new Live('g1')
    last().say(snapshot(at(4, ['end']), [decided(4, 'p2', 'end')]))
  })
  afterEach(() => {
    live.close()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  it('is noticed by pings that nobody answers, within ten seconds', () => {
    expect(live.link).toBe('live')
    vi.advanceTimersByTime(4600)
    expect(last().sent.map((m) => m.type)).toEqual(['ping'])
    expect(live.link).toBe('live')
    vi.advanceTimersByTime(5000)
    expect(live.link).toBe('lost')
  })
  it('and a decision on its way is sent again where nothing has happened', () => {
    live.act('end')
    window.dispatchEvent(new Event('offline'))
    expect([live.link, live.sending]).toEqual(['lost', 'end'])
    live.tryNow()
    expect(last().acts).toEqual([])
    last().say(update(4, at(4, ['end']), []))
    expect(last().acts).toHaveLength(1)
    expect(live.sending).toBe('end')
  })
  it.each([
    ['it is there: nothing is said', decided(5, 'p1', 'end'), ''],
    ['it is not: it is taken back', decided(5, 'p2', 'done'), 'did not count'],
  ])('after a snapshot, if %s, and what happened is told', (_, entry, said) => {
    live.act('end')
    window.dispatchEvent(new Event('offline'))
    live.tryNow()
    last().say(snapshot(at(6, null), [decided(4, 'p2', 'end'), entry, decided(6, 'p3', 'done')]))
    expect(live.sending).toBe('')
    expect(last().acts).toEqual([])
    expect(live.error).toMatch(said ? new RegExp(said) : /^$/)
    expect(live.missed.map((e) => e.revision)).toEqual([5, 6])
  })
  it('and what happened is not told another time, nor after the next decision', () => {
    const cut = (): void => {
      window.dispatchEvent(new Event('offline'))
      live.tryNow()
    }
    cut()
    last().say(update(4, at(5, ['end']), [decided(5, 'p2', 'end')]))
    expect(live.missed).toHaveLength(1)
    cut()
    last().say(update(5, at(5, ['end']), []))
    expect(live.missed).toEqual([])
    cut()
    last().say(update(5, at(6, ['end']), [decided(6, 'p2', 'end')]))
    live.act('end')
    expect(live.missed).toEqual([])
  })
  it('takes no line of the chat along, and a refused one comes back', () => {
    expect(live.say('Hello?')).toBe(true)
    last().say({ type: 'ack', re: 'chat', revision: 4 } as never)
    live.say('Still there?')
    live.tryNow()
    expect(live.unsaid).toBe('Still there?')
    live.unsaid = ''
    last().say(update(4, at(4, ['end']), []))
    live.say('Too much')
    last().say({ type: 'error', re: 'chat', code: 'too_many', message: 'Wait.' } as never)
    expect([live.unsaid, live.error]).toEqual(['Too much', 'Wait.'])
  })
})
