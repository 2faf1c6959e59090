import { ends, threats } from '../src/lib/ends'
import { describe, expect, it } from 'vitest'
import type { Geometry, Position, Seat, TableFace, View } from '../src/lib/wire'
import { arrowOf } from '../src/lib/arrows'
import { clockText, isLow } from '../src/lib/clocks.svelte'
import { parse } from '../src/lib/decisions'
import { reasonOf, ruleName } from '../src/lib/info.svelte'
import { largestNetwork, wash } from '../src/lib/overlays'
import { around, note } from '../src/lib/seats'
import { meant, type Context } from '../src/lib/why'
import type { Names } from '../src/lib/words'

describe('overlays', () => {
  const position = {
    control: { a: 'p1', b: 'p1', c: null },
    view: {
      players: { p1: {}, p2: {} },
      cities: {
        a: { offices: ['p1:t'], extra: [] },
        b: { offices: ['p1:t', 'p2:t'], extra: ['p1:m'] },
        c: { offices: ['p1:t'], extra: [] },
      },
      routes: { 'a-b': { posts: ['p1:t', 'p1:t', null] }, 'b-c': { posts: ['p2:t', 'n:t'] } },
    },
  } as unknown as Position
  const g = { cities: { a: {}, b: {}, c: {} }, routes: { 'a-b': { cities: ['a', 'b'] } } } as unknown as Geometry
  it('the largest network counts offices', () => {
    expect(largestNetwork(position, g, 'p1').sort()).toEqual(['a', 'b'])
    const { cities, roads, counts } = wash('network', position, g)!
    expect(cities.get('b')).toEqual(['p1', 'p2'])
    expect(roads).toEqual([{ route: 'a-b', owners: ['p1'] }])
    expect(counts).toEqual([
      { owner: 'p1', n: 3 },
      { owner: 'p2', n: 1 },
    ])
  })
  it('control counts cities', () => {
    expect(wash('control', position, g)!.counts).toEqual([
      { owner: 'p1', n: 2 },
      { owner: 'p2', n: 0 },
    ])
  })
  it('close: the post that is missing, and whose', () => {
    const { posts, roads } = wash('close', position, g)!
    expect(posts).toEqual([
      { key: 'post:a-b/3', owner: 'p1' },
      { key: 'post:b-c/2', owner: 'p2' },
    ])
    expect(roads.map((r) => r.owners[0])).toEqual(['p1', 'p2'])
    expect(wash('none', position, g)).toBeNull()
  })
})

describe('clocks', () => {
  it.each([
    [3_000, '3.0'],
    [59_001, '1:00'],
    [61_000, '1:01'],
    [3_723_000, '1:02:03'],
    [183_600_000, '2 d 3 h'],
    [-5, '0.0'],
  ])('%i ms reads %s', (ms, text) => expect(clockText(ms)).toBe(text))
  it('is low in the last minute of a long bank, in the last seconds of a short one', () => {
    expect(isLow(59_000, 900)).toBe(true)
    expect(isLow(61_000, 900)).toBe(false)
    expect(isLow(15_000, 60)).toBe(false)
    expect(isLow(9_000, 60)).toBe(true)
  })
})

describe('what a click would have meant', () => {
  const geometry = {
    cities: { a: { houses: [1], badges: [{ skill: 'book' }] }, b: { houses: [1, 2], badges: [] } },
    routes: { 'a-b': { cities: ['a', 'b'] }, 'b-c': { cities: ['b', 'c'] } },
  } as unknown as Geometry
  const view = {
    routes: { 'a-b': { posts: ['p1:t', null, 'p2:m'] }, 'b-c': { posts: [null, null] } },
  } as unknown as View
  const context: Context = { view, seat: 'p1', geometry, verb: null, shape: 't', verbs: new Set(), prestigeCity: 'a' }
  it.each([
    ['post:a-b/2', 'place t a-b/2'],
    ['post:a-b/3', 'displace t a-b/3'],
    ['post:a-b/1', 'place t a-b/1'],
    ['route:a-b', 'establish a-b none'],
    ['city:b', 'establish a-b office b'],
    ['skill:book', 'establish a-b skill book'],
    ['badge:book', 'establish a-b skill book'],
    ['prestige:8', 'establish a-b prestige 8'],
    ['marker:plus3', 'use plus3'],
    ['marker:swap', 'use swap b 1'],
    ['stock:t', 'income 1 0'],
    ['province:4', 'pawn 4'],
    ['favour:action', 'favour action'],
    ['panel:link', null],
    ['marker:extra-office', null],
  ])('%s: %s', (thing, text) => expect(meant(thing, context)).toBe(text))
  it('follows the verb chosen, and the phase', () => {
    expect(meant('post:a-b/3', { ...context, verb: 'place', shape: 'm' })).toBe('place m a-b/3')
    expect(meant('post:a-b/1', { ...context, verb: 'lift' })).toBe('lift a-b/1')
    expect(meant('post:a-b/2', { ...context, verbs: new Set(['put']) })).toBe('put t a-b/2')
    expect(meant('seal:a-b', { ...context, verbs: new Set(['lay']) })).toBe('lay plus3 a-b')
  })
})

