import { describe, expect, it } from 'vitest'
import { firsts, standings } from '../src/lib/ending'
import { boxAround, nextInDirection } from '../src/lib/geometry'
import { read } from '../src/lib/router.svelte'
import type { Score } from '../src/lib/types'

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
