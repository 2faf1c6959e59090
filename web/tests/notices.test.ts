// @vitest-environment jsdom
import { render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Live } from '../src/lib/live.svelte'
import { save } from '../src/lib/settings.svelte'
import type { LogEntry } from '../src/lib/wire'
import type { Names } from '../src/lib/words'
import Notices from '../src/table/Notices.svelte'
import Room from '../src/table/Room.svelte'
import { fakeServer, table } from './fake'

const names = { geometry: {}, who: (seat: string) => seat } as unknown as Names
const entry = (kind: string, revision: number): LogEntry =>
  ({ kind, revision, number: 3, player: 'p2', text: '2', by: 'person', events: [] }) as unknown as LogEntry
const told = (): string => document.querySelector('.told')?.textContent ?? ''

let live: Live
beforeEach(() => {
  save({ lang: 'en' })
  vi.useFakeTimers()
  live = new Live('k7', false)
  live.table = table()
  render(Notices, { live, names })
})
afterEach(() => vi.useRealTimers())

async function hear(...entries: LogEntry[]): Promise<void> {
  live.fresh = entries
  await tick()
}

it('the outcome of a vote is told once, whatever changes at the table afterwards', async () => {
  await hear(entry('undo', 8))
  expect(told()).toContain('took back')
  vi.advanceTimersByTime(10_000)
  await tick()
  expect(told()).toBe('')
  live.table = table()
  await tick()
  expect(told()).toBe('')
})

it('and goes although somebody has decided meanwhile', async () => {
  await hear(entry('undo', 8))
  await hear(entry('decision', 9))
  expect(told()).not.toBe('')
  vi.advanceTimersByTime(10_000)
  await tick()
  expect(told()).toBe('')
})

it('what the server refuses is said before the game begins too', async () => {
  fakeServer({})
  live.table = table({ status: 'open' })
  render(Room, { live })
  live.error = 'You are muted for a while.'
  await tick()
  expect(screen.getAllByRole('alert').map((e) => e.textContent)).toContain('You are muted for a while.')
})
