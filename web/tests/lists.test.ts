// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChatLine, Circle, TableFace } from '../src/lib/wire'
import { Gallery } from '../src/lib/gallery.svelte'
import { chosenName, mine, showWaiting, standing } from '../src/lib/mine.svelte'
import Ladder from '../src/pages/Ladder.svelte'
import Stats from '../src/pages/Stats.svelte'
import Watch from '../src/pages/Watch.svelte'
import CodeForm from '../src/pages/CodeForm.svelte'
import { QuickSearch } from '../src/lib/quick.svelte'
import { save } from '../src/lib/settings.svelte'
import type { Live } from '../src/lib/live.svelte'
import { Talk } from '../src/lib/talk.svelte'
import Chat from '../src/table/Chat.svelte'
import Room from '../src/table/Room.svelte'
import { around } from '../src/lib/circle.svelte'
import TableRow from '../src/ui/TableRow.svelte'
import { BOTS, fakeServer, table } from './fake'

const withPerson = table({
  seats: table().seats.map((s, i) => ({ ...s, kind: i === 1 ? 'human' : s.kind })),
  your_turn: true,
  player: 'p1',
  id: 'people',
} as never)
afterEach(() => {
  mine.tables = []
  mine.here = null
})

describe('a table in a list', () => {
  it('names the others, board and turn, and who decides', () => {
    render(TableRow, { table: table() })
    expect(screen.getByRole('link').textContent).toContain('Bertram, Katrijn')
    expect(screen.getByRole('link').textContent).toContain('Turn 7 · The Hanseatic League')
    expect(screen.getByText("Bertram's turn")).toBeTruthy()
  })
  it('says that it is my turn', () => {
    render(TableRow, { table: table({ your_turn: true, player: 'p1' }) })
    expect(screen.getByText('Your turn').className).toContain('now')
  })
  it('shows a chosen name, free seats and a win', () => {
    expect(chosenName(table())).toBe('')
    expect(chosenName(table({ name: 'Friday evening' }))).toBe('Friday evening')
    expect(standing(table({ status: 'open' }))).toBe('waiting for players')
    render(TableRow, {
      table: table({
        status: 'over',
        result: { reason: 'cities', winners: ['p1'], scores: {}, conceded: [], left: [] },
      }),
    })
    expect(screen.getByText('won')).toBeTruthy()
  })
})

describe('whose turn it is, in the tab', () => {
  it('counts tables where people wait, not machines', () => {
    mine.tables = [table({ your_turn: true }), withPerson]
    expect(mine.waiting).toBe(1)
    expect(mine.sorted[0]!.your_turn).toBe(true)
  })
  it('the open table knows better than the list', () => {
    mine.tables = [withPerson]
    mine.here = { id: 'people', decides: false }
    expect(mine.waiting).toBe(0)
    mine.here = { id: 'other', decides: true }
    expect(mine.waiting).toBe(2)
  })
  it('stands before the title and on the icon', () => {
    document.head.innerHTML = '<link rel="icon" href="/icon.svg">'
    mine.tables = [withPerson]
    showWaiting('Rules')
    expect(document.title).toBe('(1) Rules · Hansa')
    expect(document.querySelector('link')!.getAttribute('href')).toBe('/icon-turn.svg')
    mine.tables = []
    showWaiting('')
    expect(document.title).toBe('Hansa')
    expect(document.querySelector('link')!.getAttribute('href')).toBe('/icon.svg')
  })
  it('somebody who never sat down is not asked for tables', async () => {
    const asked = fakeServer({ 'GET /me': { person: null } })
    await mine.refresh()
    expect(asked.map((a) => a.path)).toEqual(['/me'])
    expect(mine.loaded).toBe(true)
  })
})

const ALONE = { follows: [], blocks: [], invitations: [] }
const HOUSE = {
  'GET /me/circle': ALONE,
  'GET /me': { person: { id: 'me', account: null } },
  'GET /quick': { seekers: [] },
  'GET /bots': BOTS,
}

