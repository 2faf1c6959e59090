// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import Prepared from '../src/table/Prepared.svelte'
import { Live } from '../src/lib/live.svelte'
import { Preparing } from '../src/lib/preparing.svelte'
import { save } from '../src/lib/settings.svelte'
import type { LogEntry, Position, Why } from '../src/lib/wire'
import { fakeServer, table, type Asked } from './fake'

const LINE = ['place t a-b/1', 'displace t a-b/2', 'end']
const entry = (text: string, number: number, victim = 'p2'): LogEntry =>
  ({ kind: 'decision', text, number, player: 'p1', events: [{ type: 'piece-moved', piece: victim }] }) as LogEntry
const said = (texts: string[], refused: Why | null = null, victim = 'p2') => ({
  position: position({ active: 'p1', legal: null }),
  entries: texts.map((text, k) => entry(text, k + 5, victim)),
  refused,
})
const position = (more: object = {}): Position =>
  ({ revision: 4, number: 4, turn: 8, active: 'p2', phase: 'turn', over: false, legal: null, ...more }) as Position
const mine = (number: number, legal: string[] = LINE): Position => position({ number, turn: 10, active: 'p1', legal })

/** The answers of the server may change while a test runs. */
function prepared(answer: { now: object }): { live: Live; preparing: Preparing; asked: Asked[] } {
  const answers = { 'POST /games/k7/prepared': answer.now }
  const asked = fakeServer(
    new Proxy(answers, { get: () => answer.now, ownKeys: () => Object.keys(answers) }) as Record<string, unknown>,
  )
  const live = new Live('k7', false)
  live.table = table()
  live.position = position()
  vi.spyOn(live, 'act').mockImplementation((text) => {
    live.sending = text
  })
  return { live, preparing: new Preparing(live), asked }
}

/** The server took what was sent: the next position. */
function stands(live: Live, next: Position): void {
  live.log = [...live.log, entry(live.sending, next.number)]
  live.sending = ''
  live.position = next
}

async function kept(answer: { now: object }) {
  const at = prepared(answer)
  await at.preparing.begin()
  at.preparing.keep()
  return at
}

beforeEach(() => {
  save({ lang: 'en' })
  localStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

describe('a turn prepared while others decide', () => {
  it('is played decision by decision when the turn comes', async () => {
    const { live, preparing, asked } = await kept({ now: said(LINE) })
    expect(asked[0]?.body).toEqual({ number: 4, seat: 'p1', decisions: [] })
    expect(preparing.stage).toBe('kept')
    preparing.take()
    expect(live.act).not.toHaveBeenCalled()
    live.position = mine(9)
    preparing.take()
    await vi.waitFor(() => expect(live.act).toHaveBeenCalledWith(LINE[0]))
    expect(asked.at(-1)?.body).toEqual({ number: 9, seat: 'p1', decisions: LINE })
    stands(live, mine(10))
    preparing.take()
    expect(live.act).toHaveBeenLastCalledWith(LINE[1])
    // Whoever was displaced answers first.
    stands(live, position({ number: 11, turn: 10, active: 'p1', legal: null }))
    preparing.take()
    expect(live.act).toHaveBeenCalledTimes(2)
    live.position = mine(12)
    preparing.take()
    expect(live.act).toHaveBeenLastCalledWith('end')
    stands(live, position({ number: 13, turn: 11 }))
    preparing.take()
    expect(preparing.stage).toBe('')
    expect(localStorage.getItem('hansa.prepared.k7')).toBeNull()
  })

  it('is offered, with the reason, where one of it is not allowed any more; what goes can be played', async () => {
    const answer = { now: said(LINE) as object }
    const { live, preparing } = await kept(answer)
    answer.now = said(LINE.slice(0, 1), { allowed: false, message: 'Your own piece stands there.' } as Why)
    live.position = mine(9)
    preparing.take()
    await vi.waitFor(() => expect(preparing.stage).toBe('offered'))
    expect(live.act).not.toHaveBeenCalled()
    render(Prepared, { preparing, names: { geometry: null, who: (s: string) => s } })
    expect(screen.getByText(/no longer possible. Your own piece stands there./)).toBeTruthy()
    expect(screen.getAllByRole('listitem').map((x) => x.classList.contains('gone'))).toEqual([false, true, true])
    await fireEvent.click(screen.getByText('Play the first one'))
    expect(live.act).toHaveBeenCalledWith(LINE[0])
    stands(live, mine(10))
    preparing.take()
    expect(live.act).toHaveBeenCalledTimes(1)
    expect(preparing.stage).toBe('')
  })

  it('is offered where it would meet somebody else', async () => {
    const answer = { now: said(LINE) as object }
    const { live, preparing } = await kept(answer)
    answer.now = said(LINE, null, 'p3')
    live.position = mine(9)
    preparing.take()
    await vi.waitFor(() => expect(preparing.stage).toBe('offered'))
    expect(preparing.changed).toBe(LINE[0])
    expect(live.act).not.toHaveBeenCalled()
  })

  it('is only offered if somebody was still at it, and goes on from what the others did', async () => {
    const { live, preparing, asked } = prepared({ now: said(LINE.slice(0, 2)) })
    await preparing.begin()
    live.position = position({ number: 5 })
    preparing.take()
    await vi.waitFor(() => expect(asked.at(-1)?.body).toEqual({ number: 5, seat: 'p1', decisions: LINE.slice(0, 2) }))
    // Displaced meanwhile: the table asks for an answer.
    live.position = position({ number: 6, legal: ['done'], phase: 'displaced' })
    preparing.take()
    expect(preparing.stage).toBe('kept')
    expect(preparing.tried).toBeNull()
    live.position = mine(9)
    preparing.take()
    await vi.waitFor(() => expect(preparing.stage).toBe('offered'))
    expect(live.act).not.toHaveBeenCalled()
  })

  it('outlives a reload, and its own turn only', async () => {
    const { live } = await kept({ now: said(LINE) })
    const again = new Preparing(live)
    expect(again.stage).toBe('kept')
    expect(again.line).toEqual(LINE)
    live.position = position({ number: 20, turn: 11 })
    again.take()
    expect(again.stage).toBe('')
    expect(new Preparing(live).stage).toBe('')
  })

  it('stops where a decision did not stand', async () => {
    const { live, preparing } = await kept({ now: said(LINE) })
    live.position = mine(9)
    preparing.take()
    await vi.waitFor(() => expect(live.act).toHaveBeenCalledTimes(1))
    // The server refused it; somebody decided something else by hand.
    live.sending = ''
    live.log = [entry('income 2 0', 10)]
    live.position = mine(10)
    preparing.take()
    expect(live.act).toHaveBeenCalledTimes(1)
    expect(preparing.stage).toBe('')
  })

  it('is not offered in one’s own turn, to watchers, or where a machine plays for one', () => {
    const { live, preparing } = prepared({ now: said([]) })
    expect(preparing.may).toBe(true)
    live.position = mine(5)
    expect(preparing.may).toBe(false)
    live.position = position({ phase: 'setup' })
    expect(preparing.may).toBe(false)
    live.position = position()
    live.table = table({ you: { seats: [], host: false, name: null } } as object)
    expect(preparing.may).toBe(false)
    live.table = table({ seats: table().seats.map((s) => ({ ...s, standin: 'greedy' })) })
    expect(preparing.may).toBe(false)
  })
})
