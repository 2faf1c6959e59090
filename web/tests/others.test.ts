import { describe, expect, it } from 'vitest'
import { decisive, standings, verdict } from '../src/lib/ending'
import { boxAround, nextInDirection, routeKeys } from '../src/lib/geometry'
import { read } from '../src/lib/router.svelte'
import { Framing } from '../src/lib/framing.svelte'
import type { Geometry, Score, Seat } from '../src/lib/wire'

const score = (total: number, network: number): Score => ({
  track: total - network,
  skills: 0,
  markers: 0,
  prestige: 0,
  cities: 0,
  network,
  missions: 0,
  regions: 0,
  total,
})

describe('the end', () => {
  const scores = { p1: score(40, 8), p2: score(40, 12), p3: score(31, 3) }
  it('the winner of a tie stands first', () => {
    expect(standings(scores, ['p2']).map((s) => [s.seat, s.rank])).toEqual([
      ['p2', 1],
      ['p1', 2],
      ['p3', 3],
    ])
    expect(standings(scores, ['p1', 'p2']).map((s) => s.rank)).toEqual([1, 1, 3])
  })
  it('says who won, by what, or that nobody did', () => {
    const who = (seat: string): string => ({ p1: 'You', p2: 'Bertram', p3: 'Katrijn' })[seat] ?? seat
    const said = (winners: Seat[], mine: Seat[] = ['p1']) =>
      verdict(scores, winners, [], mine, { geometry: null, who }, who)
    expect(said(['p2'])).toEqual({
      title: 'Bertram wins',
      text: '40 points, decided by the tie-break. What decided it: “Network”, 12 points to your 8.',
    })
    expect(said(['p1']).title).toBe('You win')
    expect(said(['p1', 'p2']).title).toBe('You and Bertram win together')
    expect(said([])).toEqual({ title: 'Undecided', text: '' })
  })
  it('compares nobody with those who gave up, and speaks of no lead where there is none', () => {
    const who = (seat: string): string => seat
    const said = (winners: Seat[], conceded: Seat[], of: typeof scores | object = scores): string =>
      verdict(of, winners, conceded, ['p1'], { geometry: null, who }, who).text
    expect(said(['p3'], ['p1', 'p2'])).toBe('31 points; everybody else gave up.')
    expect(said(['p3'], ['p1'])).not.toContain('p1')
    expect(said(['p2'], ['p1'])).toContain('40 points, 9 ahead of p3.')
    expect(said([], [], { p1: score(0, 0), p2: score(0, 0) })).toBe('')
    expect(said([], ['p1'], { p1: score(9, 0), p2: score(8, 0) })).toBe('p1 led with 9 points.')
  })
  it('says what decided it, to whoever lost about their own points', () => {
    expect(decisive(scores, 'p2', 'p3')).toEqual({ account: 'network', n: 12, m: 3 })
    expect(decisive(scores, 'p3', 'p3')).toBeNull()
    const who = (seat: string): string => seat
    const [own, other] = [
      verdict(scores, ['p2'], [], ['p3'], { geometry: null, who }, who),
      verdict(scores, ['p2'], [], [], { geometry: null, who }, who),
    ]
    expect(own.text).toContain('“Network”, 12 points to your 3.')
    expect(other.text).toContain("“Network”, 12 points to p1's 8.")
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
  const list = [
    { x: 10, y: 0 },
    { x: 5, y: 9 },
    { x: -3, y: 0 },
  ]
  it('go to the nearest thing ahead', () => {
    expect(nextInDirection({ x: 0, y: 0 }, list, 1, 0)).toEqual({ x: 10, y: 0 })
    expect(nextInDirection({ x: 0, y: 0 }, list, -1, 0)).toEqual({ x: -3, y: 0 })
    expect(nextInDirection({ x: 0, y: 0 }, list, 0, -1)).toBeNull()
  })
  it('a card lies where it covers nothing of its route', () => {
    const cities = { a: { x: 500, y: 380 }, b: { x: 640, y: 480 } }
    const geometry = {
      size: [1000, 760],
      view: [0, 0, 1000, 760],
      cities,
      routes: {
        'a-b': {
          cities: ['a', 'b'],
          posts: [
            { x: 560, y: 420 },
            { x: 600, y: 450 },
          ],
        },
      },
    } as unknown as Geometry
    expect(routeKeys(geometry, 'post:a-b/2')).toEqual(['post:a-b/1', 'post:a-b/2', 'city:a', 'city:b'])
    expect(routeKeys(geometry, 'city:a')).toEqual([])
    const framing = new Framing(geometry)
    framing.boardWidth = 1000
    framing.boardHeight = 760
    const at = /left: (\d+)px; top: (\d+)px/.exec(framing.beside('post:a-b/1', 300, 200))!
    const [left, top] = [Number(at[1]), Number(at[2])]
    for (const { x, y } of Object.values(cities))
      expect(x < left || x > left + 300 || y < top || y > top + 200).toBe(true)
  })
  it('on a phone what must be chosen comes into sight, and only then the board moves', () => {
    const geometry = {
      size: [1000, 760],
      view: [0, 0, 1000, 760],
      cities: { a: { x: 100, y: 100 }, b: { x: 900, y: 700 } },
      routes: {},
    } as unknown as Geometry
    const framing = new Framing(geometry)
    Object.assign(framing, {
      width: 390,
      height: 844,
      boardWidth: 390,
      boardHeight: 520,
      box: { x: 0, y: 0, w: 400, h: 533 },
    })
    const before = framing.box
    framing.seek(['city:a'])
    expect(framing.box).toEqual(before)
    framing.seek(['city:b'])
    expect(framing.inSight(['city:b'])).toBe(true)
    framing.width = 1440
    framing.box = before
    framing.seek(['city:b'])
    expect(framing.box).toEqual(before)
  })
  it('a frame holds all places and stays on the board', () => {
    expect(boxAround(list, 5, { x: 0, y: 0, w: 20, h: 20 })).toEqual({ x: 0, y: 0, w: 15, h: 14 })
  })
})
