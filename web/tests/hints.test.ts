// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { Advice } from '../src/lib/advice.svelte'
import { levelOf, nextRung } from '../src/lib/ladder'
import { arrowsOf, reasons, steps } from '../src/lib/plan'
import { save } from '../src/lib/settings.svelte'
import type { BotFace, LogEntry, View } from '../src/lib/wire'
import type { Names } from '../src/lib/words'
import { table } from './fake'

const names = {
  geometry: {
    cities: { a: { name: 'Aachen' }, b: { name: 'Bremen' } },
    routes: { 'a-b': { cities: ['a', 'b'] } },
    provinces: [],
  },
  who: (seat: string) => seat,
} as unknown as Names
const view = (posts: (string | null)[], marker: string | null = null): View =>
  ({ player: 'p1', routes: { 'a-b': { posts, marker } } }) as unknown as View

beforeEach(() => save({ lang: 'en' }))

describe('the turn of a machine', () => {
  const plan = ['p1> place t a-b/1', 'p1> displace t a-b/2', 'p2> put t a-b/3', 'p1> end']
  it('is told by its own decisions, with an arrow each', () => {
    expect(steps(plan, 'p1').map((d) => d.text)).toEqual(['place t a-b/1', 'displace t a-b/2'])
    expect(arrowsOf(plan, 'p1', view([])).map((a) => [a.rank, a.to])).toEqual([
      [1, 'post:a-b/1'],
      [2, 'post:a-b/2'],
    ])
  })
  it('says what it is for', () => {
    expect(reasons(plan, 'p1', view([null, 'p2:t', null]), names)).toEqual(['then 1 post is missing'])
    expect(reasons(plan, 'p1', view([null, 'p2:t', 'p1:t']), names)).toEqual(['that fills the route'])
    expect(reasons(['p1> income 1 0', ...plan], 'p1', view([null, 'p2:t', 'p1:t']), names)).toEqual([
      'that fills Aachen–Bremen',
    ])
    expect(reasons(['p1> establish a-b skill book'], 'p1', view([], 'swap'), names)[0]).toBe('to develop Book')
    expect(reasons(['p1> establish a-b office a'], 'p1', view([]), names)).toEqual(['for an office in Aachen'])
    // What the decision itself says is not said twice.
    expect(reasons(['p1> establish a-b office a'], 'p1', view([], 'swap'), names, true)).toEqual([
      'for the marker “Swap offices”',
    ])
    expect(reasons(['p1> income 2 0', 'p1> end'], 'p1', view([]), names)).toEqual(['the supply is running low'])
    expect(reasons(['p1> end'], 'p1', view([]), names)).toEqual([])
  })
  it('stays as long as it is followed', () => {
    const advice = new Advice({ log: [] } as never, { shown: { view: view([]) }, decision: 0 } as never)
    const decided = (text: string): LogEntry => ({ kind: 'decision', player: 'p1', text }) as LogEntry
    advice.plan = plan
    advice.whole = true
    advice.follow([decided('place t a-b/1')])
    expect(advice.plan).toEqual(plan.slice(1))
    expect(advice.arrows.map((a) => a.to)).toEqual(['post:a-b/2'])
    advice.follow([decided('income 1 0')])
    expect(advice.plan).toEqual([])
    // What one decision is worth says nothing about the next one.
    advice.plan = plan
    advice.whole = false
    advice.follow([decided('place t a-b/1')])
    expect([advice.plan, advice.arrows]).toEqual([[], []])
  })
})

describe('the ladder', () => {
  const bots = [2, 3, 4].map((level) => ({ level, spec: `bot${level}`, name: '', title: '', text: '' }) as BotFace)
  const at = (bot: string): ReturnType<typeof table> => {
    const one = table()
    return { ...one, seats: one.seats.map((s) => ({ ...s, bot: s.kind === 'bot' ? bot : null })) }
  }
  const scores = (...totals: number[]): never =>
    Object.fromEntries(totals.map((total, i) => [`p${i + 1}`, { total }])) as never
  it('goes up for whoever wins and down for whoever comes in last', () => {
    expect(levelOf(at('bot3'), bots)).toBe(3)
    expect(nextRung(at('bot3'), bots, scores(30, 20, 10), ['p1'])).toMatchObject({ way: 'up', bot: { level: 4 } })
    expect(nextRung(at('bot3'), bots, scores(5, 20, 10), ['p2'])).toMatchObject({ way: 'down', bot: { level: 2 } })
    expect(nextRung(at('bot3'), bots, scores(15, 20, 10), ['p2'])).toBeNull()
  })
  it('ends at its ends, and is not for games among people', () => {
    expect(nextRung(at('bot4'), bots, scores(30, 20, 10), ['p1'])).toBeNull()
    const people = table({ seats: at('bot3').seats.map((s) => ({ ...s, kind: 'human' as const })) })
    expect(nextRung(people, bots, scores(30, 20, 10), ['p1'])).toBeNull()
  })
})