describe('lists', () => {
  it('empty lists say so and offer a way on', async () => {
    fakeServer({ ...HOUSE, 'GET /games': { games: [] } })
    render(Watch)
    await waitFor(() => expect(screen.getByText('No table is waiting for players at the moment.')).toBeTruthy())
    expect(screen.getByRole('link', { name: 'Open a table of your own' })).toBeTruthy()
  })
  it('a server that is gone is said, with another try', async () => {
    fakeServer({ ...HOUSE, 'GET /games': 'gone' })
    render(Watch)
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('The server does not answer'))
    fakeServer({ ...HOUSE, 'GET /games': { games: [table({ status: 'open', id: 'open' })] } })
    screen.getByRole('button', { name: 'Try again' }).click()
    await waitFor(() => expect(screen.getAllByRole('link', { name: 'To the table' }).length).toBe(1))
  })
  it('an open table says what is played, at which pace, by whom, and lets one sit down', async () => {
    const seats = table().seats.map((s, i) => ({
      ...s,
      yours: false,
      person: i ? null : 'a',
      ...(i === 1 ? { bot: 'greedy' } : {}),
      ...(i === 2 ? { kind: 'open' as const, name: '' } : {}),
    }))
    const waiting = table({
      status: 'open',
      id: 'open',
      seats,
      you: { seats: [], host: false, name: null },
      clock: { bank: 600, increment: 10, consequence: 'bot' },
      ratings: { p1: { value: 1620, uncertainty: 90, provisional: false } },
    })
    const rated = { ...waiting, id: 'rated', rated: true }
    save({ name: 'Gese' })
    const asked = fakeServer({
      ...HOUSE,
      'GET /games?status=open': { games: [waiting, rated] },
      'GET /games?status=running': { games: [] },
      'GET /quick': { seekers: [{ players: 3, clock: null, rated: false, waiting: 2 }] },
      'POST /games/open/join': waiting,
    })
    render(Watch)
    await waitFor(() => expect(document.querySelector('[data-table=open]')).toBeTruthy())
    const words = document.querySelector('[data-table=open]')!.textContent.replace(/\s+/g, ' ')
    expect(words).toMatch(/Alheyd's table.*The Hanseatic League · Big Box.*Quick: 10 min \+ 10 s/)
    await waitFor(() =>
      expect(document.querySelector('[data-table=open]')!.textContent.replace(/\s+/g, ' ')).toMatch(
        /Alheyd ?1620 ± 90.*Bertram Journeyman.*free.*1 free seat/,
      ),
    )
    expect(screen.getByText(/Waiting for a quick game: 3 players, No clock \(2\)/)).toBeTruthy()
    const closed = document.querySelector('[data-table=rated] button')!
    expect(closed.hasAttribute('disabled')).toBe(true)
    await fireEvent.click(document.querySelector('[data-table=open] button')!)
    await waitFor(() => expect(asked.at(-1)?.path).toBe('/games/open/join'))
    await waitFor(() => expect(location.pathname).toBe('/g/open'))
  })
  it('a quick game is searched for until it is found, and no longer', async () => {
    let asked = fakeServer({ 'POST /quick': { game: null, waiting: 1, until: null }, 'DELETE /quick': {} })
    vi.useFakeTimers()
    const found: string[] = []
    const search = new QuickSearch((game) => found.push(game))
    search.start({ kind: { players: 2, clock: null, rated: false }, machines_after: null, bot: null })
    await vi.advanceTimersByTimeAsync(4100)
    expect(asked.length).toBe(3)
    expect(search.state?.waiting).toBe(1)
    asked = fakeServer({ 'POST /quick': 'gone' })
    await vi.advanceTimersByTimeAsync(2000)
    expect(search.error).toContain('does not answer')
    asked = fakeServer({ 'POST /quick': { game: 'g9', waiting: 0, until: null }, 'DELETE /quick': {} })
    await vi.advanceTimersByTimeAsync(9000)
    vi.useRealTimers()
    expect(found).toEqual(['g9'])
    expect(asked.map((a) => a.method)).toEqual(['POST', 'DELETE'])
    fakeServer({})
    search.start({ kind: { players: 2, clock: null, rated: true }, machines_after: null, bot: null })
    await waitFor(() => expect(search.wish).toBe(null))
    expect(search.error).toBeTruthy()
  })
  it('a running game has a picture, drawn again only when it went on', async () => {
    const position = (number: number): unknown => ({ position: { number } })
    const running = [1, 2, 3, 4, 5, 6, 7].map((n) => table({ id: `g${n}`, number: 4 }))
    const gallery = new Gallery()
    let asked = fakeServer({ 'GET /boards': { id: 'hansa-45' }, 'GET /games/g2': 'gone', 'GET /games': position(4) })
    await gallery.show(running)
    expect(Object.keys(gallery.pictures)).toEqual(['g1', 'g3', 'g4', 'g5', 'g6'])
    expect(asked.filter((a) => a.path.startsWith('/games')).map((a) => a.path)[0]).toBe('/games/g1/state?seat=none')
    asked = fakeServer({ 'GET /games': position(5) })
    await gallery.show([running[0]!, table({ id: 'g3', number: 5 })])
    expect(asked.map((a) => a.path)).toEqual(['/games/g3/state?seat=none'])
    expect(gallery.pictures.g3!.position.number).toBe(5)
  })
})

