// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lines } from '../src/lib/chronicle'
import { Following } from '../src/lib/following.svelte'
import type { History } from '../src/lib/history.svelte'
import type { News } from '../src/lib/news.svelte'
import { Retelling } from '../src/lib/retelling.svelte'
import { save } from '../src/lib/settings.svelte'
import { story } from '../src/lib/story'
import { tell } from '../src/lib/telling'
import type { BoardAnswer, GameEvent, LogEntry, Position, Update, View } from '../src/lib/wire'
import { plain, type Names } from '../src/lib/words'
import { table } from './fake'

const entry = (number: number, text: string, more: Partial<LogEntry> = {}): LogEntry => ({
  revision: number,
  number,
  kind: 'decision',
  player: 'p2',
  text,
  turn: 1,
  at: 0,
  by: 'bot',
  events: [],
  ...more,
})
const said = (number: number, text: string, more: Partial<LogEntry> = {}): Update =>
  ({ type: 'update', from: number - 1, entries: [entry(number, text, more)], position: { revision: number } }) as Update

beforeEach(() => {
  vi.useFakeTimers()
  save({ lang: 'en', machines: 'normal' })
})
afterEach(() => {
  vi.useRealTimers()
})

function following(free = () => true): { shown: number[]; follow: Following } {
  const shown: number[] = []
  return { shown, follow: new Following((u) => shown.push(u.entries[0]!.number), free) }
}

describe('what machines decide', () => {
  it('comes one after the other, at the pace chosen', () => {
    const { shown, follow } = following()
    for (const n of [1, 2, 3]) follow.hear(said(n, 'place t a-b/1'))
    expect([shown, follow.waiting, follow.newest]).toEqual([[1], 2, 3])
    vi.advanceTimersByTime(1299)
    expect(shown).toEqual([1])
    vi.advanceTimersByTime(1)
    expect(shown).toEqual([1, 2])
    vi.advanceTimersByTime(1300)
    expect([shown, follow.newest]).toEqual([[1, 2, 3], null])
  })
  it('hardly waits for what goes without saying', () => {
    const { shown, follow } = following()
    follow.hear(said(1, 'end'))
    follow.hear(said(2, 'place t a-b/1'))
    vi.advanceTimersByTime(200)
    expect(shown).toEqual([1, 2])
  })
  it('is shown at once where that is wished, or somebody must decide', () => {
    save({ machines: 'once' })
    const now = following()
    const busy = following(() => false)
    for (const { follow } of [now, busy]) for (const n of [1, 2]) follow.hear(said(n, 'place t a-b/1'))
    expect([now.shown, busy.shown]).toEqual([
      [1, 2],
      [1, 2],
    ])
  })
  it('people are never held up, and nothing comes out of order', () => {
    const { shown, follow } = following()
    for (const n of [1, 2]) follow.hear(said(n, 'place t a-b/1'))
    follow.hear(said(3, 'place t a-b/2', { by: 'person' }))
    expect(shown).toEqual([1, 2, 3])
  })
  it('stands still in a pause, and goes on step by step', () => {
    const { shown, follow } = following()
    follow.toggle()
    for (const n of [1, 2, 3]) follow.hear(said(n, 'place t a-b/1'))
    vi.advanceTimersByTime(60_000)
    expect(shown).toEqual([])
    follow.step()
    vi.advanceTimersByTime(60_000)
    expect([shown, follow.paused]).toEqual([[1], true])
    follow.toggle()
    expect(shown).toEqual([1, 2])
    follow.flush()
    expect([shown, follow.paused]).toEqual([[1, 2, 3], false])
  })
})

