// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import ReviewSection from '../src/table/ReviewSection.svelte'
import { arrowsOf, Reviewing } from '../src/lib/reviewing.svelte'
import { save } from '../src/lib/settings.svelte'
import { ofGame, Tried } from '../src/lib/tried.svelte'
import type { JudgedTurn, Line, ReviewState, View } from '../src/lib/wire'
import { fakeServer, table } from './fake'

beforeEach(() => save({ lang: 'en' }))
afterEach(() => vi.unstubAllGlobals())

const turn = (number: number, player: 'p1' | 'p2', lost: number): JudgedTurn => ({
  number,
  turn: 1 + number / 2,
  player,
  shares: { p1: 0.6, p2: 0.4 },
  lost,
  mark: lost > 0.15 ? 'mistake' : lost ? 'slip' : '',
  better: lost
    ? [`${player}> place t a-b/1`, 'p3> put t a-b/2', `${player}> establish a-b office a`, `${player}> end`]
    : [],
})
const done: ReviewState = {
  state: 'done',
  done: 4,
  total: 4,
  review: { bot: 'champion', turns: [turn(0, 'p1', 0), turn(2, 'p2', 0.2), turn(4, 'p1', 0.08), turn(6, 'p2', 0)] },
}

describe('a review', () => {
  it('finds the turn of every decision and the faults forth and back', async () => {
    fakeServer({ 'GET /games/k7/review': done })
    const reviewing = new Reviewing('k7')
    await reviewing.load()
    expect([0, 1, 2, 5, 6, 9].map((n) => reviewing.at(n)?.number)).toEqual([0, 0, 2, 4, 6, 6])
    expect([-1, 0, 2, 4].map((n) => reviewing.next(n, 1)?.number)).toEqual([2, 2, 4, undefined])
    expect([6, 4, 2].map((n) => reviewing.next(n, -1)?.number)).toEqual([4, 2, undefined])
    expect([...reviewing.marks.keys()]).toEqual([2, 3])
    expect(reviewing.chart.points[1]).toEqual({ number: 2, turn: 2, scores: { p1: 60, p2: 40 } })
  })

  it('shows what its player does as numbered arrows, without what others answer', () => {
    const arrows = arrowsOf(turn(2, 'p2', 0.2), { pawn: null } as View)
    expect(arrows.map(({ rank, from, to }) => [rank, from, to])).toEqual([
      [1, null, 'post:a-b/1'],
      [2, 'route:a-b', 'city:a'],
    ])
  })

  it('is followed until it is there, and not after one has left', async () => {
    vi.useFakeTimers()
    const answers: Record<string, unknown> = {
      'POST /games/k7/review': { state: 'working', done: 0, total: 4, review: null },
      'GET /games/k7/review': { state: 'working', done: 2, total: 4, review: null },
    }
    const asked = fakeServer(answers)
    const reviewing = new Reviewing('k7')
    await reviewing.begin()
    await vi.advanceTimersByTimeAsync(1000)
    expect(reviewing.share).toBe(0.5)
    answers['GET /games/k7/review'] = done
    await vi.advanceTimersByTimeAsync(1000)
    expect(reviewing.faults).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(5000)
    expect(asked.map((a) => a.method)).toEqual(['POST', 'GET', 'GET'])
    answers['GET /games/k7/review'] = { ...done, state: 'working' }
    await reviewing.load()
    reviewing.leave()
    await vi.advanceTimersByTimeAsync(5000)
    expect(asked).toHaveLength(4)
    vi.useRealTimers()
  })
})

describe('under the result', () => {
  const shown = async (state: ReviewState, mine: string[] = ['p1']) => {
    const asked = fakeServer({ 'GET /games/k7/review': state, 'POST /games/k7/review': state })
    const reviewing = new Reviewing('k7')
    await reviewing.load()
    const onlook = vi.fn()
    render(ReviewSection, { reviewing, seats: ['p1', 'p2'], mine, who: (s: string) => s, onlook })
    reviewing.leave()
    return { asked, onlook }
  }

  it('one asks for it', async () => {
    const { asked } = await shown({ state: 'none', done: 0, total: 0, review: null })
    await fireEvent.click(screen.getByRole('button', { name: 'Review the game' }))
    expect(asked.at(-1)?.method).toBe('POST')
  })
  it('one sees how far it is', async () => {
    await shown({ state: 'working', done: 3, total: 9, review: null })
    expect(screen.getByText('Turn 3 of 9 …')).toBeTruthy()
    expect(screen.getByRole('progressbar')).toHaveProperty('value', 1 / 3)
  })
  it('one sees everybody’s chance, one’s own faults first, and looks at them', async () => {
    const { onlook } = await shown(done)
    expect(screen.getByRole('img', { name: 'Chance to win, turn by turn: p1 60 %, p2 40 %' })).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: /Turn 3, p1:/ }))
    expect(onlook).toHaveBeenCalledWith(4)
    expect(screen.queryByRole('button', { name: /Turn 2, p2:/ })).toBeNull()
    await fireEvent.click(screen.getByRole('checkbox'))
    expect(screen.getByRole('button', { name: /Turn 2, p2:.*A mistake: 20 percentage points/s })).toBeTruthy()
  })
  it('who only looks on sees everybody’s', async () => {
    await shown(done, [])
    expect(screen.getAllByRole('button', { name: /Turn/ })).toHaveLength(2)
  })
})

describe('a line that is tried', () => {
  const line = (...texts: string[]): Line =>
    ({
      position: { number: 10 + texts.length, revision: 10 + texts.length, legal: ['end'], over: false },
      entries: texts.map((text, i) => ({
        number: 11 + i,
        revision: 11 + i,
        kind: 'decision',
        text,
        player: 'p1',
        events: [],
      })),
    }) as unknown as Line

  it('goes on, back, and is looked back at without the server keeping anything', async () => {
    const answers: Record<string, unknown> = { 'POST /games/k7/line': line() }
    const asked = fakeServer(answers)
    const live = new Tried(ofGame(table({ status: 'over' }), 10))
    expect(live.table!.you.seats).toEqual(['p1', 'p2', 'p3'])
    expect(live.table!.seats.every((s) => s.yours && s.kind === 'human')).toBe(true)
    await live.go([])
    answers['POST /games/k7/line'] = line('income 3 0')
    live.act('income 3 0')
    await vi.waitFor(() => expect(live.sending).toBe(''))
    expect(live.fresh.map((e) => e.text)).toEqual(['income 3 0'])
    const { revision } = live.position!
    await live.past(10)
    expect(asked.at(-1)?.body).toEqual({ number: 10, decisions: [] })
    answers['POST /games/k7/line'] = line()
    live.undo(10)
    await vi.waitFor(() => expect(live.line).toEqual([]))
    expect(live.position!.revision).toBeGreaterThan(revision)
    expect(asked.every((a) => a.method === 'POST')).toBe(true)
  })

  it('that cannot be played says why and leaves everything as it was', async () => {
    fakeServer({})
    const live = new Tried(ofGame(table({ status: 'over' }), 10))
    expect(await live.go(['fly'])).toBeNull()
    expect(live.error).not.toBe('')
    expect(live.line).toEqual([])
  })
})