describe('what somebody has played', () => {
  const RATING = { value: 1043, uncertainty: 280, provisional: true }
  const STATS = {
    person: { id: 'x', name: 'Alheyd' },
    guest: false,
    since: 0,
    games: 4,
    wins: 1,
    mean_score: 41.25,
    boards: { hansa: { games: 4, wins: 1 } },
    players: { 3: { games: 3, wins: 0 } },
    seats: { p2: { games: 2, wins: 2 } },
    ratings: [
      { pool: 'duel', rating: RATING, games: 2, history: [{ at: 5, game: 'a', value: 1043, uncertainty: 280 }] },
    ],
  }
  const GAME = {
    id: 'a',
    ended: 5,
    board: 'hansa',
    players: 3,
    rated: true,
    seat: 'p1',
    rank: 2,
    points: 37,
    reason: 'markers',
    left: false,
    gain: -12,
    opponents: [
      { seat: 'p2', name: 'Katrijn', person: null, bot: 'greedy', rating: null, rank: 3, points: 20 },
      { seat: 'p3', name: 'Bertram', person: 'b', bot: null, rating: RATING, rank: 1, points: 41 },
    ],
  }
  it('figures, ratings, counts, and every game with who played it', async () => {
    fakeServer({
      'GET /me': { person: { id: 'x' } },
      'GET /bots': BOTS,
      'GET /people/me/stats': STATS,
      'GET /people/me/games': { games: [GAME], next: null },
    })
    render(Stats)
    await waitFor(() => expect(screen.getByText('1 of 4 won')).toBeTruthy())
    expect(document.querySelector('.figures')!.textContent).toMatch(/4.*1.*25%.*41\.3/)
    expect(document.querySelector('[data-pool=duel]')!.textContent).toMatch(/1043 ± 280.*provisional.*2 rated games/)
    expect(screen.getByText('3 players', { selector: 'b' })).toBeTruthy()
    expect(screen.getByText('2 of 2 won')).toBeTruthy()
    await waitFor(() => expect(screen.getByRole('link', { name: 'Bertram' }).getAttribute('href')).toBe('/#/stats/b'))
    const line = document.querySelector('ol li')!.textContent.replace(/\s+/g, ' ')
    expect(line).toMatch(
      /2\/3.*the last marker · Rated game.*1\. Bertram \(1043 ± 280\) 41.*3\. Katrijn \(.+\) 20.*37.*−12/,
    )
  })
  it('filters, and fetches older games behind those that are shown', async () => {
    const asked = fakeServer({
      'GET /me': { person: null },
      'GET /bots': BOTS,
      'GET /people/b/stats': { ...STATS, person: { id: 'b', name: 'Bertram' } },
      'GET /people/b/games?limit=20&before=': { games: [{ ...GAME, id: 'older' }], next: null },
      'GET /people/b/games': { games: [GAME], next: '1-a' },
    })
    render(Stats, { arg: 'b' })
    await fireEvent.click(await screen.findByRole('button', { name: 'Older games' }))
    await waitFor(() => expect(document.querySelectorAll('ol li').length).toBe(2))
    expect(asked.at(-1)?.path).toBe('/people/b/games?limit=20&before=1-a')
    await fireEvent.change(screen.getByLabelText('Board'), { target: { value: 'hansa' } })
    await waitFor(() => expect(asked.at(-1)?.path).toBe('/people/b/games?limit=20&board=hansa'))
    await waitFor(() => expect(document.querySelectorAll('ol li').length).toBe(1))
  })
  it('the ladder: machines stand among those who have a place, the others come after', async () => {
    const row = (id: string, value: number, place: number | null): unknown => ({
      place,
      person: { id, name: id },
      rating: { value, uncertainty: 90, provisional: place === null },
      games: 12,
      last: 5,
    })
    fakeServer({
      'GET /me': { person: { id: 'Gese' } },
      'GET /ladder?pool=duel': {
        pool: 'duel',
        rows: [row('Alheyd', 1200, 1), row('Gese', 900, 2), row('New', 1500, null)],
        machines: [{ bot: 'greedy', level: 3, title: 'Journeyman', value: 1000 }],
      },
    })
    render(Ladder)
    await waitFor(() => expect(screen.getByText('Gese')).toBeTruthy())
    const names = [...document.querySelectorAll('tbody th')].map((x) => x.textContent.trim())
    expect(names).toEqual(['Alheyd', 'Machine · Journeyman', 'Gese', 'New'])
    expect(document.querySelector('.mine')!.textContent).toContain('Gese')
    expect(document.querySelector('tbody tr:last-child')!.textContent).toContain('provisional')
  })
})

