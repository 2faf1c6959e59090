// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { has } from '../src/i18n/index.svelte'
import type { Geometry, LogEntry, Position } from '../src/lib/wire'
import { advance, aside, factsOf, hintFor, possible, STEPS, type Facts, type Sight } from '../src/lib/lesson'
import { save } from '../src/lib/settings.svelte'
import Tutor from '../src/table/Tutor.svelte'
import { fakeServer, table } from './fake'

const position = (more: object = {}): Position =>
  ({
    number: 4,
    phase: 'turn',
    over: false,
    legal: ['place t a-b/1', 'income 1 0', 'end'],
    view: { players: { p1: { supply: { t: 5, m: 1 } } } },
    ...more,
  }) as unknown as Position
const decision = (text: string, events: object[] = []): LogEntry =>
  ({ kind: 'decision', player: 'p1', text, events, number: 1, revision: 1 }) as unknown as LogEntry
const facts = (log: LogEntry[] = [], more: object = {}): Facts => factsOf(log, position(more), 'p1')
const at = (key: string): number => STEPS.findIndex((s) => s.key === key)

describe('the steps of the lesson', () => {
  it('are said in words, each with a rule', () => {
    for (const step of STEPS) expect(has(step.key) && /^[A-Z].*-\d+$/.test(step.rule), step.key).toBe(true)
  })
  it('what is to be read waits, what is done is passed over', () => {
    expect(advance(0, facts())).toBe(0)
    expect(advance(at('tut.place'), facts())).toBe(at('tut.place'))
    expect(advance(at('tut.place'), facts([decision('place t a-b/1')]))).toBe(at('tut.again'))
    expect(advance(at('tut.again'), facts([decision('place t a-b/1')], { legal: ['end'] }))).toBe(at('tut.end'))
    expect(advance(at('tut.end'), facts([decision('end')]))).toBe(at('tut.others'))
  })
  it('a full route leads on to Establish, and its gain to the next task', () => {
    expect(advance(at('tut.fill'), facts([], { legal: ['establish a-b none'] }))).toBe(at('tut.establish'))
    const founded = [decision('establish a-b office a', [{ type: 'office-founded', player: 'p1' }])]
    expect(advance(at('tut.establish'), facts(founded))).toBe(at('tut.after'))
    expect(advance(at('tut.office'), facts(founded))).toBe(at('tut.control'))
    expect(advance(at('tut.skill'), facts(founded))).toBe(at('tut.skill'))
  })
  it('only what can be done is asked for', () => {
    const displace = STEPS[at('tut.displace')]!
    expect(possible(displace, facts())).toBe(false)
    expect(possible(displace, facts([], { legal: ['displace t a-b/1'] }))).toBe(true)
    expect(possible(displace, facts([], { legal: null }))).toBe(true)
    expect(possible(STEPS[at('tut.fill')]!, facts())).toBe(true)
  })
  it('teach houses, prestige, markers, network and ends, whatever is done', () => {
    for (const key of ['tut.houses', 'tut.prestige', 'tut.marker', 'tut.network', 'tut.ending'])
      expect(STEPS[at(key)]?.done, key).toBeUndefined()
  })
  it('the last step stays', () => {
    expect(advance(STEPS.length - 1, facts())).toBe(STEPS.length - 1)
  })
  it('what is urgent comes first: displaced, no action, no pieces', () => {
    const fill = at('tut.fill')
    expect(aside(fill, facts([], { phase: 'displaced' }))?.key).toBe('tut.displaced')
    expect(aside(fill, facts([], { legal: ['end'] }))?.key).toBe('tut.noActions')
    expect(aside(fill, facts([], { view: { players: { p1: { supply: { t: 1, m: 0 } } } } }))?.key).toBe('tut.income')
    expect(aside(fill, facts([], { legal: null }))).toBeNull()
    // Nobody reads while something must be decided.
    expect(aside(at('tut.control'), facts([], { phase: 'displaced' }))?.key).toBe('tut.displaced')
    expect(aside(at('tut.control'), facts([], { phase: 'remove3' }))?.key).toBe('tut.decide')
    expect(aside(at('tut.control'), facts())).toBeNull()
  })
})

const geometry = {
  cities: { a: { name: 'A', badges: [] }, b: { name: 'B', badges: [] }, c: { name: 'C', badges: [{ skill: 'book' }] } },
  routes: {
    'a-b': { cities: ['a', 'b'], posts: [1, 2] },
    'b-c': { cities: ['b', 'c'], posts: [1, 2, 3] },
    'a-c': { cities: ['a', 'c'], posts: [1, 2, 3, 4] },
  },
  provinces: [],
} as unknown as Geometry
const names = { geometry, who: (s: string) => s }
const sight = (posts: Record<string, (string | null)[]>): Sight => ({
  geometry,
  seat: 'p1',
  view: { routes: Object.fromEntries(Object.entries(posts).map(([id, list]) => [id, { posts: list }])) } as never,
})
const EMPTY = { 'a-b': [null, null], 'b-c': [null, null, null], 'a-c': [null, null, null, null] }

