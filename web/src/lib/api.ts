/** Every HTTP call to the server; what travels is declared in wire.ts. */
import { settings } from './settings.svelte'
import type {
  AccountOffer,
  AccountWish,
  Analysis,
  AnalysisWish,
  BoardAnswer,
  Bots,
  Calls,
  Chart,
  Circle,
  ColourWish,
  Credentials,
  Deeds,
  Deleted,
  Done,
  ErrorBody,
  ErrorCode,
  Farewell,
  ForkWish,
  Found,
  GameRatings,
  Games,
  HookWish,
  House,
  Invitation,
  InvitationWish,
  Ladder,
  Line,
  LineWish,
  Log,
  MailWish,
  Me,
  Move,
  Myself,
  NameWish,
  NewPassword,
  NewTable,
  NewToken,
  PasswordReset,
  PastPosition,
  Played,
  Prepared,
  PreparedWish,
  Preparing,
  Preview,
  PushWish,
  PuzzleLine,
  PuzzleSheet,
  PuzzleTry,
  Puzzles,
  Quick,
  QuickWish,
  RecordUpload,
  Recovery,
  Registration,
  Reports,
  ReportWish,
  Residents,
  ReviewState,
  RoomWish,
  Seat,
  SeatWish,
  Sentence,
  Sessions,
  Seekers,
  Setups,
  Shelved,
  Shelving,
  Sitting,
  State,
  Stats,
  Studies,
  StudyFace,
  StudyWish,
  TableFace,
  Tested,
  TestWish,
  TieWish,
  TokenWish,
  Tokens,
  Why,
} from './wire'

/** What the server refused, with its own words. */
export class Refused extends Error {
  constructor(
    readonly code: ErrorCode | 'failed',
    message: string,
  ) {
    super(message)
  }
}

/** What a proxy refuses by itself. The rest it says in a server's place, since it got no answer. */
const BY_PROXY: Partial<Record<number, ErrorCode>> = { 413: 'too_large', 429: 'too_many' }

async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`/api${path}`, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const kind = answer.headers.get('content-type') ?? ''
  const said: unknown = kind.includes('json') ? await answer.json() : await answer.text()
  if (!answer.ok) {
    const { code = BY_PROXY[answer.status] ?? 'failed', message = '' } = (
      typeof said === 'object' && said !== null ? said : {}
    ) as Partial<ErrorBody>
    throw new Refused(code, message)
  }
  return said as Answer
}

const get = <Answer>(path: string): Promise<Answer> => ask<Answer>('GET', path)
/** The second type is what is sent. */
const post = <Answer, Body extends object = object>(path: string, body: Body): Promise<Answer> =>
  ask<Answer>('POST', path, body)
const put = <Answer, Body extends object>(path: string, body: Body): Promise<Answer> => ask<Answer>('PUT', path, body)
const kept = new Map<string, Promise<unknown>>()

/** Things that never change while the page is open are asked for once. */
function once<T>(path: string): Promise<T> {
  let known = kept.get(path)
  if (!known) {
    known = get<T>(path)
    known.catch(() => kept.delete(path))
    kept.set(path, known)
  }
  return known as Promise<T>
}