describe('reasons', () => {
  const names = {
    geometry: { cities: { a: { name: 'Aachen' }, b: { name: 'Bremen' } }, routes: { 'a-b': { cities: ['a', 'b'] } } },
    who: (s: string) => s,
  } as unknown as Names
  it('are said in our words, with our names', () => {
    expect(
      reasonOf(
        { allowed: false, message: 'x', reason: 'route', rule: 'ROUTE-1', values: { route: 'a-b', n: 2, m: 3 } },
        names,
      ),
    ).toEqual({ text: 'On Aachen–Bremen 2 of 3 posts are yours; all must be.', rule: 'ROUTE-1' })
  })
  it('several cities are a choice', () => {
    const why = {
      allowed: false,
      message: '',
      reason: 'permission',
      values: { region: 'wales', cities: 'Cardiff, London' },
    }
    expect(reasonOf(why, names).text).toBe('Wales needs a permission: the rightmost office of Cardiff or London.')
  })
  it('name the chapter of their rule', () => {
    expect(['MARKER-PUT-1', 'RULING-5'].map(ruleName)).toEqual(['Markers · MARKER-PUT-1', 'Rule RULING-5'])
  })
  it('an unknown one is told in the words of the server', () => {
    expect(reasonOf({ allowed: false, message: 'Because.', reason: 'new' }, names)).toEqual({
      text: 'Because.',
      rule: '',
    })
  })
})

describe('arrows', () => {
  const view = { pawn: 3 } as unknown as View
  it.each([
    ['place t a-b/2', { from: null, to: 'post:a-b/2' }],
    ['establish a-b office b', { from: 'route:a-b', to: 'city:b' }],
    ['establish a-b prestige 8', { from: 'route:a-b', to: 'prestige:8' }],
    ['walk 4', { from: 'province:3', to: 'province:4' }],
    ['establish a-b none', { from: null, to: 'route:a-b' }],
    ['end', null],
  ])('%s', (text, arrow) => expect(arrowOf(parse(text), view)).toEqual(arrow))
})

describe('people', () => {
  const seat = (s: string, more = {}) => ({
    seat: s,
    kind: 'human',
    name: s.toUpperCase(),
    conceded: false,
    standin: null,
    ...more,
  })
  const table = {
    seats: [seat('p1'), seat('p2', { kind: 'bot' }), seat('p3', { standin: 'greedy' })],
  } as unknown as TableFace
  const view = {
    active: 'p1',
    player: 'p1',
    over: false,
    players: { p1: { points: 3 }, p2: { points: 1 }, p3: { points: 0 } },
  } as unknown as View
  it('sit clockwise from the next one', () => {
    expect(around(table, 'p2')).toEqual(['p3', 'p1'])
    expect(around(table, null)).toEqual(['p1', 'p2', 'p3'])
  })
  it('have one word each', () => {
    const now = { view, over: false }
    expect(note(table, now, 'p1')).toBe('leads')
    expect(note(table, now, 'p2')).toBe('next')
    expect(note(table, now, 'p3')).toBe('a machine plays')
  })
  it('nobody leads when the game is over', () => {
    const done = { ...table, status: 'over', result: { winners: ['p2'] } } as unknown as TableFace
    expect(['p1', 'p2', 'p3'].map((s) => note(done, { view, over: true }, s as Seat))).toEqual(['', 'won', ''])
  })
  it('what was true in the past stays true', () => {
    expect(
      note(
        { ...table, status: 'over', result: { winners: ['p2'] } } as unknown as TableFace,
        { view, over: false },
        'p1',
      ),
    ).toBe('leads')
  })
})

describe('the ends of the game', () => {
  const names = { geometry: null, who: (s: string) => (s === 'p1' ? 'You' : 'Bertram') } as Names
  const at = (points: number, completed: number, left: number) =>
    ends(
      {
        view: { players: { p1: { points: 1 }, p2: { points } }, supply: Array(left).fill('?') },
        completed,
      } as unknown as Position,
      10,
    )
  it('are counted from what everybody sees', () => {
    expect(at(7, 3, 5)).toEqual({ points: 7, leader: 'p2', completed: 3, cities: 10, markers: 5 })
  })
  it('warn in words when one is near, and only then', () => {
    expect(threats(at(15, 7, 1), names)).toEqual({ points: false, cities: false, markers: false, text: '' })
    expect(threats(at(19, 7, 1), names).text).toBe('Bertram: 1 more point ends the game.')
    expect(threats(at(3, 8, 1), names).text).toBe('2 more complete cities end the game.')
    expect(threats(at(3, 2, 0), names).text).toContain('No marker is left to draw')
  })
})
