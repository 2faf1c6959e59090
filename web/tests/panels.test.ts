// @vitest-environment jsdom
import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import Chronicle from '../src/table/Chronicle.svelte'
import Clock from '../src/table/Clock.svelte'
import Desk from '../src/desk/Desk.svelte'
import Opponent from '../src/desk/Opponent.svelte'
import Prompt from '../src/table/Prompt.svelte'
import Scores from '../src/table/Scores.svelte'
import Scrubber from '../src/table/Scrubber.svelte'
import type { Geometry, LogEntry, PlayerView, Position } from '../src/lib/wire'
import { save, settings } from '../src/lib/settings.svelte'
import type { Names } from '../src/lib/words'

beforeEach(() => save({ lang: 'en', estimate: true }))
afterEach(() => vi.useRealTimers())

const names: Names = {
  geometry: {
    cities: { a: { name: 'Aachen' }, b: { name: 'Bremen' } },
    routes: { 'a-b': { cities: ['a', 'b'], posts: [] } },
    provinces: [],
  } as unknown as Geometry,
  who: (s) => ({ p1: 'You', p2: 'Bertram' })[s] ?? s,
}

describe('the prompt', () => {
  it('says whose decision it is, what to do and how many actions are left', () => {
    render(Prompt, { decider: 'p2', title: "Bertram's turn", text: 'is thinking.', actions: { left: 1, all: 3 } })
    expect(screen.getByText("Bertram's turn")).toBeTruthy()
    expect(screen.getByRole('img', { name: '1 action left' }).querySelectorAll('.on')).toHaveLength(1)
    expect(document.querySelector('.prompt.p2')).toBeTruthy()
  })
  it('shows the clock of the one who decides', () => {
    const face = { text: '0:42', left: 42_000, running: true, low: true, empty: false }
    render(Prompt, { decider: 'p1', title: 'Your turn', text: '', actions: null, clock: face, consequence: 'bot' })
    expect(
      screen.getByRole('timer', { name: '0:42 left to think. When it is up, a machine takes over.' }).className,
    ).toContain('low')
  })
})

describe('a clock', () => {
  it('is quiet while it rests', () => {
    render(Clock, {
      face: { text: '12:00', left: 720_000, running: false, low: false, empty: false },
      consequence: 'none',
    })
    const clock = screen.getByRole('timer')
    expect(clock.className).not.toContain('running')
    expect(clock.getAttribute('title')).toContain('nothing happens')
  })
})

const desk: PlayerView = {
  points: 7,
  supply: { t: 4, m: 1 },
  skills: { keys: 1, actions: 0, privilege: 2, book: 0, bank: 3 },
  markers: ['plus3', 'swap'],
  used: ['move3'],
  plate: [],
  favours: ['action'],
  mission: null,
}
const deskProps = (more: object = {}) => ({
  seat: 'p1' as const,
  name: 'Alheyd',
  state: desk,
  stock: { t: 9, m: 0 },
  estimate: 21,
  accounts: 'Cities 4',
  glow: new Set<string>(),
  calm: false,
  shape: 't' as const,
  mission: [
    { id: 'stade', name: 'Stade', held: false },
    { id: 'minden', name: 'Minden', held: true },
  ],
  onpick: vi.fn(),
  onshape: vi.fn(),
  ...more,
})

