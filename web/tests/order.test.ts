// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { beforeEach, describe, expect, it } from 'vitest'
import { save } from '../src/lib/settings.svelte'
import Order from '../src/pages/Order.svelte'
import OwnData from '../src/pages/OwnData.svelte'
import Sessions from '../src/pages/Sessions.svelte'
import ReportDialog from '../src/table/ReportDialog.svelte'
import { fakeServer, table, type Asked } from './fake'

const REPORT = {
  id: 'r1',
  at: 1,
  by: 'a',
  by_name: 'Katrijn',
  about: 'b',
  about_name: 'Bertram',
  game: 'k7',
  table: 'Kontor',
  reason: 'He is rude',
}
const BERTRAM = { id: 'b', name: 'Bertram', account: null, admin: false, muted: null, banned: null, created: 1 }
let asked: Asked[]
const sent = (method: string, path: string): unknown => asked.find((a) => a.method === method && a.path === path)?.body

beforeEach(() => save({ lang: 'en' }))

describe('where one is signed in', () => {
  it('lists browsers and ends one, or all others', async () => {
    const here = { id: 's1', created: 1, agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', here: true }
    const phone = { id: 's2', created: 1, agent: 'Mozilla/5.0 (iPhone) Version/18 Safari/604', here: false }
    const other = (system: string, more = ''): unknown => ({
      ...phone,
      id: system,
      agent: `Mozilla/5.0 (${system}) Chrome/120.0 Safari/537.36${more}`,
    })
    asked = fakeServer({
      'GET /me/sessions': { sessions: [here, phone, other('Windows NT 10.0', ' Edg/120'), other('Linux; Android 14')] },
      'DELETE /me/sessions/s2': { sessions: [here] },
      'DELETE /me/sessions': { sessions: [here] },
    })
    let ended = false
    render(Sessions, { onerror: () => {}, onended: () => (ended = true) })
    await screen.findByText('Firefox, Linux')
    expect(screen.getByText('Edge, Windows')).toBeTruthy()
    expect(screen.getByText('Chrome, Android')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: /^End: Safari, iPhone/ }))
    await waitFor(() => expect(screen.queryByText('Safari, iPhone')).toBeNull())
    await fireEvent.click(screen.getByRole('button', { name: 'End all others, and tokens' }))
    await waitFor(() => expect(ended).toBe(true))
  })
})

