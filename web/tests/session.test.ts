// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { BoardAnswer, Position, Weighed } from '../src/lib/wire'
import { fork } from '../src/lib/fork'
import { keydown } from '../src/lib/keys'
import type { Live } from '../src/lib/live.svelte'
import { Session } from '../src/lib/session.svelte'
import { save } from '../src/lib/settings.svelte'
import InfoCard from '../src/table/InfoCard.svelte'
import Opinions from '../src/table/Opinions.svelte'
import Verbs from '../src/table/Verbs.svelte'
import { fakeServer, table } from './fake'

const posts = (route: string) => [1, 2].map((k) => ({ id: `${route}/${k}`, x: 100 * k, y: 10, ship: false }))
const geometry = {
  size: [1000, 700],
  view: [0, 0, 1000, 742],
  scale: 1,
  provinces: [],
  prestige: { spaces: [] },
  cities: {
    a: { name: 'Aachen', houses: [1], badges: [], x: 0, y: 0 },
    b: { name: 'Bremen', houses: [1], badges: [], x: 300, y: 0 },
  },
  routes: { 'a-b': { cities: ['a', 'b'], posts: posts('a-b'), middle: [150, 10] } },
}
const board = { id: 'hansa-45', geometry, data: { prestige: { city: 'a' } } } as unknown as BoardAnswer
const LEGAL = ['income 1 0', 'income 2 0', 'place t a-b/1', 'place m a-b/1', 'place t a-b/2', 'use plus3', 'end']

function position(more: object = {}): Position {
  const player = {
    points: 0,
    supply: { t: 2, m: 1 },
    skills: { keys: 0, actions: 0, privilege: 0, book: 0, bank: 0 },
    markers: ['plus3'],
    used: [],
    plate: [],
    favours: [],
    mission: null,
  }
  return {
    revision: 4,
    number: 4,
    seat: 'p1',
    phase: 'turn',
    over: false,
    legal: LEGAL,
    undo: { free: true, to: 3, reason: null },
    stock: {},
    control: {},
    completed: 0,
    scores: {},
    view: {
      game: { duel: null, board: 'hansa' },
      turn: 2,
      active: 'p1',
      player: 'p1',
      phase: 'turn',
      actions_left: 2,
      players: { p1: player, p2: player, p3: player },
      routes: { 'a-b': { posts: ['p2:t', null], marker: null, laid: [] } },
      cities: {},
      supply: ['swap', 'plus3'],
      over: false,
      pawn: null,
    },
    ...more,
  } as unknown as Position
}

function seated(more: object = {}): {
  session: Session
  live: { act: ReturnType<typeof vi.fn>; undo: ReturnType<typeof vi.fn>; log: object[] }
} {
  const live = {
    id: 'k7',
    table: { ...table(), previews: false },
    position: position(more),
    log: [] as object[],
    fresh: [],
    chat: [],
    sending: '',
    error: '',
    skew: 0,
    act: vi.fn(),
    undo: vi.fn(),
    following: { waiting: 0, paused: false },
  }
  const session = new Session(live as unknown as Live, board)
  session.take()
  return { session, live }
}
const move = (live: object, to: Position): void => {
  ;(live as { position: Position }).position = to
}
function displaced(live: object, revision: number, legal: string[], pending: object): void {
  const next = position({ revision, number: revision, phase: 'displaced', legal })
  move(live, {
    ...next,
    view: { ...next.view, active: 'p2', phase: 'displaced', pending: { stack: [pending] } },
  } as unknown as Position)
}
function press(session: Session, key: string, more: object = {}): void {
  const heard = (event: KeyboardEvent): void => keydown(event, session, undefined, () => {})
  document.body.addEventListener('keydown', heard, { once: true })
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ...more }))
}

beforeEach(() => save({ lang: 'en', confirm: false }))