describe('a desk', () => {
  it('tells every skill by its value', () => {
    render(Desk, deskProps())
    for (const name of [/^Keys: 2\./, /^Actions: 2\./, /^Privilege: pink\./, /^Book: 2\./, /^Bank: all\./])
      expect(screen.getByRole('button', { name })).toBeTruthy()
  })
  it('lets the shape of the supply be chosen', async () => {
    const props = deskProps()
    render(Desk, props)
    const merchants = screen.getByRole('button', { name: '1 merchant' })
    expect(merchants.getAttribute('aria-pressed')).toBe('false')
    await fireEvent.click(merchants)
    expect(props.onshape).toHaveBeenCalledWith('m')
  })
  it('what glows is chosen, what does not is asked about', async () => {
    const props = deskProps({ glow: new Set(['marker:plus3', 'skill:book']) })
    const { container } = render(Desk, props)
    const [plus3, swap] = ['plus3', 'swap'].map((m) => container.querySelector(`[data-key="marker:${m}"]`)!)
    expect(plus3!.className).toContain('legal')
    expect(swap!.getAttribute('aria-disabled')).toBe('true')
    await fireEvent.click(swap!)
    await fireEvent.click(container.querySelector('[data-key="skill:book"]')!)
    expect(props.onpick.mock.calls.map(([key]) => key as string)).toEqual(['marker:swap', 'skill:book'])
  })
  it('the cities of the mission can be pointed at and asked about; where an office stands is seen', async () => {
    const props = { ...deskProps(), onhover: vi.fn() }
    render(Desk, props)
    const stade = screen.getByRole('button', { name: 'Stade' })
    await fireEvent.pointerEnter(stade)
    expect(props.onhover).toHaveBeenLastCalledWith('mission:stade', stade)
    await fireEvent.pointerLeave(stade)
    expect(props.onhover).toHaveBeenLastCalledWith(null, null)
    await fireEvent.click(stade)
    expect(props.onpick).toHaveBeenCalledWith('mission:stade', stade)
    expect(screen.getByRole('button', { name: 'Minden: office there' })).toBeTruthy()
  })
  it('of somebody else is for looking', () => {
    const { container } = render(Desk, deskProps({ mine: false, big: true }))
    expect(container.querySelector('[aria-pressed]')).toBeNull()
    expect(screen.getByText('Three more actions')).toBeTruthy()
  })
})

