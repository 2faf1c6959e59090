// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { beforeEach, describe, expect, it } from 'vitest'
import NewGame from '../src/pages/NewGame.svelte'
import { save } from '../src/lib/settings.svelte'
import { clockWords, PACES, span } from '../src/lib/thinking'
import { BOTS, fakeServer, SETUPS, table, type Asked } from './fake'

const THINKER = 'bot:search:time=1'
let asked: Asked[]
beforeEach(() => {
  localStorage.clear()
  save({ name: '', lang: 'en' })
  asked = fakeServer({
    'GET /setups': SETUPS,
    'GET /bots': BOTS,
    'GET /me': { person: { account: 'alheyd' } },
    'POST /me': { person: {} },
    'POST /games': table({ id: 'new1' }),
  })
})

async function open(arg = ''): Promise<void> {
  render(NewGame, { arg })
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /Start the game|Open the table/ }).disabled).toBe(
      false,
    ),
  )
}
const created = (): {
  setup: Record<string, unknown>
  seats: { kind: string; bot?: string }[]
  clock: unknown
  start: boolean
} => asked.find((a) => a.method === 'POST' && a.path === '/games')!.body as never
const submit = async (): Promise<void> => {
  await fireEvent.submit(document.querySelector('form')!)
  await waitFor(() => expect(asked.some((a) => a.path === '/games')).toBe(true))
}
const toggle = (name: string): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('switch', { name })

