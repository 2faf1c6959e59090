import { describe, expect, it } from 'vitest'
import type { GameEvent, Geometry, LogEntry } from '../src/lib/wire'
import { parse } from '../src/lib/decisions'
import { departures, inHand, journeys, marked } from '../src/lib/hands'
import { consequences, label, line, plain, type Names } from '../src/lib/words'

const geometry = {
  cities: { emden: { name: 'Emden' }, groningen: { name: 'Groningen' } },
  routes: { 'groningen-emden': { cities: ['groningen', 'emden'] } },
  provinces: [{ id: 7, name: 'Heath' }],
} as unknown as Geometry
const names: Names = { geometry, who: (seat) => ({ p1: 'You', p2: 'Bertram' })[seat] ?? seat }
const entry = (text: string, events: GameEvent[] = [], player = 'p1'): LogEntry => ({
  revision: 1,
  number: 1,
  kind: 'decision',
  player: player as LogEntry['player'],
  text,
  turn: 1,
  at: 0,
  by: 'person',
  events,
})

describe('the log in words', () => {
  it.each([
    ['place t groningen-emden/2', 'You placed a trader on Groningen–Emden'],
    ['income 2 1', 'You took income: 2 traders and 1 merchant'],
    ['establish groningen-emden office emden', 'You established Groningen–Emden and founded an office in Emden'],
    ['establish groningen-emden none', 'You established Groningen–Emden'],
    ['use skill book', 'You used a marker to develop Book'],
    ['use plus4', 'You used “Four more actions”'],
    ['use exchange p2 swap', 'You exchanged a marker with Bertram'],
    ['walk 7', 'You walked the pawn to 7 · Heath'],
    ['lay swap groningen-emden', 'You laid “Swap offices” at Groningen–Emden'],
    ['take t', 'You took a trader from stock'],
    ['end', 'You ended the turn'],
  ])('%s', (text, words) => {
    expect(plain(line(entry(text), names))).toBe(words)
  })
  it('names who was displaced', () => {
    const events: GameEvent[] = [
      { type: 'piece-moved', piece: 'p2:m', source: 'post:groningen-emden/1', target: 'hand:p2' },
    ]
    expect(plain(line(entry('displace t groningen-emden/1', events), names))).toBe(
      'You displaced Bertram on Groningen–Emden with a trader',
    )
  })
  it('a button says whose piece would be displaced, and begins with a capital', () => {
    const known: Names = { ...names, holder: () => 'p2' }
    expect(label(parse('displace t groningen-emden/1'), known)).toBe(
      'Displace Bertram on Groningen–Emden with a trader',
    )
    expect(label(parse('pay t'), known)).toBe('Pay a trader')
  })
  it('what would happen is told in the present, what happened in the past', () => {
    const events: GameEvent[] = [
      { type: 'marker-taken', player: 'p1', marker: 'swap' } as GameEvent,
      { type: 'city-completed', city: 'emden' } as GameEvent,
    ]
    expect(consequences(events, names, true)).toEqual(['takes “Swap offices”', 'completes Emden'])
    expect(consequences(events, names)).toEqual(['took “Swap offices”', 'Emden is complete'])
  })
  it('places can be lit', () => {
    expect(line(entry('place t groningen-emden/2'), names).find((p) => p.text.startsWith('Gron'))?.key).toBe(
      'post:groningen-emden/2',
    )
  })
  it('an undo says how much', () => {
    expect(plain(line({ ...entry('', []), kind: 'undo', undone: 2 }, names))).toBe('You took back 2 decisions')
  })
  it('tells points once a player, and what was completed and taken', () => {
    const events: GameEvent[] = [
      { type: 'points-gained', player: 'p2', points: 1, reason: 'control', city: 'emden' },
      { type: 'points-gained', player: 'p2', points: 1, reason: 'coin', city: 'emden' },
      { type: 'city-completed', city: 'emden', completed: 3 },
      { type: 'marker-taken', player: 'p1', marker: 'plus3', route: 'groningen-emden' },
    ]
    expect(consequences(events, names)).toEqual(['Bertram +2', 'Emden is complete', 'took “Three more actions”'])
  })
})

describe('buttons', () => {
  it.each([
    ['use swap emden 1', 'Swap houses 1 and 2 in Emden'],
    ['establish groningen-emden extra emden m', 'Extra office in Emden with a merchant'],
    ['pay t', 'Pay a trader'],
    ['done', 'Finish'],
  ])('%s', (text, words) => expect(label(parse(text), names)).toBe(words))
})

describe('pieces on their way', () => {
  const lifted = entry('displace t a-b/1', [
    { type: 'piece-moved', piece: 'p2:t', source: 'post:a-b/1', target: 'hand:p2' },
    { type: 'piece-moved', piece: 'p1:t', source: 'supply:p1', target: 'post:a-b/1' },
  ])
  const put = entry(
    'put t c-d/2',
    [{ type: 'piece-moved', piece: 'p2:t', source: 'hand:p2', target: 'post:c-d/2' }],
    'p2',
  )
  it('a displaced piece waits above its post', () => {
    expect(inHand([lifted])).toEqual([{ owner: 'p2', shape: 't', at: 'post:a-b/1' }])
    expect(inHand([lifted, put])).toEqual([])
  })
  it('travels from where it was lifted', () => {
    expect([...journeys([lifted], [put])]).toEqual([['c-d/2', 'post:a-b/1']])
    expect([...marked([put])]).toEqual(['post:c-d/2'])
  })
  it('leaves the board for a city, the stock or the supply, but not for a hand or another post', () => {
    const moved = (piece: string, source: string, target: string): GameEvent => ({
      type: 'piece-moved',
      piece,
      source,
      target,
    })
    const established = entry('establish a-b office a', [
      moved('p1:m', 'post:a-b/1', 'city:a'),
      moved('p1:t', 'post:a-b/2', 'stock:p1'),
      moved('p1:t', 'track:book', 'supply:p1'),
    ])
    expect(departures([lifted, put, established])).toEqual([
      { owner: 'p1', shape: 'm', from: 'post:a-b/1', to: 'city:a' },
      { owner: 'p1', shape: 't', from: 'post:a-b/2', to: 'stock:p1' },
    ])
  })
})