describe('a code that was said aloud', () => {
  it('is looked up as it was typed, and a wrong one is said to be wrong', async () => {
    const asked = fakeServer({})
    render(CodeForm)
    await fireEvent.input(screen.getByLabelText('Do you have a code?'), { target: { value: 'Bado Kimu' } })
    await fireEvent.submit(document.querySelector('form')!)
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('No table has this code'))
    expect(asked.at(-1)?.path).toBe('/codes/Bado%20Kimu')
  })
})

describe('the chat', () => {
  const line = (id: number, person: string): ChatLine => ({ id, at: id, person, seat: null, name: person, text: 'x' })
  it('counts what is unread, without those who are muted', () => {
    const source = { id: 'g', chat: [line(1, 'a'), line(2, 'b'), line(3, 'b')] }
    const talk = new Talk(source)
    expect(talk.unread).toBe(3)
    talk.mute('b', 'Bertram')
    expect([talk.unread, talk.heard.length]).toEqual([1, 1])
    expect(talk.silenced).toEqual([['b', 'Bertram']])
    expect(new Talk(source).unread).toBe(1)
    talk.seen()
    talk.unmute('b')
    expect([talk.unread, talk.heard.length]).toEqual([0, 3])
    expect(new Talk(source).unread).toBe(0)
  })
  it('whoever is blocked from a line of the chat is not heard any more', async () => {
    const alone: Circle = { follows: [], blocks: [], invitations: [] }
    const asked = fakeServer({ 'PUT /me/circle/b': { ...alone, blocks: [{ id: 'b', name: 'Bertram' }] } })
    const source = { id: 'blocked', table: table(), chat: [line(1, 'a'), line(2, 'b')], say: () => true }
    render(Chat, { live: { ...source, talk: new Talk(source) } as unknown as Live })
    await fireEvent.click(screen.getByRole('button', { name: 'b' }))
    await fireEvent.click(screen.getByRole('button', { name: 'Block' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'b' })).toBe(null))
    expect(screen.getByRole('button', { name: 'a' })).toBeTruthy()
    expect(asked.at(-1)?.body).toEqual({ kind: 'block' })
    around.now = alone
  })
})

