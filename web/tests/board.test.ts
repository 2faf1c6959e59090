// @vitest-environment jsdom
/** What the board draws of what it is told. */
import { render } from '@testing-library/svelte'
import { beforeEach, describe, expect, it } from 'vitest'
import Cities from '../src/board/Cities.svelte'
import Provinces from '../src/board/Provinces.svelte'
import Targets from '../src/board/Targets.svelte'
import Things from '../src/board/Things.svelte'
import type { BoardAnswer, Geometry, LogEntry, Position, View } from '../src/lib/wire'
import { parse } from '../src/lib/decisions'
import { missionOf } from '../src/lib/seats'
import { save } from '../src/lib/settings.svelte'
import type { Target } from '../src/lib/targets'
import { tell } from '../src/lib/things'
import { label, line, plain } from '../src/lib/words'

const route = (a: string, b: string, path: string): object => ({
  cities: [a, b],
  path,
  posts: [{ id: `${a}-${b}/1`, x: 5, y: 5, ship: false }],
  marker: { x: 1, y: 1 },
  laid: [],
  middle: [1, 1],
})
const geometry = {
  scale: 1,
  cities: {
    bremen: { name: 'Bremen', rows: [{ shift: 0 }], rect: [0, 0, 1, 1], badges: [] },
    minden: { name: 'Minden', rows: [{ shift: 0 }], rect: [0, 0, 1, 1], badges: [] },
  },
  routes: {
    'bremen-minden': route('bremen', 'minden', 'M1 1L2 2'),
    'bremen-hamburg': route('bremen', 'hamburg', 'M3 3L4 4'),
  },
  provinces: [
    { id: 6, name: 'Middle Weser', x: 20, y: 20, routes: ['bremen-minden'] },
    { id: 4, name: 'Lüneburg Heath', x: 60, y: 20, routes: ['bremen-hamburg'] },
  ],
  soldiers: [
    {
      cities: ['bremen', 'minden'],
      x: 9,
      y: 9,
      ends: [
        [1, 1],
        [2, 2],
      ],
    },
  ],
  prestige: { spaces: [] },
  link: { rect: [0, 0, 1, 1] },
  completed: { rect: [0, 0, 1, 1] },
  favours: [0, 0],
} as unknown as Geometry
const view = { game: { duel: 'pawn' }, pawn: 6, routes: {}, cities: {}, favours: [] } as unknown as View
const names = { geometry, who: (s: string) => s }

describe('what may be clicked', () => {
  const target = (more: Partial<Target>): Target => ({
    key: 'post:bremen-minden/1',
    label: 'x',
    ghost: null,
    quiet: false,
    soft: false,
    occupied: false,
    ...more,
  })
  const shown = (more: Partial<Target>) => {
    const { container } = render(Targets, {
      geometry,
      full: new Set<string>(),
      targets: [target(more)],
      decider: 'p3',
      active: null,
      picked: [],
      onpick: () => {},
      onhover: () => {},
      halo: false,
    })
    const width = (name: string): number =>
      parseFloat(container.querySelector<SVGElement>(`.${name}`)?.style.strokeWidth ?? '0')
    return { out: width('out'), in: width('in') }
  }
  it.each([{}, { soft: true }, { occupied: true }, { key: 'province:4' }])(
    'has a ring on a wider dark line: %j',
    (more) => {
      const widths = shown(more)
      expect(widths.in).toBeGreaterThan(0)
      expect(widths.out).toBeGreaterThan(widths.in)
    },
  )
  it('is not shown while it is quiet', () => {
    expect(shown({ quiet: true })).toEqual({ out: 0, in: 0 })
  })
})