describe('a card of somebody else', () => {
  const props = {
    seat: 'p2' as const,
    name: 'Bertram',
    state: desk,
    stock: { t: 9, m: 0 },
    note: 'leads',
    away: true,
    deciding: true,
    estimate: null,
    accounts: '',
  }
  it('opens the desk, or is chosen where a player is to be chosen', async () => {
    const onlook = vi.fn()
    const onpick = vi.fn()
    const { rerender } = render(Opponent, { ...props, onlook, onpick })
    expect(screen.getByText('leads · away')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Bertram' }))
    await rerender({ ...props, onlook, onpick, legal: true })
    await fireEvent.click(screen.getByRole('button', { name: 'Bertram' }))
    expect([onlook.mock.calls.length, onpick.mock.calls.length]).toEqual([1, 1])
  })
})

const entry = (revision: number, player: string, text: string, turn: number, events: object[] = []): LogEntry =>
  ({
    revision,
    number: revision,
    kind: 'decision',
    player,
    text,
    turn,
    at: 0,
    by: 'person',
    events,
  }) as unknown as LogEntry
const log = [
  entry(1, 'p1', 'place t a-b/1', 1),
  entry(2, 'p1', 'end', 1),
  entry(3, 'p2', 'establish a-b office b', 2, [
    { type: 'points-gained', player: 'p2', points: 2, reason: 'control' },
    { type: 'city-completed', city: 'b' },
  ]),
  entry(4, 'p2', 'done', 2),
  entry(5, 'p2', 'end', 2),
]

describe('the chronicle', () => {
  const props = () => ({ log, names, mine: ['p1'], at: null, onlight: vi.fn(), onjump: vi.fn() })
  it('tells decisions and what they brought, in words', () => {
    render(Chronicle, props())
    expect(screen.getByText('Bremen', { selector: 'b' }).closest('button')!.textContent).toContain(
      'Bertram established Aachen–Bremen and founded an office in Bremen',
    )
    expect(screen.getByText('Bremen is complete')).toBeTruthy()
    expect(screen.queryByText(/finished/)).toBeNull()
    expect(screen.getAllByText(/^Turn/).map((e) => e.textContent)).toEqual(['Turn 1 · You', 'Turn 2 · Bertram'])
  })
  it('says where one’s last turn ended, and can leave out the rest', async () => {
    const given = props()
    const { rerender } = render(Chronicle, given)
    expect(screen.getByText('Since my last turn')).toBeTruthy()
    await rerender({ ...given, since: true })
    expect(screen.queryByText(/placed/)).toBeNull()
    expect(screen.getAllByRole('button')).toHaveLength(1)
  })
  it('tells a fee with what it was paid for, and an end only where nothing else was done', () => {
    const more = [
      ...log,
      entry(6, 'p1', 'end', 3),
      entry(7, 'p2', 'displace t a-b/1', 4, [
        { type: 'piece-moved', piece: 'p1:m', source: 'post:a-b/1', target: 'hand:p1' },
        { type: 'piece-moved', piece: 'p2:m', source: 'supply:p2', target: 'stock:p2' },
      ]),
      entry(8, 'p2', 'pay t', 4, [{ type: 'piece-moved', piece: 'p2:t', source: 'supply:p2', target: 'stock:p2' }]),
      entry(9, 'p1', 'put t a-b/2', 4),
      entry(10, 'p2', 'end', 4),
    ]
    render(Chronicle, { ...props(), log: more })
    const said = screen.getAllByRole('button').map((b) => b.textContent)
    expect(said).toHaveLength(5)
    expect(said[2]).toContain('You ended the turn')
    expect(said[3]).toMatch(/Bertram displaced .*paid 1 trader and 1 merchant/)
    expect(screen.getAllByText(/^Turn/).at(-1)!.textContent).toBe('Turn 4 · Bertram')
  })
  it('tells a whole Move in one line, with whose pieces went where', () => {
    const moved = (piece: string, source: string, target: string) => ({ type: 'piece-moved', piece, source, target })
    const more = [
      entry(1, 'p1', 'lift a-b/1', 1, [moved('p1:t', 'post:a-b/1', 'hand:p1')]),
      entry(2, 'p1', 'lift a-b/2', 1, [moved('p2:m', 'post:a-b/2', 'hand:p1')]),
      entry(3, 'p1', 'put t c-d/1', 1, [moved('p1:t', 'hand:p1', 'post:c-d/1')]),
      entry(4, 'p1', 'put m c-d/2', 1, [moved('p2:m', 'hand:p1', 'post:c-d/2')]),
      entry(5, 'p1', 'done', 1),
    ]
    const given = { ...props(), log: more }
    render(Chronicle, given)
    const [only, ...others] = screen.getAllByRole('button')
    expect(others).toEqual([])
    expect(only!.textContent).toContain(
      "You moved a trader from Aachen–Bremen to c-d and Bertram's merchant from Aachen–Bremen to c-d",
    )
    only!.click()
    expect(given.onjump).toHaveBeenCalledWith(4)
  })
  it('tells what the displaced one puts down in one line, also what is added', () => {
    const put = (n: number, source: string) =>
      entry(n, 'p1', `put t a-b/${n}`, 1, [{ type: 'piece-moved', piece: 'p1:t', source, target: `post:a-b/${n}` }])
    render(Chronicle, { ...props(), log: [put(1, 'hand:p1'), put(2, 'stock:p1')] })
    expect(screen.getAllByRole('button').map((b) => b.textContent?.trim())).toEqual([
      'You put a trader on Aachen–Bremen and a trader from stock on Aachen–Bremen',
    ])
  })
  it('tells once a turn what was taken back', () => {
    const undo = (revision: number, turn: number, player = 'p1', undone = 1): LogEntry =>
      ({ ...log[0]!, kind: 'undo', player, revision, turn, undone }) as LogEntry
    render(Chronicle, {
      ...props(),
      log: [
        undo(91, 1),
        undo(92, 1, 'p1', 2),
        { ...log[0]!, revision: 93 },
        undo(94, 1),
        undo(95, 2, 'p2'),
        undo(96, 3),
      ],
    })
    expect(screen.getAllByRole('button').map((b) => b.textContent?.trim())).toEqual([
      'You placed a trader on Aachen–Bremen',
      'You took back 4 decisions',
      'Bertram took back 1 decision',
      'You took back 1 decision',
    ])
  })
  it('lights the places of a line and jumps to its decision', async () => {
    const given = props()
    render(Chronicle, given)
    const first = screen.getAllByRole('button')[0]!
    await fireEvent.pointerEnter(first)
    expect(given.onlight).toHaveBeenLastCalledWith(['post:a-b/1'])
    await fireEvent.pointerLeave(first)
    expect(given.onlight).toHaveBeenLastCalledWith([])
    await fireEvent.click(first)
    expect(given.onjump).toHaveBeenCalledWith(1)
  })
})

describe('the score', () => {
  const score = (total: number, missions: number | null = 0) => ({
    track: total,
    skills: 0,
    markers: 0,
    prestige: 0,
    cities: 0,
    network: 0,
    missions,
    regions: 0,
    total,
  })
  const position = {
    scores: { p1: score(9), p2: score(12, null) },
    view: { game: { missions: true, board: 'hansa' } },
  } as unknown as Position
  const props = { position, seats: ['p1' as const, 'p2' as const], who: names.who, over: false, regions: false }
  it('has an account in each row; what is secret stays so', () => {
    render(Scores, props)
    const row = screen.getByRole('rowheader', { name: 'Mission' }).closest('tr')!
    expect(
      within(row)
        .getAllByRole('cell')
        .map((c) => c.textContent),
    ).toEqual(['0', '?'])
    expect(screen.queryByRole('rowheader', { name: 'Countries' })).toBeNull()
    expect(document.querySelector('tfoot .most')!.textContent).toBe('12')
  })
  it('can be hidden, and shown again', async () => {
    render(Scores, props)
    await fireEvent.click(screen.getByRole('button', { name: 'Hide' }))
    expect(screen.queryByRole('table')).toBeNull()
    await fireEvent.click(screen.getByRole('button', { name: 'Show' }))
    expect(screen.getByRole('table')).toBeTruthy()
  })
  it('at the end there is nothing to hide', () => {
    save({ estimate: false })
    render(Scores, { ...props, over: true })
    expect(screen.getByText('Final score')).toBeTruthy()
    expect(screen.getByRole('table')).toBeTruthy()
  })
})

describe('the scrubber', () => {
  it('steps, jumps and comes back', async () => {
    const onseek = vi.fn()
    render(Scrubber, { number: 12, at: 5, wide: true, onseek })
    await fireEvent.click(screen.getByRole('button', { name: 'One decision back' }))
    await fireEvent.click(screen.getByRole('button', { name: 'One decision forward' }))
    await fireEvent.click(screen.getByRole('button', { name: 'To the first decision' }))
    await fireEvent.input(screen.getByRole('slider'), { target: { value: '12' } })
    await fireEvent.click(screen.getByText('5/12'))
    expect(onseek.mock.calls.map(([n]) => n as number | null)).toEqual([4, 6, 0, null, null])
    expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toBe('Decision 5 of 12')
  })
  it('plays faster where wished, and remembers it', async () => {
    vi.useFakeTimers()
    const onseek = vi.fn()
    render(Scrubber, { number: 30, at: 2, onseek })
    await fireEvent.click(screen.getByRole('button', { name: 'Speed: 1×' }))
    await fireEvent.click(screen.getByRole('button', { name: 'Speed: 2×' }))
    expect(settings.pace).toBe(4)
    await fireEvent.click(screen.getByRole('button', { name: 'Play or pause' }))
    vi.advanceTimersByTime(180)
    expect(onseek).toHaveBeenLastCalledWith(3)
    await fireEvent.click(screen.getByRole('button', { name: 'Speed: 4×' }))
    expect(settings.pace).toBe(1)
  })
  it('plays by itself and stops at the end', async () => {
    vi.useFakeTimers()
    const onseek = vi.fn()
    render(Scrubber, { number: 3, at: 2, onseek })
    await fireEvent.click(screen.getByRole('button', { name: 'Play or pause' }))
    vi.advanceTimersByTime(750)
    expect(onseek).toHaveBeenLastCalledWith(null)
    await vi.advanceTimersByTimeAsync(3000)
    expect(onseek).toHaveBeenCalledTimes(1)
  })
})