describe('a gesture', () => {
  it('one click decides where one decision is left', () => {
    const { session, live } = seated()
    session.play.pick('post:a-b/2')
    expect(live.act).toHaveBeenCalledWith('place t a-b/2')
  })
  it('the wanted shape decides where only the shape is open', () => {
    const { session, live } = seated()
    session.play.setShape('m')
    session.play.pick('post:a-b/1')
    expect(live.act).toHaveBeenCalledWith('place m a-b/1')
  })
  it('with confirmation a click only asks, and cancel leaves everything', () => {
    save({ confirm: true })
    const { session, live } = seated()
    session.play.pick('post:a-b/2')
    expect(session.play.asking?.text).toBe('place t a-b/2')
    expect(session.showCard).toBe(true)
    session.undoing.cancel()
    expect([session.play.asking, live.act.mock.calls.length]).toEqual([null, 0])
  })
  it('a wish for a shape ends with the turn', () => {
    const { session, live } = seated()
    session.play.setShape('m')
    session.play.reset()
    expect(session.play.shape).toBe('m')
    const next = position({ revision: 9 })
    move(live, { ...next, view: { ...next.view, turn: 5 } })
    session.take()
    expect(session.play.shape).toBe('t')
  })
  it('the displaced piece is put first; what is added may be chosen', () => {
    const { session, live } = seated()
    const both = ['put t a-b/2', 'put m a-b/2']
    displaced(live, 7, both, { what: 'displaced', player: 'p1', waiting: 'm', added: 1, route: 'a-b' })
    session.take()
    expect(session.text).toBe(
      'Bertram displaced you on Aachen–Bremen: put your merchant down; you may add 1 piece from your stock.',
    )
    session.play.pick('post:a-b/2')
    expect(live.act).toHaveBeenLastCalledWith('put m a-b/2')
    const later = seated()
    displaced(later.live, 8, [...both, 'done'], {
      what: 'displaced',
      player: 'p1',
      waiting: null,
      added: 1,
      route: 'a-b',
    })
    later.session.take()
    expect(later.session.text).toBe('You may add 1 more piece from your stock, free. Or finish.')
    later.session.play.pick('post:a-b/2')
    expect(later.session.play.options.map((d) => d.text)).toEqual(both)
  })
  it('the only full route is not asked for; its only gain is asked about once', () => {
    const gains = ['establish a-b office b', 'establish a-b skill book']
    const { session, live } = seated({ legal: [...gains, 'end'] })
    session.play.setVerb('establish')
    expect(session.play.options.map((d) => d.text)).toEqual(gains)
    session.play.pick('city:b')
    expect(live.act).toHaveBeenLastCalledWith(gains[0])
    const single = seated({ legal: [gains[0], 'end'] }).session
    single.play.setVerb('establish')
    expect(single.play.asking?.text).toBe(gains[0])
  })
  it('a neutral piece in hand is called so', () => {
    const { session, live } = seated()
    const next = position({ revision: 9, phase: 'neutral-put', legal: ['put t a-b/2'] })
    move(live, { ...next, view: { ...next.view, phase: 'neutral-put' } })
    session.take()
    expect(session.text).toBe('Put the neutral trader on a glowing post.')
    expect(session.targets[0]!.label).toContain('Put the neutral trader on Aachen–Bremen')
  })
})

describe('taking back', () => {
  it('undo goes one step, and what was undone can be done again', () => {
    const { session, live } = seated()
    live.log = [{ kind: 'decision', number: 4, text: 'place t a-b/2' }]
    session.undoing.undo()
    expect(live.undo).toHaveBeenCalledWith(3)
    expect(session.undoing.canRedo).toBe(true)
    session.undoing.redo()
    expect(live.act).toHaveBeenCalledWith('place t a-b/2')
  })
  it('an action half done is left as a whole', () => {
    const { session, live } = seated({ revision: 4, number: 4 })
    const inside = position({
      revision: 6,
      number: 6,
      phase: 'move',
      legal: ['put t a-b/2'],
      undo: { free: true, to: 5, reason: null },
    })
    ;(live as unknown as { position: Position }).position = { ...inside, view: { ...inside.view, phase: 'move' } }
    session.take()
    session.undoing.cancel()
    expect(live.undo).toHaveBeenCalledWith(4)
  })
  it('ending with actions left is asked about once', () => {
    const { session, live } = seated()
    press(session, 'f')
    expect(session.undoing.ending?.text).toBe('end')
    expect(live.act).not.toHaveBeenCalled()
    press(session, 'f')
    expect(live.act).toHaveBeenCalledWith('end')
  })
})

describe('keys', () => {
  it('choose verbs, shapes, windows and overlays', () => {
    const { session } = seated()
    press(session, 'p')
    expect(session.play.choice.verb).toBe('place')
    press(session, 'Escape')
    expect(session.play.choice.verb).toBeNull()
    press(session, 's')
    expect(session.play.shape).toBe('m')
    press(session, 'o')
    expect(session.overlay).toBe('control')
    press(session, 'c')
    expect(session.side).toBe('score')
    press(session, 'l')
    expect(session.window).toBe('list')
    press(session, '?')
    expect(session.window).toBe('list')
  })
  it('with the control key only undo and redo', () => {
    const { session, live } = seated()
    press(session, 'z', { ctrlKey: true })
    expect(live.undo).toHaveBeenCalled()
    press(session, 'p', { ctrlKey: true })
    expect(session.play.choice.verb).toBeNull()
  })
})

