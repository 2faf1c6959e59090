// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { save } from '../src/lib/settings.svelte'
import Invite from '../src/pages/Invite.svelte'
import TablePage from '../src/pages/TablePage.svelte'
import { fakeServer, table } from './fake'

/** Whoever comes while the server is away. */
class Line {
  static line: Line
  onmessage: (event: { data: string }) => void = () => {}
  onclose: (event: { code: number }) => void = () => {}
  readyState = 1
  constructor() {
    Line.line = this
  }
  send(): void {}
  close(): void {}
}

beforeEach(() => {
  save({ lang: 'en' })
  vi.stubGlobal('WebSocket', Line)
})
afterEach(() => vi.unstubAllGlobals())

it('to a table is told that nobody answers, not that it is loading', async () => {
  render(TablePage, { arg: 'k7' })
  expect(screen.getByRole('status').textContent).toBe('Loading …')
  Line.line.onclose({ code: 1006 })
  expect((await screen.findByRole('alert')).textContent).toContain('The connection is lost')
})

it('to a table whose board cannot be had may try again', async () => {
  fakeServer({ 'GET /boards': 'gone' })
  render(TablePage, { arg: 'k7' })
  const position = { revision: 1, number: 1, legal: null, over: false, undo: {}, view: { phase: 'turn' } }
  const said = { type: 'snapshot', now: 1, table: table(), position, log: [], log_from: 0, chat: [] }
  Line.line.onmessage({ data: JSON.stringify(said) })
  await screen.findByRole('heading', { name: /does not answer/ })
  const asked = fakeServer({})
  await fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(asked.map((a) => a.path)).toContain('/boards/hansa-45')
})

it('by an invitation may try again; one that does not exist is another matter', async () => {
  fakeServer({ 'GET /invites': 'gone' })
  const { unmount } = render(Invite, { arg: 'abc' })
  await screen.findByRole('heading', { name: /does not answer/ })
  fakeServer({ 'GET /invites': { game: table({ status: 'open' }), seat: 'p2' } })
  await fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('heading', { name: /Bertram/ })
  unmount()
  fakeServer({})
  render(Invite, { arg: 'abc' })
  await screen.findByRole('heading', { name: /does not exist any more/ })
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})