describe('the room', () => {
  it('counts what was said below the edge of the screen as unread, until it is looked at', async () => {
    let seen: (now: { isIntersecting: boolean }[]) => void = () => {}
    class Watch {
      constructor(tell: typeof seen) {
        seen = tell
      }
      observe(): void {}
      disconnect(): void {}
    }
    vi.stubGlobal('IntersectionObserver', Watch)
    const chat = [{ id: 1, at: 1, person: 'b', seat: null, name: 'Bertram', text: 'Here I am' }]
    const source = { id: 'unread', table: room('open', true), chat, missed: [], fresh: [], say: () => true }
    render(Room, { live: { ...source, talk: new Talk(source) } as unknown as Live })
    expect(await screen.findByRole('button', { name: 'Chat: 1 unread' })).toBeTruthy()
    seen([{ isIntersecting: true }])
    await waitFor(() => expect(screen.queryByRole('button', { name: /unread/ })).toBe(null))
    vi.unstubAllGlobals()
  })
  const room = (kind: 'open' | 'human', host: boolean, more: object = {}): TableFace => {
    const seats = table().seats.map((s, i) => (i === 1 ? { ...s, kind } : s))
    return table({
      status: 'open',
      order: 'draw',
      name: '',
      forked_from: null,
      seats,
      you: { seats: ['p1'], host, name: 'Alheyd' },
      ...more,
    })
  }
  const live = (shown: TableFace): Live => {
    const source = { id: 'g', table: shown, chat: [], missed: [], fresh: [], say: () => true }
    return { ...source, talk: new Talk(source) } as unknown as Live
  }
  const words = (shown: TableFace): string => render(Room, { live: live(shown) }).container.textContent ?? ''
  beforeEach(() => void fakeServer({ 'GET /bots': BOTS }))
  it('says who starts, and when', () => {
    expect(words(room('open', true))).toMatch(/Waiting for players.*Invite people.*bado-kimu.*Start the game/s)
    expect(words(room('open', false))).toMatch(/Alheyd starts the game when all seats are taken/)
    expect(words(room('human', true))).toMatch(/Ready to start.*All seats are taken.*Start by itself.*Start the game/s)
    expect(words(room('human', false))).toMatch(/Alheyd can start the game now/)
  })
  it('says who came through one connection', () => {
    const seats = table().seats.map((s, i) => ({ ...s, near: i === 2 ? ['p1', 'p2'] : [] }))
    expect(words(room('human', true, { seats }))).toContain('Same internet connection as Alheyd, Bertram.')
    expect(words(room('human', true))).not.toContain('connection')
  })
  it('promises no colour that is still to be drawn', () => {
    const colours = (shown: TableFace): string[] =>
      [...render(Room, { live: live(shown) }).container.querySelectorAll('li.panel')].map((li) => li.classList[1]!)
    const dressed = (...colours: (string | null)[]): object => ({
      seats: table().seats.map((s, i) => ({ ...s, colour: colours[i] })),
    })
    expect(colours(room('human', true, dressed(null, 'p4', null)))).toEqual(['n', 'p4', 'n'])
    expect(colours(room('human', true, dressed('p1', 'p5', 'p3')))).toEqual(['p1', 'p5', 'p3'])
  })
})