describe('since my last turn', () => {
  const log = [
    entry(1, 'place t a-b/1', { player: 'p1', by: 'person' }),
    entry(2, 'end', { player: 'p1', by: 'person' }),
    entry(3, 'place t a-b/2'),
    entry(4, 'end'),
  ]
  function retelling(): { at: (number | null)[]; moved: LogEntry[]; retell: Retelling } {
    const at: (number | null)[] = []
    const moved: LogEntry[] = []
    const history = {
      live: { log, table: table(), position: { number: 4 } },
      seek: (n: number | null) => {
        at.push(n)
        retell.moved(n)
        return Promise.resolve()
      },
    } as unknown as History
    const retell = new Retelling(history, { retell: (e: LogEntry) => moved.push(e) } as unknown as News)
    return { at, moved, retell }
  }
  it('shows what the others did and comes back to the game', async () => {
    const { at, moved, retell } = retelling()
    expect(retell.some).toBe(true)
    retell.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([at, retell.on]).toEqual([[2, 3, null], false])
    expect(moved.map((e) => e.number)).toEqual([2, 3])
  })
  it('stands still in a pause, and is over when one looks elsewhere', async () => {
    const { at, retell } = retelling()
    retell.start()
    retell.step()
    await vi.advanceTimersByTimeAsync(10_000)
    expect([at, retell.on]).toEqual([[2, 3], true])
    retell.moved(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect([at, retell.on]).toEqual([[2, 3], false])
  })
})

const geometry = {
  cities: {
    a: { name: 'Aachen', x: 0, y: 0 },
    b: { name: 'Bremen', x: 300, y: 0 },
    c: { name: 'Celle', x: 900, y: 0 },
  },
  provinces: [],
  routes: { 'a-b': { cities: ['a', 'b'] }, 'b-c': { cities: ['b', 'c'] } },
}
const names = {
  geometry,
  own: 'p1',
  who: (seat: string) => (seat === 'p1' ? 'You' : `Mr ${seat}`),
} as unknown as Names
const went = (piece: string, source: string, target: string): GameEvent => ({
  type: 'piece-moved',
  piece,
  source,
  target,
})

describe('words', () => {
  it('a displacing says whose piece, what it costs and what follows', () => {
    const log = [
      entry(1, 'displace t a-b/1', {
        events: [went('p1:t', 'post:a-b/1', 'hand:p1'), went('p2:t', 'supply:p2', 'post:a-b/1')],
      }),
      entry(2, 'pay t', { events: [went('p2:t', 'supply:p2', 'stock:p2')] }),
    ]
    const view = {
      pending: { stack: [{ what: 'displaced', player: 'p1', waiting: 't', added: 1 }] },
    } as unknown as View
    const { parts, more } = tell(lines(log)[0]!, names, view)
    expect(plain(parts)).toBe('Mr p2 displaced you on Aachen–Bremen with a trader')
    expect(more).toEqual(['paid 1 trader', 'you may put down 2 pieces'])
  })
  it("a piece that is moved for its owner is somebody's, or yours", () => {
    const moved = (owner: string): string => {
      const log = [
        entry(1, 'lift a-b/1', { events: [went(`${owner}:t`, 'post:a-b/1', 'hand:p2')] }),
        entry(2, 'put t b-c/1', { events: [went(`${owner}:t`, 'hand:p2', 'post:b-c/1')] }),
      ]
      return plain(tell(lines(log)[0]!, names).parts)
    }
    expect(['p1', 'p2', 'p3'].map((owner) => /move[ds] (.*?) from/.exec(moved(owner))?.[1] ?? moved(owner))).toEqual([
      'your trader',
      'a trader',
      "Mr p3's trader",
    ])
  })
  it('an action left halfway is not told', () => {
    const undo = entry(1, '1 cancelled', { revision: 2, kind: 'undo', undone: 1, cancelled: true })
    expect(lines([undo])).toEqual([])
    expect(lines([{ ...undo, cancelled: undefined }])).toHaveLength(1)
  })
  it('the story of a game says who built which network, times which keys', () => {
    const office = (owner: string): string => `${owner}:t`
    const position = {
      view: {
        cities: {
          a: { offices: [office('p2')], extra: [] },
          b: { offices: [office('p2'), office('p1')], extra: [] },
          c: { offices: [office('p2')], extra: [office('p2')] },
        },
        players: { p1: { points: 21 }, p2: { points: 9 } },
        east_west: ['p1'],
      },
    } as unknown as Position
    const board = {
      geometry,
      data: { east_west: { cities: ['a', 'c'], points: [7, 4] }, completed_cities_end: 10 },
    } as unknown as BoardAnswer
    const log = [
      entry(1, 'displace t a-b/1', { events: [went('p1:t', 'post:a-b/1', 'hand:p1')] }),
      entry(2, 'put t b-c/1', { player: 'p1', events: [went('p1:t', 'stock:p1', 'post:b-c/1')] }),
      entry(3, 'establish none b-c', { events: [{ type: 'game-ended', reason: 'prestige' }] }),
    ]
    const scores = { p1: { network: 1 }, p2: { network: 12 } } as never
    expect(story({ log, position, scores, board }, names).map((s) => s.text)).toEqual([
      'Mr p2 held the largest network: 4 offices from Aachen to Celle, times 3 keys.',
      'You linked Aachen and Celle first, for 7 points.',
      'You were displaced once and added 1 piece in return.',
      'Mr p2 established the most routes: 1.',
      'You reached 20 points on the track, and that ended the game.',
    ])
  })
})