describe('looking back', () => {
  const over = { over: true, legal: null, number: 9 }
  it('the arrows to the sides step through a game that is over', () => {
    fakeServer({ 'GET /games/k7/position': position({ number: 8 }) })
    const { session } = seated(over)
    const seen: (number | null)[] = []
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight']) {
      press(session, key)
      seen.push(session.history.at)
    }
    expect(seen).toEqual([null, 8, 7, 8, null])
    expect(location.hash).toBe('')
  })
  it('but leave a game alone in which something is to be chosen', () => {
    const { session } = seated()
    press(session, 'ArrowLeft')
    expect(session.history.at).toBeNull()
  })
  it('a fork starts where one looks; at the end before the last decision', async () => {
    const asked = fakeServer({ 'POST /games/k7/fork': { id: 'new' }, 'GET ': position() })
    const { session } = seated(over)
    await fork(session.history, 'study')
    void session.history.seek(5)
    expect(location.hash).toBe('#5')
    await fork(session.history, 'play')
    const wishes = asked
      .filter((a) => a.method === 'POST')
      .map((a) => a.body as { number: number; seats: { kind: string }[] })
    expect(wishes.map((w) => w.number)).toEqual([8, 5])
    expect(wishes.map((w) => w.seats.map((s) => s.kind).join(' '))).toEqual(['me me me', 'me bot bot'])
  })
})

describe('the verbs', () => {
  it('what is not possible says why instead', async () => {
    const { session } = seated()
    render(Verbs, { session })
    expect(screen.getByRole('button', { name: /Displace/ }).getAttribute('aria-disabled')).toBe('true')
    await fireEvent.click(screen.getByRole('button', { name: /Displace/ }))
    expect(session.text).toContain('at least two pieces')
    await fireEvent.click(screen.getByRole('button', { name: /^Place/ }))
    expect(session.text).toBe('Choose a post for your trader.')
  })
})

describe('words about a thing', () => {
  it('a click on what does not glow tells what it is, why not, and the rule', async () => {
    const asked = fakeServer({
      'GET /games/k7/why': { allowed: false, message: 'x', reason: 'fee', rule: 'DISPLACE-5', values: { n: 3, m: 2 } },
    })
    const { session } = seated()
    render(InfoCard, { info: session.info })
    await session.info.explain('post:a-b/1', null)
    expect(decodeURIComponent(asked[0]!.path)).toContain('decision=displace t a-b/1')
    expect(await screen.findByText('Displacing this piece takes 3 pieces from your supply; you have 2.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Displace · DISPLACE-5' }).getAttribute('href')).toBe('/#/rules/DISPLACE-5')
    await fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect([screen.queryByRole('dialog'), session.text]).toEqual([null, 'Choose an action.'])
  })
})

describe('an opinion', () => {
  it('is a list of bars, the best first, with arrows on the board', () => {
    const { session } = seated()
    const shares = { p1: 0.5, p2: 0.3, p3: 0.2 }
    session.advice.found = {
      turn: [],
      number: 4,
      player: 'p1',
      bot: 'search',
      decision: 'place t a-b/2',
      options: [
        { decision: 'income 1 0', value: 0.7, visits: 1, shares },
        { decision: 'place t a-b/2', value: 0.5, visits: 9, shares },
      ],
      scores: {},
    }
    render(Opinions, { advice: session.advice, names: session.names })
    expect(screen.getAllByRole('button').map((b) => b.textContent?.replace(/\s+/g, ' ').trim())).toEqual([
      '1 Place a trader on Aachen–Bremen chance to win 50 % 90 %',
      '2 Take 1 trader 10 %',
    ])
    expect(screen.getByText(/how much of its thinking/)).toBeTruthy()
    expect(session.advice.arrows).toEqual([{ from: null, to: 'post:a-b/2', rank: 1, weight: 1 }])
    expect(session.advice.chances.map((c) => c.share)).toEqual([0.5, 0.3, 0.2])
  })
  it('is sorted, drawn and read by one measure', () => {
    const { session } = seated()
    const option = (decision: string, value: number, visits = 0): Weighed => ({
      decision,
      value,
      visits,
      shares: { p1: value },
    })
    const given = (...options: Weighed[]): void => {
      session.advice.found = {
        number: 4,
        player: 'p1',
        bot: '',
        decision: options[0]!.decision,
        options,
        scores: {},
        turn: [],
      }
    }
    given(option('income 1 0', 0.16, 60), option('end', 0.2, 40))
    expect(session.advice.opinions.map((o) => [o.percent, o.chance])).toEqual([
      [60, 16],
      [40, 20],
    ])
    expect(session.advice.measure).toBe('thought')
    given(option('end', 1), option('income 1 0', 3))
    expect(session.advice.opinions.map((o) => [o.decision.text, o.share, o.percent])).toEqual([
      ['income 1 0', 1, null],
      ['end', 0, null],
    ])
    expect(session.advice.measure).toBe('value')
    given(option('end', 1))
    expect(session.advice.measure).toBeNull()
  })
})
