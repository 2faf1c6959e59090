// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Weighed } from '../src/lib/wire'
import { fork } from '../src/lib/fork'
import { save } from '../src/lib/settings.svelte'
import InfoCard from '../src/table/InfoCard.svelte'
import Opinions from '../src/table/Opinions.svelte'
import Verbs from '../src/table/Verbs.svelte'
import { fakeServer } from './fake'
import { position, press, seated } from './seated'

beforeEach(() => save({ lang: 'en', confirm: false }))

describe('looking back', () => {
  const over = { over: true, legal: null, number: 9 }
  it('the arrows to the sides step through a game that is over', () => {
    fakeServer({ 'GET /games/k7/position': position({ number: 8 }) })
    const { session } = seated(over)
    const seen: (number | null)[] = []
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight']) {
      press(session, key)
      seen.push(session.history.at)
    }
    expect(seen).toEqual([null, 8, 7, 8, null])
    expect(location.hash).toBe('')
  })
  it('but leave a game alone in which something is to be chosen', () => {
    const { session } = seated()
    press(session, 'ArrowLeft')
    expect(session.history.at).toBeNull()
  })
  it('a fork starts where one looks; at the end before the last decision', async () => {
    const asked = fakeServer({ 'POST /games/k7/fork': { id: 'new' }, 'GET ': position() })
    const { session } = seated(over)
    await fork(session.history)
    void session.history.seek(5)
    expect(location.hash).toBe('#5')
    await fork(session.history)
    const wishes = asked
      .filter((a) => a.method === 'POST')
      .map((a) => a.body as { number: number; seats: { kind: string }[] })
    expect(wishes.map((w) => w.number)).toEqual([8, 5])
    expect(wishes.map((w) => w.seats.map((s) => s.kind).join(' '))).toEqual(['me bot bot', 'me bot bot'])
  })
})

describe('a task of its own', () => {
  it('stands above the board, where a phone keeps its panel out of sight', () => {
    const { session } = seated()
    expect(session.title).toBe('Your turn')
    session.extra = { title: 'Puzzle', body: (() => {}) as never, task: 'Find your best turn' }
    expect(session.title).toBe('Find your best turn')
  })
})

describe('the verbs', () => {
  it('what is not possible says why instead', async () => {
    const { session } = seated()
    render(Verbs, { session })
    expect(screen.getByRole('button', { name: /Displace/ }).getAttribute('aria-disabled')).toBe('true')
    await fireEvent.click(screen.getByRole('button', { name: /Displace/ }))
    expect(session.text).toContain('at least two pieces')
    await fireEvent.click(screen.getByRole('button', { name: /^Place/ }))
    expect(session.text).toBe('Choose a post for your trader.')
  })
})

describe('words about a thing', () => {
  it('a click on what does not glow tells what it is, why not, and the rule', async () => {
    const asked = fakeServer({
      'GET /games/k7/why': { allowed: false, message: 'x', reason: 'fee', rule: 'DISPLACE-5', values: { n: 3, m: 2 } },
    })
    const { session } = seated()
    render(InfoCard, { info: session.info })
    await session.info.explain('post:a-b/1', null)
    expect(decodeURIComponent(asked[0]!.path)).toContain('decision=displace t a-b/1')
    expect(await screen.findByText('Displacing this piece takes 3 pieces from your supply; you have 2.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Displace · DISPLACE-5' }).getAttribute('href')).toBe('/#/rules/DISPLACE-5')
    await fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect([screen.queryByRole('dialog'), session.text]).toEqual([null, 'Choose an action.'])
  })
})

describe('an opinion', () => {
  it('is a list of bars, the best first, with arrows on the board', () => {
    const { session } = seated()
    const shares = { p1: 0.5, p2: 0.3, p3: 0.2 }
    session.advice.found = {
      turn: [],
      number: 4,
      player: 'p1',
      bot: 'search',
      decision: 'place t a-b/2',
      options: [
        { decision: 'income 1 0', value: 0.7, visits: 1, shares },
        { decision: 'place t a-b/2', value: 0.5, visits: 9, shares },
      ],
      scores: {},
    }
    render(Opinions, { advice: session.advice, names: session.names })
    expect(screen.getAllByRole('button').map((b) => b.textContent?.replace(/\s+/g, ' ').trim())).toEqual([
      '1 Place a trader on Aachen–Bremen chance to win 50 % 90 %',
      '2 Take 1 trader 10 %',
    ])
    expect(screen.getByText(/how much of its thinking/)).toBeTruthy()
    expect(session.advice.arrows).toEqual([{ from: null, to: 'post:a-b/2', rank: 1, weight: 1 }])
    expect(session.advice.chances.map((c) => c.share)).toEqual([0.5, 0.3, 0.2])
  })
  it('is sorted, drawn and read by one measure', () => {
    const { session } = seated()
    const option = (decision: string, value: number, visits = 0): Weighed => ({
      decision,
      value,
      visits,
      shares: { p1: value },
    })
    const given = (...options: Weighed[]): void => {
      session.advice.found = {
        number: 4,
        player: 'p1',
        bot: '',
        decision: options[0]!.decision,
        options,
        scores: {},
        turn: [],
      }
    }
    given(option('income 1 0', 0.16, 60), option('end', 0.2, 40))
    expect(session.advice.opinions.map((o) => [o.percent, o.chance])).toEqual([
      [60, 16],
      [40, 20],
    ])
    expect(session.advice.measure).toBe('thought')
    given(option('end', 1), option('income 1 0', 3))
    expect(session.advice.opinions.map((o) => [o.decision.text, o.share, o.percent])).toEqual([
      ['income 1 0', 1, null],
      ['end', 0, null],
    ])
    expect(session.advice.measure).toBe('value')
    given(option('end', 1))
    expect(session.advice.measure).toBeNull()
  })
})
