// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Live } from '../src/lib/live.svelte'
import { called } from '../src/lib/calls.svelte'
import { mine } from '../src/lib/mine.svelte'
import { save } from '../src/lib/settings.svelte'
import NewGame from '../src/pages/NewGame.svelte'
import YourTables from '../src/pages/YourTables.svelte'
import CallAfter from '../src/table/CallAfter.svelte'
import CallMe from '../src/ui/CallMe.svelte'
import HookForm from '../src/ui/HookForm.svelte'
import { BOTS, fakeServer, SETUPS, table } from './fake'

const PERSON = { id: 'a', name: 'Alheyd', account: null, guest: true }
const NOTHING = { mail: false, push: null, webhooks: [] }
const MAIL = { mail: true, push: null, webhooks: [] }
const KEY = 'BGn0Uw'
const me = (ways: object): object => ({ person: PERSON, ways })
const calls = (more: object = {}): object => ({ mail: null, asked: null, devices: [], ...more })

beforeEach(() => {
  localStorage.clear()
  save({ name: 'Alheyd', lang: 'en', uncalled: false })
  called.ways = called.calls = null
  called.here = called.account = false
})
afterEach(() => vi.unstubAllGlobals())

describe('being told when it is my turn', () => {
  it('offers nothing that the host has not set up', async () => {
    fakeServer({ 'GET /me/calls': calls(), 'GET /me': me(NOTHING) })
    render(CallMe)
    await screen.findByText('The host of this server has not set this up.')
    expect(screen.queryByRole('button')).toBeNull()
  })
  it('asks for an e-mail address, and says that a letter must be answered', async () => {
    const asked = fakeServer({
      'GET /me/calls': calls(),
      'GET /me': me(MAIL),
      'PUT /me/calls/mail': calls({ asked: 'a@b.example' }),
    })
    render(CallMe)
    await fireEvent.input(await screen.findByLabelText('By e-mail'), { target: { value: 'a@b.example' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Send the e-mail' }))
    await screen.findByText(/An e-mail is on its way to a@b.example/)
    expect(asked.find((a) => a.method === 'PUT')!.body).toEqual({ address: 'a@b.example', lang: 'en' })
  })
  it('asks whoever has an account for its password: letters lead to a new one', async () => {
    const account = { ...PERSON, account: 'alheyd', guest: false }
    const asked = fakeServer({
      'GET /me/calls': calls(),
      'GET /me': { person: account, ways: MAIL },
      'PUT /me/calls/mail': calls({ asked: 'a@b.example' }),
    })
    render(CallMe)
    await fireEvent.input(await screen.findByLabelText('By e-mail'), { target: { value: 'a@b.example' } })
    const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send the e-mail' })
    expect(send.disabled).toBe(true)
    await fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'long enough' } })
    await fireEvent.click(send)
    await screen.findByText(/An e-mail is on its way to a@b.example/)
    expect(asked.find((a) => a.method === 'PUT')!.body).toEqual({
      address: 'a@b.example',
      lang: 'en',
      password: 'long enough',
    })
  })
  it('still says so to whoever comes back before answering it', async () => {
    fakeServer({ 'GET /me/calls': calls({ asked: 'a@b.example' }), 'GET /me': me(MAIL) })
    render(CallMe)
    await screen.findByText(/An e-mail is on its way to a@b.example/)
  })
  it('tries an address in use, says what came of it, and ends it', async () => {
    fakeServer({
      'GET /me/calls': calls({ mail: 'a@b.example' }),
      'GET /me': me(MAIL),
      'POST /me/calls/test': { outcome: 'later' },
      'DELETE /me/calls/mail': calls(),
    })
    render(CallMe)
    await fireEvent.click(await screen.findByRole('button', { name: 'Send me a test' }))
    await screen.findByText(/could not be sent just now/)
    await fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
    await screen.findByText('Stopped.')
    expect(screen.getByLabelText('By e-mail')).toBeTruthy()
  })
  it('subscribes this browser with the key of the server', async () => {
    const subscribe = vi.fn(() =>
      Promise.resolve({
        endpoint: 'https://push.example/1',
        getKey: (name: string) => new TextEncoder().encode(name === 'auth' ? '??>>' : 'key').buffer,
      }),
    )
    const worker = { pushManager: { subscribe, getSubscription: () => Promise.resolve(null) } }
    vi.stubGlobal('PushManager', class {})
    vi.stubGlobal('navigator', {
      ...navigator,
      serviceWorker: { ready: Promise.resolve(worker), getRegistration: () => Promise.resolve(worker) },
    })
    const asked = fakeServer({
      'GET /me/calls': calls(),
      'GET /me': me({ ...NOTHING, push: KEY }),
      'POST /me/calls/devices': calls({ devices: [{ id: 'd1', created: 1 }] }),
    })
    render(CallMe)
    await fireEvent.click(await screen.findByRole('button', { name: 'Show messages here' }))
    await screen.findByText(/From now on this browser tells you/)
    expect(subscribe).toHaveBeenCalledWith({
      userVisibleOnly: true,
      applicationServerKey: new Uint8Array([4, 105, 244, 83]),
    })
    expect(asked.find((a) => a.method === 'POST')!.body).toEqual({
      endpoint: 'https://push.example/1',
      p256dh: 'a2V5',
      auth: 'Pz8-Pg',
      lang: 'en',
    })
  })
})