describe('the form for a new game', () => {
  it('offers a sensible game at once: nothing need be chosen', async () => {
    await open()
    await submit()
    expect(created().setup).toMatchObject({
      board: 'hansa',
      players: 4,
      edition: 'bigbox',
      missions: false,
      promos: [],
      duel: null,
      seed: null,
    })
    expect(created().seats.map((s) => s.kind)).toEqual(['me', 'bot', 'bot', 'bot'])
    expect(created()).toMatchObject({ clock: null, start: true })
    expect(location.pathname).toBe('/g/new1')
  })
  it('can be rated by people with an account, one seat each', async () => {
    await open()
    await waitFor(() => expect(toggle('Rated game').disabled).toBe(false))
    await fireEvent.click(toggle('Rated game'))
    await submit()
    expect(created()).toMatchObject({ rated: true })
    await fireEvent.change(screen.getByLabelText('Who sits in seat 2'), { target: { value: THINKER } })
    expect(toggle('Rated game').disabled).toBe(true)
    expect(screen.getByText(/has no rating/)).toBeTruthy()
    await fireEvent.change(screen.getByLabelText('Who sits in seat 2'), { target: { value: 'me' } })
    expect(toggle('Rated game').disabled).toBe(true)
    expect(screen.getByText(/one seat for each person/)).toBeTruthy()
  })
  it('guests are told what a rated game needs, and cannot choose it', async () => {
    fakeServer({ 'GET /setups': SETUPS, 'GET /bots': BOTS, 'GET /me': { person: { account: null } } })
    await open()
    expect(toggle('Rated game').disabled).toBe(true)
    expect(screen.getByText('Only for people with an account: make one under Profile.')).toBeTruthy()
  })
  it('says how far machines that think ahead are prepared, where one sits down', async () => {
    fakeServer({ 'GET /setups': SETUPS, 'GET /bots': BOTS, 'GET /preparing': { share: 0.42 } })
    await open()
    expect(screen.queryByRole('status')).toBeNull()
    await fireEvent.change(screen.getByRole('combobox', { name: 'Who sits in seat 2' }), {
      target: { value: THINKER },
    })
    expect(await screen.findByText(/prepared, once for this version: 42 %/)).toBeTruthy()
    expect(document.querySelector<HTMLProgressElement>('progress')!.value).toBe(42)
  })
  it('says nothing where they are ready', async () => {
    asked = fakeServer({ 'GET /setups': SETUPS, 'GET /bots': BOTS, 'GET /preparing': { share: null } })
    await open()
    await fireEvent.change(screen.getByRole('combobox', { name: 'Who sits in seat 2' }), {
      target: { value: THINKER },
    })
    await waitFor(() => expect(asked.some((a) => a.path === '/preparing')).toBe(true))
    expect(document.querySelector('progress')).toBeNull()
  })
  it('with friends: links instead of a start', async () => {
    await open('friends')
    expect(screen.getByText(/Bertram, Katrijn, Detmar get links/)).toBeTruthy()
    await submit()
    expect(created().seats.map((s) => s.kind)).toEqual(['me', 'open', 'open', 'open'])
    expect(created().start).toBe(false)
  })
  it('what is impossible cannot be chosen and says why', async () => {
    await open()
    expect(toggle('Border fee').disabled).toBe(true)
    expect(screen.getByText('Only on the board of Britannia.')).toBeTruthy()
    await fireEvent.click(toggle('Missions'))
    await fireEvent.click(screen.getByRole('radio', { name: /Britannia/ }))
    expect(toggle('Missions').disabled).toBe(true)
    expect(toggle('Missions').getAttribute('aria-checked')).toBe('false')
    expect(toggle('Border fee').disabled).toBe(false)
    await submit()
    expect(created().setup).toMatchObject({ board: 'britannia', missions: false })
  })
  it('for two players it asks how, and the pawn needs its board', async () => {
    await open()
    await fireEvent.click(screen.getByRole('radio', { name: '2' }))
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Pawn' }).checked).toBe(true)
    await fireEvent.click(screen.getByRole('radio', { name: /Eastern League/ }))
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Pawn' }).disabled).toBe(true)
    expect(screen.getByText(/The pawn needs the board of the Hanseatic League/)).toBeTruthy()
    await submit()
    expect(created().setup).toMatchObject({ players: 2, board: 'east', duel: 'neutral' })
  })
  it('a clock is explained in one line and sent', async () => {
    await open()
    const pace = screen.getByLabelText<HTMLSelectElement>('Time to think')
    await fireEvent.change(pace, { target: { value: 'days' } })
    expect(
      screen.getByText(
        '3 days each, and 12 hours more whenever the decision passes on. When it is up, a machine takes over.',
      ),
    ).toBeTruthy()
    await fireEvent.click(screen.getByRole('radio', { name: 'Give up' }))
    await submit()
    expect(created().clock).toEqual({ bank: 3 * 86_400, increment: 12 * 3600, consequence: 'lose' })
  })
  it('own figures stay within what the server takes', async () => {
    await open()
    await fireEvent.change(screen.getByLabelText('Time to think'), { target: { value: 'own' } })
    await fireEvent.input(screen.getByLabelText('Minutes each'), { target: { value: '0' } })
    await fireEvent.input(screen.getByLabelText('Seconds more'), { target: { value: '5' } })
    await submit()
    expect(created().clock).toEqual({ bank: 60, increment: 5, consequence: 'bot' })
  })
  it('a machine is chosen by name and says how it plays', async () => {
    await open()
    const seat = screen.getByLabelText<HTMLSelectElement>('Who sits in seat 2')
    expect(within(seat.closest('li')!).getByText('Takes what looks best now and never thinks ahead.')).toBeTruthy()
    await fireEvent.change(seat, { target: { value: 'bot:search:time=1' } })
    await submit()
    expect(created().seats[1]).toMatchObject({ kind: 'bot', bot: 'search:time=1' })
  })
})

describe('time to think', () => {
  it('uses the largest unit that fits', () => {
    expect([span(20), span(90), span(1500), span(43_200), span(86_400), span(259_200)]).toEqual([
      '20 seconds',
      '90 seconds',
      '25 minutes',
      '12 hours',
      '1 day',
      '3 days',
    ])
  })
  it('says every pace in words', () => {
    for (const pace of Object.values(PACES))
      expect(clockWords({ ...pace, consequence: 'none' })).toMatch(/each, and .* more .*nothing happens/)
    expect(clockWords({ bank: 600, increment: 0, consequence: 'bot' })).toBe(
      '10 minutes each for the whole game. When it is up, a machine takes over.',
    )
    expect(clockWords(null)).toBe('Everybody may think as long as they like.')
  })
})