export const api = {
  me: () => get<Myself>('/me'),
  rename: (name: string) => post<Me, NameWish>('/me', { name }),
  offerName: (wish: string) => post<AccountOffer, AccountWish>('/account/name', { wish }),
  register: (account: string, password: string, offer?: string) =>
    post<Me, Registration>('/account', { account, password, offer }),
  signIn: (account: string, password: string) => post<Me, Credentials>('/session', { account, password }),
  signOut: () => ask<Me>('DELETE', '/session'),
  newPassword: (password: string, fresh: string) =>
    post<Me, NewPassword>('/account/password', { password, new: fresh }),
  resetPassword: (account: string, code: string, fresh: string) =>
    post<Me, PasswordReset>('/account/reset', { account, code, new: fresh }),
  calls: () => get<Calls>('/me/calls'),
  callByMail: (wish: MailWish) => put<Calls, MailWish>('/me/calls/mail', wish),
  noMail: () => ask<Calls>('DELETE', '/me/calls/mail'),
  callByPush: (wish: PushWish) => post<Calls, PushWish>('/me/calls/devices', wish),
  noPush: (device: string) => ask<Calls>('DELETE', `/me/calls/devices/${device}`),
  testCall: (way: TestWish['way']) => post<Tested, TestWish>('/me/calls/test', { way }),
  report: (wish: ReportWish) => post<Done, ReportWish>('/reports', wish),
  farewell: (password: string) => post<Me, Farewell>('/me/farewell', { password }),
  reports: () => get<Reports>('/admin/reports'),
  settle: (id: string) => post<Done>(`/admin/reports/${id}/settle`, {}),
  residents: (name: string) => get<Residents>(`/admin/people?named=${encodeURIComponent(name)}`),
  mutePerson: (id: string, hours: number | null) => put<Done, Sentence>(`/admin/people/${id}/mute`, { hours }),
  banPerson: (id: string, hours: number | null) => put<Done, Sentence>(`/admin/people/${id}/ban`, { hours }),
  renamePerson: (id: string, name: string) => put<Done, NameWish>(`/admin/people/${id}/name`, { name }),
  renameTable: (id: string, name: string) =>
    put<Done, NameWish>(`/admin/games/${encodeURIComponent(id)}/name`, { name }),
  closeTable: (id: string) => ask<Done>('DELETE', `/admin/games/${encodeURIComponent(id)}`),
  deeds: () => get<Deeds>('/admin/deeds'),
  forgotten: (account: string) => post<Done, Recovery>('/account/forgotten', { account, lang: settings.lang }),
  sessions: () => get<Sessions>('/me/sessions'),
  endSession: (id: string) => ask<Sessions>('DELETE', `/me/sessions/${id}`),
  endSessions: () => ask<Sessions>('DELETE', '/me/sessions'),
  tokens: () => get<Tokens>('/me/tokens'),
  addToken: (name: string) => post<NewToken, TokenWish>('/me/tokens', { name }),
  deleteToken: (id: string) => ask<Deleted>('DELETE', `/me/tokens/${id}`),
  setups: () => once<Setups>('/setups'),
  house: () => once<House>('/house'),
  bots: () => once<Bots>('/bots'),
  preparing: () => get<Preparing>('/preparing'),
  board: (id: string) => once<BoardAnswer>(`/boards/${id}`),
  create: (table: NewTable) => post<TableFace, NewTable>('/games', table),
  tables: (query: string) => get<Games>(`/games?${query}`),
  table: (id: string) => get<TableFace>(`/games/${id}`),
  /** As a watcher sees it, whoever asks. */
  state: (id: string) => get<State>(`/games/${id}/state?seat=none`),
  invite: (token: string) => get<Invitation>(`/invites/${token}`),
  accept: (token: string, name: string) => post<TableFace, Sitting>(`/invites/${token}`, { name }),
  join: (id: string, name: string, seat: Seat | null = null) =>
    post<TableFace, Sitting>(`/games/${id}/join`, { seat, name }),
  code: (code: string) => get<Found>(`/codes/${encodeURIComponent(code)}`),
  arrange: (id: string, auto: boolean) => put<TableFace, RoomWish>(`/games/${id}/room`, { auto_start: auto }),
  move: (id: string, seat: Seat, to: Seat) => post<TableFace, Move>(`/games/${id}/seats/${seat}/move`, { to }),
  dress: (id: string, seat: Seat, colour: Seat | null) =>
    put<TableFace, ColourWish>(`/games/${id}/seats/${seat}/colour`, { colour }),
  leave: (id: string) => post<TableFace, Sitting>(`/games/${id}/leave`, { seat: null }),
  free: (id: string, seat: string) => put<TableFace, SeatWish>(`/games/${id}/seats/${seat}`, { kind: 'open' }),
  remove: (id: string) => ask<Deleted>('DELETE', `/games/${id}`),
  shelve: (id: string, archived: boolean) => put<Shelved, Shelving>(`/games/${id}/archived`, { archived }),
  hook: (id: string, wish: HookWish) => put<TableFace, HookWish>(`/games/${id}/hook`, wish),
  noHook: (id: string) => ask<TableFace>('DELETE', `/games/${id}/hook`),
  start: (id: string) => post<TableFace>(`/games/${id}/start`, {}),
  fill: (id: string, seat: string, bot: string) =>
    put<TableFace, SeatWish>(`/games/${id}/seats/${seat}`, { kind: 'bot', bot }),
  fork: (id: string, number: number, seats: SeatWish[], name: string) =>
    post<TableFace, ForkWish>(`/games/${id}/fork`, { number, seats, name, order: 'fixed', start: true }),
  position: (id: string, number: number, query = '') => get<PastPosition>(`/games/${id}/positions/${number}${query}`),
  log: (id: string, from: number, to: number) => get<Log>(`/games/${id}/log?from=${from}&to=${to}`),
  preview: (id: string, number: number, decision: string, seat: string) =>
    get<Preview>(`/games/${id}/preview?number=${number}&seat=${seat}&decision=${encodeURIComponent(decision)}`),
  why: (id: string, seat: string, decision: string) =>
    get<Why>(`/games/${id}/why?seat=${seat}&decision=${encodeURIComponent(decision)}`),
  prepared: (id: string, number: number, seat: Seat, decisions: string[]) =>
    post<Prepared, PreparedWish>(`/games/${id}/prepared`, { number, seat, decisions }),
  chart: (id: string) => get<Chart>(`/games/${id}/chart`),
  analysis: (id: string, number: number, bot: string, line: string[] = []) =>
    post<Analysis, AnalysisWish>(`/games/${id}/analysis`, { number, bot, ...(line.length ? { line } : {}) }),
  review: (id: string) => get<ReviewState>(`/games/${id}/review`),
  beginReview: (id: string) => post<ReviewState>(`/games/${id}/review`, {}),
  line: (id: string, number: number, decisions: string[]) =>
    post<Line, LineWish>(`/games/${id}/line`, { number, decisions }),
  puzzles: () => get<Puzzles>('/puzzles'),
  puzzle: (id: string) => get<PuzzleSheet>(`/puzzles/${id}`),
  puzzleLine: (id: string, decisions: string[], reveal = false) =>
    post<PuzzleLine, PuzzleTry>(`/puzzles/${id}/line`, { decisions, reveal }),
  studies: () => get<Studies>('/studies'),
  study: (id: string) => get<StudyFace>(`/studies/${id}`),
  addStudy: (study: StudyWish) => post<StudyFace, StudyWish>('/studies', study),
  changeStudy: (id: string, study: StudyWish) => put<StudyFace, StudyWish>(`/studies/${id}`, study),
  deleteStudy: (id: string) => ask<Deleted>('DELETE', `/studies/${id}`),
  readStudy: (record: string) => post<StudyFace, RecordUpload>('/studies/records', { record }),
  upload: (record: string) => post<TableFace, RecordUpload>('/records', { record }),
  stats: (person = 'me') => get<Stats>(`/people/${person}/stats`),
  played: (person: string, query: string) => get<Played>(`/people/${person}/games?${query}`),
  ladder: (pool: Ladder['pool']) => get<Ladder>(`/ladder?pool=${pool}`),
  circle: () => get<Circle>('/me/circle'),
  tie: (person: string, kind: TieWish['kind']) => put<Circle, TieWish>(`/me/circle/${person}`, { kind }),
  untie: (person: string) => ask<Circle>('DELETE', `/me/circle/${person}`),
  decline: (id: string) => ask<Circle>('DELETE', `/games/${id}/invitations`),
  inviteTo: (id: string, person: string) => post<Circle, InvitationWish>(`/games/${id}/invitations`, { person }),
  quick: (wish: QuickWish) => post<Quick, QuickWish>('/quick', wish),
  stopQuick: () => ask<Deleted>('DELETE', '/quick'),
  seekers: () => get<Seekers>('/quick'),
  ratings: (id: string) => get<GameRatings>(`/games/${id}/ratings`),
}