describe('a mission', () => {
  const place = (y: number): object => ({
    x: 5,
    y,
    green: false,
    houses: [],
    rows: [{ shift: 0, y, houses: [], stalls: [], extra: [], plinth: [0, y, 20, 3] }],
    badges: [],
    label: { text: 'x', x: 0, y, size: 13, plate: null, rect: [0, 0, 1, 1] },
  })
  const map = { scale: 1, cities: { bremen: place(10), minden: place(20) } } as unknown as Geometry
  const marks = (mission: string[]): string[] => {
    const { container } = render(Cities, {
      geometry: map,
      view: null,
      control: {},
      origins: new Map<string, never>(),
      mission: new Set(mission),
      owner: 'p4',
    })
    return [...container.querySelectorAll('.mission.p4')].map((e) => e.getAttribute('transform')!)
  }
  it('marks its cities on the board, in the colour of the one who looks', () => {
    expect(marks(['minden'])).toEqual(['translate(18 21.5) scale(1)'])
    expect(marks([])).toEqual([])
  })
  it('is known only as far as the position tells it', () => {
    const hidden = {
      players: { p1: { mission: ['bremen'] }, p2: { mission: '?' }, p3: { mission: null } },
    } as unknown as View
    expect((['p1', 'p2', 'p3'] as const).map((seat) => missionOf(hidden, seat))).toEqual([['bremen'], [], []])
  })
  it('says what it is worth', () => {
    save({ lang: 'en' })
    const told = tell('mission:bremen', names, null, {} as BoardAnswer)!
    expect(told).toMatchObject({ title: 'Mission: Bremen', rule: 'MISSION-4' })
    expect(told.lines[0]).toMatch(/1 point .* 5 more/)
  })
})

describe('the pawn duel', () => {
  beforeEach(() => save({ lang: 'en' }))
  it('shows the roads the pawn opens and those of a province pointed at', async () => {
    const { container, rerender } = render(Provinces, { geometry, view, lit: new Set<string>(), decider: 'p2' })
    expect(container.querySelector('.open')?.getAttribute('d')).toBe('M1 1L2 2')
    expect(container.querySelector('.lit')).toBeNull()
    expect([...container.querySelectorAll('.number')].map((e) => e.textContent)).toEqual(['4'])
    await rerender({ lit: new Set(['4']) })
    expect(container.querySelector('.lit.p2')?.getAttribute('d')).toBe('M3 3L4 4')
  })
  it('soldiers, provinces and the pawn can be pointed at and say what they are', () => {
    const { container } = render(Things, { geometry, view })
    const keys = [...container.querySelectorAll('[data-thing]')]
      .map((e) => e.getAttribute('data-thing')!)
      .filter((k) => /^(soldier|province)/.test(k))
    expect(keys).toEqual(['soldier:bremen/minden', 'province:6', 'province:4'])
    const told = keys.map((k) => tell(k, names, { view } as Position, {} as BoardAnswer)!)
    expect(told[0]!.title).toBe('Soldier Bremen | Minden')
    expect(told[1]!.title).toBe('6 · Middle Weser')
    expect(told[1]!.lines[0]).toMatch(/The pawn stands here/)
    expect(told[2]!.lines[0]).not.toMatch(/The pawn stands here/)
    expect(told[2]!.lines[1]).toMatch(/1/)
  })
  it('before the first turn the pawn is placed for nothing, later it is moved for an action', () => {
    const entry = (source: number | null): LogEntry =>
      ({
        kind: 'decision',
        player: 'p2',
        text: 'pawn 6',
        events: [{ type: 'pawn-moved', source, target: 6 }],
      }) as unknown as LogEntry
    expect(label(parse('pawn 6'), { ...names, placing: true })).toBe('Place the pawn in 6 · Middle Weser')
    expect(label(parse('pawn 6'), names)).toBe('Pawn to 6 · Middle Weser (1 action)')
    expect(plain(line(entry(null), names))).toBe('p2 placed the pawn in 6 · Middle Weser')
    expect(plain(line(entry(4), names))).toBe('p2 moved the pawn to 6 · Middle Weser')
  })
})