describe('the hint of the lesson', () => {
  const hint = (
    key: string,
    legal: string[],
    machine: string,
    posts: Record<string, (string | null)[]> = EMPTY,
  ): string => hintFor(STEPS[at(key)]!, legal, machine, sight(posts)).text
  it("is the machine's choice where that serves the task", () => {
    expect(hint('tut.place', ['place t a-b/1', 'place t b-c/2', 'income 1 0'], 'place t b-c/2')).toBe('place t b-c/2')
  })
  it('is what fulfils the task where the machine would do something else', () => {
    const legal = ['income 1 0', 'establish b-c none', 'establish b-c office b', 'establish b-c skill book', 'end']
    expect(hint('tut.skill', legal, 'income 1 0')).toBe('establish b-c skill book')
    expect(hint('tut.office', legal, 'establish b-c skill book')).toBe('establish b-c office b')
    expect(hint('tut.end', legal, 'income 1 0')).toBe('end')
  })
  it('leads towards a skill, on from where one stands, past routes that others hold', () => {
    const legal = ['place t a-b/1', 'place t b-c/2', 'place t a-c/1']
    expect(hint('tut.skill', legal, 'place t a-b/1')).toBe('place t b-c/2')
    expect(hint('tut.skill', legal, 'place t a-b/1', { ...EMPTY, 'a-c': [null, 'p1:t', null, null] })).toBe(
      'place t a-c/1',
    )
    expect(hint('tut.skill', legal, 'place t a-b/1', { ...EMPTY, 'b-c': ['p2:t', null, null] })).toBe('place t a-c/1')
    expect(hint('tut.again', legal, 'place t a-b/1', { ...EMPTY, 'b-c': ['p1:t', null, null] })).toBe('place t b-c/2')
  })
  it('displaces whom it is cheap to displace, and takes all of an income', () => {
    expect(
      hint('tut.displace', ['displace m a-b/2', 'displace t a-b/1', 'displace t a-b/2'], 'end', {
        'a-b': ['p2:m', 'p2:t'],
      }),
    ).toBe('displace t a-b/2')
    const urgent = aside(at('tut.fill'), facts([], { view: { players: { p1: { supply: { t: 0, m: 0 } } } } }))!
    expect(hintFor(urgent, ['income 1 0', 'income 2 1', 'income 3 0'], 'end', sight(EMPTY)).text).toBe('income 2 1')
  })
  it("is the machine's choice where nothing serves", () => {
    expect(hint('tut.move', ['place t a-b/1', 'end'], 'place t a-b/1')).toBe('place t a-b/1')
  })
})

describe('the card of the lesson', () => {
  beforeEach(() => {
    save({ lang: 'en' })
    sessionStorage.clear()
  })
  const live = (more: object = {}): never =>
    ({ id: 'k7', table: table({ name: 'Tutorial' }), log: [], position: position(), ...more }) as never
  it('is read step by step and remembered over a reload', async () => {
    const { unmount } = render(Tutor, { live: live(), seat: 'p1', names })
    expect(screen.getByText(/Welcome/)).toBeTruthy()
    for (let i = 0; i < 3; i++) await fireEvent.click(screen.getByRole('button', { name: 'Next' }))
    expect(screen.getByText(/You have two actions each turn/)).toBeTruthy()
    await waitFor(() => expect(sessionStorage.getItem('hansa.lesson.k7')).toBe('3'))
    unmount()
    render(Tutor, { live: live(), seat: 'p1', names })
    expect(screen.getByText(/You have two actions each turn/)).toBeTruthy()
  })
  it('a task can be skipped, the card folded and left', async () => {
    sessionStorage.setItem('hansa.lesson.k7', String(at('tut.place')))
    render(Tutor, { live: live(), seat: 'p1', names })
    await fireEvent.click(screen.getByRole('button', { name: 'Skip' }))
    expect(screen.getByText(/second action/)).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Fold' }))
    expect(screen.queryByText(/second action/)).toBeNull()
    await fireEvent.click(screen.getByRole('button', { name: 'Leave the lesson' }))
    expect(screen.queryByText(/Step/)).toBeNull()
  })
  it('a hint names a decision and lights its place until the position changes', async () => {
    sessionStorage.setItem('hansa.lesson.k7', String(at('tut.place')))
    fakeServer({ 'POST /games/k7/analysis': { decision: 'income 1 0', options: [] } })
    const onhint = vi.fn()
    const { rerender } = render(Tutor, {
      live: live({ position: position({ view: { ...position().view, routes: { 'a-b': { posts: [null, null] } } } }) }),
      seat: 'p1',
      names,
      onhint,
    })
    await fireEvent.click(screen.getByRole('button', { name: 'Give me a hint' }))
    await screen.findByText(/Place a trader on A–B/)
    expect(onhint).toHaveBeenLastCalledWith('post:a-b/1')
    await rerender({ live: live({ position: position({ number: 5 }) }) })
    expect(screen.queryByText(/For example/)).toBeNull()
    expect(onhint).toHaveBeenLastCalledWith(null)
  })
  it('offers what lies in a drawer, and steps aside for it', async () => {
    sessionStorage.setItem('hansa.lesson.k7', String(at('tut.desk')))
    const onpanel = vi.fn()
    const { rerender, container } = render(Tutor, { live: live(), seat: 'p1', names, drawers: true, onpanel })
    await fireEvent.click(screen.getByRole('button', { name: 'Show me' }))
    expect(onpanel).toHaveBeenCalledWith('desk')
    await rerender({ away: true })
    expect(container.querySelector('.tutor.away')).toBeTruthy()
    await rerender({ away: false, drawers: false })
    expect(container.querySelector('.tutor.away')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Show me' })).toBeNull()
  })
})
