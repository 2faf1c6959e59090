import { describe, expect, it } from 'vitest'
import type { Position } from '../src/lib/api'
import { firsts, standings } from '../src/lib/ending'
import { boxAround, nextInDirection, type Geometry } from '../src/lib/geometry'
import { largestNetwork, nearlyFull } from '../src/lib/overlays'
import { read } from '../src/lib/router.svelte'
import type { Score, View } from '../src/lib/types'
import { whyNot } from '../src/lib/why'

const score = (total: number, network: number): Score => ({ track: total - network, skills: 0, markers: 0, prestige: 0, cities: 0, network, missions: 0, regions: 0, total })

describe('the end', () => {
  const scores = { p1: score(40, 8), p2: score(40, 12), p3: score(31, 3) }
  it('the winner of a tie stands first', () => {
    expect(standings(scores, ['p2']).map((s) => [s.seat, s.rank])).toEqual([['p2', 1], ['p1', 2], ['p3', 3]])
    expect(standings(scores, ['p1', 'p2']).map((s) => s.rank)).toEqual([1, 1, 3])
  })
  it('counts accounts led alone', () => {
    expect(firsts(scores, 'p2')).toBe(1)
  })
})

describe('addresses', () => {
  it.each([
    ['/', '', { page: 'start', arg: '', at: '' }],
    ['/g/k7Qm2', '#57', { page: 'table', arg: 'k7Qm2', at: '57' }],
    ['/i/tok', '', { page: 'invite', arg: 'tok', at: '' }],
    ['/', '#/rules/DISPLACE-3', { page: 'rules', arg: 'DISPLACE-3', at: '' }],
  ])('%s%s', (path, hash, expected) => expect(read(path, hash)).toEqual(expected))
})

describe('arrow keys and frames', () => {
  const list = [{ x: 10, y: 0 }, { x: 5, y: 9 }, { x: -3, y: 0 }]
  it('go to the nearest thing ahead', () => {
    expect(nextInDirection({ x: 0, y: 0 }, list, 1, 0)).toEqual({ x: 10, y: 0 })
    expect(nextInDirection({ x: 0, y: 0 }, list, -1, 0)).toEqual({ x: -3, y: 0 })
    expect(nextInDirection({ x: 0, y: 0 }, list, 0, -1)).toBeNull()
  })
  it('a frame holds all places and stays on the board', () => {
    expect(boxAround(list, 5, { x: 0, y: 0, w: 20, h: 20 })).toEqual({ x: 0, y: 0, w: 15, h: 14 })
  })
})

describe('overlays', () => {
  const position = {
    view: {
      cities: { a: { offices: ['p1:t'], extra: [] }, b: { offices: ['p1:t', 'p2:t'], extra: ['p1:m'] }, c: { offices: ['p1:t'], extra: [] } },
      routes: { 'a-b': { posts: ['p1:t', 'p1:t', null] }, 'b-c': { posts: [null, null] } },
    },
  } as unknown as Position
  const g = { cities: { a: {}, b: {}, c: {} }, routes: { 'a-b': { cities: ['a', 'b'] } } } as unknown as Geometry
  it('finds the largest network by offices', () => {
    expect(largestNetwork(position, g, 'p1').sort()).toEqual(['a', 'b'])
  })
  it('marks the one post that is missing', () => {
    expect([...nearlyFull('close', position)]).toEqual(['post:a-b/3'])
    expect(nearlyFull('none', position).size).toBe(0)
  })
})

describe('why not', () => {
  const geometry = { routes: { 'a-b': { posts: [{ ship: false }, { ship: true }], region: null }, 'c-d': { posts: [{ ship: false }], region: 'wales' } }, provinces: [{ id: 1, routes: ['a-b'] }] } as unknown as Geometry
  const at = (over: object, supply = { t: 2, m: 0 }): View =>
    ({ phase: 'turn', actions_left: 2, pawn: 1, game: { duel: null }, players: { p1: { supply } }, routes: { 'a-b': { posts: ['p1:t', null], laid: [] }, 'c-d': { posts: [null], laid: [] } }, ...over }) as unknown as View
  const ask = (thing: string, view: View, verb: string | null = null): string | undefined => whyNot(thing, { view, seat: 'p1', geometry, verb })?.key
  it('explains by what the position shows', () => {
    expect(ask('post:a-b/1', at({}))).toBe('why.own')
    expect(ask('post:a-b/2', at({}))).toBe('why.ship')
    expect(ask('post:a-b/2', at({}, { t: 0, m: 0 }))).toBe('why.noSupply')
    expect(ask('route:a-b', at({}))).toBe('why.route')
    expect(ask('post:c-d/1', at({}))).toBe('why.permission')
    expect(ask('post:c-d/1', at({ game: { duel: 'pawn' } }))).toBe('why.pawn')
    expect(ask('post:c-d/1', at({ actions_left: 0 }))).toBe('verbNo.noActions')
    expect(ask('post:c-d/1', at({ phase: 'pay' }))).toBe('why.inside')
  })
  it('knows the price of a displacement', () => {
    const view = at({ routes: { 'c-d': { posts: ['p2:m'], laid: [] } } })
    expect(whyNot('post:c-d/1', { view, seat: 'p1', geometry, verb: null })).toEqual({ key: 'why.fee', rule: 'DISPLACE-5', n: 3 })
  })
  it('says nothing about what is no post and no route', () => {
    expect(ask('city:a', at({}))).toBeUndefined()
  })
})
