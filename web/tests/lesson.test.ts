// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { beforeEach, describe, expect, it } from 'vitest'
import { has } from '../src/i18n/index.svelte'
import type { Entry, Position } from '../src/lib/api'
import { advance, aside, factsOf, STEPS, type Facts } from '../src/lib/lesson'
import { save } from '../src/lib/settings.svelte'
import Tutor from '../src/table/Tutor.svelte'
import { table } from './fake'

const position = (more: object = {}): Position => ({ number: 4, phase: 'turn', over: false, legal: ['place t a-b/1', 'income 1 0', 'end'], view: { players: { p1: { supply: { t: 5, m: 1 } } } }, ...more }) as unknown as Position
const decision = (text: string, events: object[] = []): Entry => ({ kind: 'decision', player: 'p1', text, events, number: 1, revision: 1 }) as unknown as Entry
const facts = (log: Entry[] = [], more: object = {}): Facts => factsOf(log, position(more), 'p1')
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
  it('the last step stays', () => {
    expect(advance(STEPS.length - 1, facts())).toBe(STEPS.length - 1)
  })
  it('what is urgent comes first: displaced, no action, no pieces', () => {
    const fill = at('tut.fill')
    expect(aside(fill, facts([], { phase: 'displaced' }))?.key).toBe('tut.displaced')
    expect(aside(fill, facts([], { legal: ['end'] }))?.key).toBe('tut.noActions')
    expect(aside(fill, facts([], { view: { players: { p1: { supply: { t: 1, m: 0 } } } } }))?.key).toBe('tut.income')
    expect(aside(fill, facts([], { legal: null }))).toBeNull()
    expect(aside(at('tut.welcome'), facts([], { phase: 'displaced' }))).toBeNull()
  })
})

describe('the card of the lesson', () => {
  beforeEach(() => {
    save({ lang: 'en' })
    sessionStorage.clear()
  })
  const live = (more: object = {}): never => ({ id: 'k7', table: table({ name: 'Tutorial' }), log: [], position: position(), ...more }) as never
  it('is read step by step and remembered over a reload', async () => {
    const { unmount } = render(Tutor, { live: live(), seat: 'p1' })
    expect(screen.getByText(/Welcome/)).toBeTruthy()
    for (let i = 0; i < 3; i++) await fireEvent.click(screen.getByRole('button', { name: 'Next' }))
    expect(screen.getByText(/You have two actions each turn/)).toBeTruthy()
    await waitFor(() => expect(sessionStorage.getItem('hansa.lesson.k7')).toBe('3'))
    unmount()
    render(Tutor, { live: live(), seat: 'p1' })
    expect(screen.getByText(/You have two actions each turn/)).toBeTruthy()
  })
  it('a task can be skipped, the card folded and left', async () => {
    sessionStorage.setItem('hansa.lesson.k7', String(at('tut.place')))
    render(Tutor, { live: live(), seat: 'p1' })
    await fireEvent.click(screen.getByRole('button', { name: 'Skip' }))
    expect(screen.getByText(/second action/)).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Fold' }))
    expect(screen.queryByText(/second action/)).toBeNull()
    await fireEvent.click(screen.getByRole('button', { name: 'Leave the lesson' }))
    expect(screen.queryByText(/Step/)).toBeNull()
  })
})