describe('where it is offered', () => {
  it('with a clock of days, and not with one of minutes', async () => {
    fakeServer({ 'GET /setups': SETUPS, 'GET /bots': BOTS, 'GET /me/calls': calls(), 'GET /me': me(MAIL) })
    render(NewGame)
    await fireEvent.change(screen.getByLabelText('Time to think'), { target: { value: 'quick' } })
    expect(screen.queryByLabelText('By e-mail')).toBeNull()
    await fireEvent.change(screen.getByLabelText('Time to think'), { target: { value: 'week' } })
    expect(await screen.findByLabelText('By e-mail')).toBeTruthy()
  })
  const seats = table().seats.map((s, i) => ({ ...s, kind: 'human' as const, present: i === 0 }))
  const shown = (more: object = {}): Live =>
    ({
      table: table({ seats, you: { seats: ['p1'], host: true, name: 'Alheyd' }, ...more } as never),
      position: { player: 'p2' },
      log: [{ text: 'end', player: 'p1' }],
    }) as unknown as Live
  it('at the end of a turn, while somebody else is away; once refused, never again', async () => {
    fakeServer({ 'GET /me/calls': calls(), 'GET /me': me(MAIL) })
    render(CallAfter, { live: shown() })
    await screen.findByText(/Your turn is over/)
    await fireEvent.click(screen.getByRole('button', { name: 'No, thanks' }))
    await waitFor(() => expect(screen.queryByText(/Your turn is over/)).toBeNull())
    render(CallAfter, { live: shown() })
    expect(screen.queryByText(/Your turn is over/)).toBeNull()
  })
  it('not while everybody is there, and not with a quick clock', () => {
    called.ways = MAIL as never
    called.calls = calls() as never
    const here = seats.map((s) => ({ ...s, present: true }))
    render(CallAfter, { live: shown({ seats: here }) })
    render(CallAfter, { live: shown({ clock: { bank: 600, increment: 10, consequence: 'bot' } }) })
    expect(screen.queryByText(/Your turn is over/)).toBeNull()
  })
})

describe('the webhook of a table', () => {
  it('is set by service and address, and never shown again', async () => {
    const asked = fakeServer({ 'PUT /games/k7/hook': table({ hook: 'slack' }), 'DELETE /games/k7/hook': table() })
    const { rerender } = render(HookForm, { table: table(), services: ['discord', 'slack'] })
    await fireEvent.change(screen.getByLabelText('Service'), { target: { value: 'slack' } })
    const address = screen.getByLabelText('Address of the webhook')
    await fireEvent.input(address, { target: { value: ' https://hooks.slack.com/services/x ' } })
    await fireEvent.submit(address.closest('form')!)
    await waitFor(() =>
      expect(asked[0]?.body).toEqual({ service: 'slack', address: 'https://hooks.slack.com/services/x', lang: 'en' }),
    )
    await rerender({ table: table({ hook: 'slack' }) })
    expect(screen.getByText('Slack is told what happens here.')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(asked[1]?.method).toBe('DELETE'))
  })
})

describe('my tables', () => {
  it('show the time left and can be put away and back', async () => {
    const seats = table().seats.map((s) => ({ ...s, remaining: 2 * 86_400_000 }))
    const waits = table({ your_turn: true, player: 'p1', ticking: 'p1', clock_at: Date.now(), seats } as never)
    mine.tables = [table({ id: 'k8', name: 'Later' }), waits]
    mine.loaded = mine.known = true
    const asked = fakeServer({
      'PUT /games/k7/archived': { archived: true },
      'GET /me': me(NOTHING),
      'GET /games?mine=true&archived': { games: [waits], next: null },
      'GET /games?mine': { games: [], next: null },
    })
    render(YourTables)
    expect(screen.getAllByRole('link')[0]!.textContent).toContain('Your turn')
    expect(screen.getByText('2 d 0 h left')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Put away: Alheyd, Bertram, Katrijn' }))
    await screen.findByText('No tables yet. Your games will appear here.')
    expect(asked.find((a) => a.method === 'PUT')!.body).toEqual({ archived: true })
    await fireEvent.click(screen.getByRole('button', { name: 'Archive' }))
    await fireEvent.click(await screen.findByRole('button', { name: 'Put back: Alheyd, Bertram, Katrijn' }))
    await waitFor(() => expect(asked.findLast((a) => a.method === 'PUT')!.body).toEqual({ archived: false }))
    mine.tables = []
  })
})