describe('order in the house', () => {
  it('offers nothing to whom it is closed', async () => {
    asked = fakeServer({})
    render(Order)
    await screen.findByRole('alert')
    expect(screen.queryAllByRole('textbox')).toEqual([])
    expect(screen.queryByRole('heading', { level: 2 })).toBeNull()
  })
  it('leads from a report to the person and the table, and says what was done', async () => {
    asked = fakeServer({
      'GET /admin/reports': { reports: [REPORT] },
      'GET /admin/deeds': { deeds: [{ at: 1, by: 'alheyd', what: 'close', subject: 'x', detail: 'Old table' }] },
      'GET /admin/people': { people: [BERTRAM] },
      'PUT /admin/people/b/ban': { done: true },
      'PUT /admin/people/b/mute': { done: true },
      'POST /admin/reports/r1/settle': { done: true },
      'DELETE /admin/games/k7': { done: true },
    })
    render(Order)
    await screen.findByText('He is rude')
    expect(screen.getByText(/close a table · Old table/)).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Look at the person' }))
    await fireEvent.click(await screen.findByRole('button', { name: 'Ban' }))
    await screen.findByText('Done, and written down.')
    expect(sent('PUT', '/admin/people/b/ban')).toEqual({ hours: 24 })
    await fireEvent.change(screen.getByLabelText('For'), { target: { value: '' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Mute' }))
    await waitFor(() => expect(sent('PUT', '/admin/people/b/mute')).toEqual({ hours: null }))
    await fireEvent.click(screen.getByRole('button', { name: 'To the table below' }))
    expect(document.activeElement).toBe(screen.getByLabelText('Its id, from its address'))
    await fireEvent.click(screen.getByRole('button', { name: 'Close it' }))
    expect(asked.some((a) => a.method === 'DELETE')).toBe(false)
    await fireEvent.click(document.querySelector('[data-confirm]')!)
    await waitFor(() => expect(asked.some((a) => a.method === 'DELETE' && a.path === '/admin/games/k7')).toBe(true))
    await fireEvent.click(screen.getByRole('button', { name: 'Settled' }))
    await waitFor(() => expect(asked.some((a) => a.path === '/admin/reports/r1/settle')).toBe(true))
  })
  it('a name typed for one is not typed for others, and no ban lasts until a year nobody knows', async () => {
    const geseke = { ...BERTRAM, id: 'g', name: 'Geseke', banned: 9e15, muted: Date.UTC(2030, 0, 5) }
    asked = fakeServer({
      'GET /admin/reports': { reports: [] },
      'GET /admin/deeds': { deeds: [{ at: 1, by: 'command line', what: 'ban', subject: 'g', detail: 'Geseke: ∞' }] },
      'GET /admin/people': { people: [BERTRAM, geseke] },
      'PUT /admin/people/b/name': { done: true },
    })
    render(Order)
    await fireEvent.input(await screen.findByLabelText('Part of a name or account'), { target: { value: 'e' } })
    await fireEvent.submit(document.querySelector('form')!)
    await screen.findByText('banned for good')
    expect(screen.getByText(/muted until .*30/)).toBeTruthy()
    await fireEvent.input(screen.getByLabelText('New name: Bertram'), { target: { value: 'Bert' } })
    expect((screen.getByLabelText('New name: Geseke') as HTMLInputElement).value).toBe('')
    await fireEvent.submit(screen.getByLabelText('New name: Bertram').closest('form')!)
    await waitFor(() => expect(sent('PUT', '/admin/people/b/name')).toEqual({ name: 'Bert' }))
  })
  it('reports a seat, or whoever wrote a line', async () => {
    const seats = table().seats.map((s) => ({ ...s, kind: 'human' as const }))
    asked = fakeServer({ 'POST /reports': { done: true } })
    const shown = render(ReportDialog, { table: table({ seats } as never), onclose: () => {} })
    await fireEvent.change(screen.getByLabelText('About'), { target: { value: 'p2' } })
    await fireEvent.input(screen.getByLabelText('What is wrong?'), { target: { value: 'rude' } })
    await fireEvent.submit(document.querySelector('form')!)
    await screen.findByText(/The admins of this server will see it/)
    expect(asked[0]!.body).toEqual({ reason: 'rude', game: 'k7', seat: 'p2' })
    shown.unmount()
    render(ReportDialog, { table: table(), about: { person: 'x', name: 'Geseke' }, onclose: () => {} })
    await fireEvent.input(screen.getByLabelText('What is wrong?'), { target: { value: 'spam' } })
    await fireEvent.submit(document.querySelector('form')!)
    await waitFor(() => expect(asked[1]?.body).toEqual({ reason: 'spam', game: 'k7', person: 'x' }))
  })
  it('asks for the password before everything is deleted', async () => {
    asked = fakeServer({ 'POST /me/farewell': { person: null } })
    let gone = false
    const person = { id: 'a', name: 'Alheyd', account: 'alheyd', guest: false, admin: false }
    render(OwnData, { person, ongone: () => (gone = true) })
    expect(screen.getByRole('link', { name: 'Download it' }).getAttribute('href')).toBe('/api/me/data')
    await fireEvent.click(screen.getByRole('button', { name: 'Delete it all' }))
    await fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'long enough' } })
    await fireEvent.submit(document.querySelector('form')!)
    await waitFor(() => expect(gone).toBe(true))
    expect(asked[0]!.body).toEqual({ password: 'long enough' })
  })
})
