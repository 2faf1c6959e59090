/**
 * Everything that travels between page and server.
 * Written by `python -m hansa.server.wire` from `hansa.server.wire`: change it there.
 */

export type ErrorCode =
  | 'bad_request'
  | 'malformed_decision'
  | 'invalid_setup'
  | 'invalid_record'
  | 'unknown_bot'
  | 'bad_name'
  | 'bad_password'
  | 'who_are_you'
  | 'wrong_password'
  | 'bad_token'
  | 'not_your_seat'
  | 'not_host'
  | 'not_allowed'
  | 'banned'
  | 'muted'
  | 'needs_account'
  | 'blocked'
  | 'cross_site'
  | 'not_found'
  | 'method_not_allowed'
  | 'stale_number'
  | 'illegal_decision'
  | 'not_your_decision'
  | 'not_started'
  | 'already_started'
  | 'seat_taken'
  | 'not_rated'
  | 'colour_taken'
  | 'no_free_seat'
  | 'game_over'
  | 'not_over'
  | 'nothing_to_undo'
  | 'undo_needs_consent'
  | 'undo_shown'
  | 'undo_off'
  | 'no_such_proposal'
  | 'proposal_open'
  | 'has_account'
  | 'keeps_seat'
  | 'time_was_up'
  | 'rules_changed'
  | 'too_much_stored'
  | 'too_large'
  | 'unsupported_media_type'
  | 'too_many'
  | 'internal'
  | 'shutting_down'
  | 'busy'

export type Owner = 'p1' | 'p2' | 'p3' | 'p4' | 'p5' | 'n'

export type ScoreKey =
  | 'track'
  | 'skills'
  | 'markers'
  | 'prestige'
  | 'cities'
  | 'network'
  | 'missions'
  | 'regions'
  | 'total'

export type Seat = 'p1' | 'p2' | 'p3' | 'p4' | 'p5'

export type Shape = 't' | 'm'

export type Skill = 'keys' | 'actions' | 'privilege' | 'book' | 'bank'

export type TableStatus = 'open' | 'running' | 'over'

/** A name for a new account: the wish and four figures drawn by lot. */
export interface AccountOffer {
  account: string
  /** to be sent with the name within an hour */
  offer: string
}

/** What an account should be called, in whatever letters. */
export interface AccountWish {
  wish: string
}

/**
 * A message was carried out, and what it decided is stored.
 *
 * The `update` may come before or after it. `revision` and `number` of an `act` or `undo` are
 * those of its own entry.
 */
export interface Ack {
  type: 'ack'
  re: string | null
  /** milliseconds since 1970 */
  now: number
  revision: number
  number: number
}

/** Decide. */
export interface Act {
  type: 'act'
  /** comes back in the `ack`, `pong` or `error` */
  re?: string | null
  /** the table's present number */
  number: number
  decision: string
  /** recommended: after an undo the number alone could be right by chance */
  revision?: number | null
  /** left out: the deciding seat, if it is yours */
  seat?: Seat | null
}

/** A decision for the present number, and revision where it is given. */
export interface ActWish {
  number: number
  decision: string
  revision?: number | null
  /** left out: the deciding seat, if it is yours */
  seat?: Seat | null
}

/** A decision or its undoing, stored. */
export interface Acted {
  revision: number
  number: number
  entries: LogEntry[]
}

/** Actions from `plus3` or `plus4`. */
export interface ActionsGained {
  type: 'actions-gained'
  player: string
  actions: number
}

/** The process answers. */
export interface Alive {
  status: 'ok'
}

/** What a bot would do and, where it can tell, how it values the choices. */
export interface Analysis {
  number: number
  player: Seat
  bot: string
  decision: string
  /** the best first */
  options: Weighed[]
  /**
   * that decision and the rest of the turn as the bot expects it, everybody's decisions in it, as records write
   * them: `p1> place t a-b/1`
   */
  turn: string[]
  scores: Partial<Record<Seat, Score>>
}

/** What a bot would do after so many decisions. */
export interface AnalysisWish {
  number: number
  bot?: string | null
  /** decisions tried from there; when the game is over */
  line?: string[]
}

/** A skill that a city develops. */
export interface BadgePlace {
  x: number
  y: number
  skill: Skill
}

/** A board's data and how to draw it. */
export interface BoardAnswer {
  id: string
  data: BoardFile
  geometry: Geometry
  /** SVG that takes its colours from the page's custom properties */
  ground: string
  /** the symbols it uses, as SVG */
  defs: string
}

/** The board's file, as far as a client needs it. */
export interface BoardFile {
  id: string
  /** what all sides of the board have in common */
  family: string
  name: string
  size: [number, number]
  completed_cities_end: number
  east_west: LinkFile
  prestige: PrestigeFile
  regions: string[]
  permissions: PermissionFile[]
  cities: CityFile[]
  routes: RouteFile[]
  two_player?: TwoPlayers
}

/** The ids of the boards' sides. */
export interface BoardNames {
  boards: string[]
}

/** A marker given up to ignore borders this turn. */
export interface BorderFeePaid {
  type: 'border-fee-paid'
  player: string
  marker: string
}

/** A bot that can take a seat. */
export interface BotFace {
  name: string
  /** what a seat takes; settings may follow a colon */
  spec: string
  title: string
  text: string
  /** 0 for a bot of another package, else the stronger the higher */
  level: number
  /** has a rating: may sit at rated tables */
  rated: boolean
}

/** The bots that can take a seat. */
export interface Bots {
  bots: BotFace[]
  default: string
}

/** The server goes away; the socket closes. */
export interface Bye {
  type: 'bye'
  reason: 'restart'
  /** come back after so many seconds, with `after` */
  retry: number
}

/** How one is told. */
export interface Calls {
  /** the address in use */
  mail: string | null
  /** the address a letter has just gone to; it must be answered */
  asked: string | null
  devices: Device[]
}

/** What a game did to a rating. */
export interface Change {
  seat: Seat
  person: string
  rating: Rating
  gain: number
}

/** Totals at the end of every turn; while the game runs without missions. */
export interface Chart {
  points: ChartPoint[]
}

/** Everybody's total at the end of a turn. */
export interface ChartPoint {
  number: number
  turn: number
  scores: Partial<Record<Seat, number>>
}

/** New lines. */
export interface Chat {
  type: 'chat'
  messages: ChatLine[]
}

/** One line of chat. Its text is plain: show it as text, never as HTML. */
export interface ChatLine {
  id: number
  /** milliseconds since 1970 */
  at: number
  /** who said it, as an id */
  person: string | null
  seat: Seat | null
  name: string
  text: string
}

/** The people around somebody. */
export interface Circle {
  /** those who are here first */
  follows: Friend[]
  blocks: PersonName[]
  /** the newest first */
  invitations: Invited[]
}

/** A city completed; `completed` is the counter now. */
export interface CityCompleted {
  type: 'city-completed'
  city: string
  completed: number
}

/** A city of the board's file. */
export interface CityFile {
  id: string
  name: string
  xy: [number, number]
  houses: HouseFile[]
  skills: Skill[]
  green?: boolean
  regions?: string[]
}

/** A city. */
export interface CityPlace {
  x: number
  y: number
  name: string
  green: boolean
  houses: HousePlace[]
  rows: RowPlaces[]
  /** left, top, width and height */
  rect: [number, number, number, number]
  /** left, top, width and height */
  frame: [number, number, number, number]
  label: LabelPlace
  badges: BadgePlace[]
  permits: PermitPlace[]
  regions: string[]
}

/** A city: one entry a house from the left, and its extra offices. */
export interface CityView {
  offices: (string | null)[]
  extra: string[]
}

export type ClientMessage = Act | Undo | Propose | Vote | Return | Concede | Say | Look | Ping

/** Seconds to think: a bank, and an increment whenever the decision passes on. */
export interface Clock {
  bank: number
  increment?: number
  /** when a bank is empty: only shown, a bot takes the seat over, or the seat concedes */
  consequence?: 'bot' | 'lose' | 'none'
}

/** What a table's clock may be, in seconds. */
export interface ClockLimits {
  bank: Limits
  increment: Limits
  consequences: string[]
}

/** A colour by the seat that has it in the box; null: whichever is left. */
export interface ColourWish {
  colour: Seat | null
}

/** Give up. */
export interface Concede {
  type: 'concede'
  /** comes back in the `ack`, `pong` or `error` */
  re?: string | null
  seat?: Seat | null
}

/** A country's name. */
export interface CountryPlace {
  region: string
  name: string
  /** left, top, width and height */
  rect: [number, number, number, number]
}

/** An account (3 to 32 of `a–z 0–9 _ -`) and its password (8 to 200 characters). */
export interface Credentials {
  account: string
  password: string
}

/** What an admin did. */
export interface Deed {
  /** milliseconds since 1970 */
  at: number
  /** an account, or `command line` */
  by: string
  what: 'appoint' | 'ban' | 'close' | 'dismiss' | 'mute' | 'rename' | 'settle'
  /** the id of a person, a table or a report */
  subject: string
  detail: string
}

/** The newest hundred. */
export interface Deeds {
  deeds: Deed[]
}

/** It is gone. */
export interface Deleted {
  deleted: true
}

/** A browser that is told by push. */
export interface Device {
  id: string
  /** milliseconds since 1970 */
  created: number
}

/** It is done. */
export interface Done {
  done: true
}

/** A duel for two players. */
export interface DuelGate {
  allowed: boolean
  /** the engine's own sentence where it is closed */
  reason: string | null
  value: string
}

/** What may be switched on in an edition. */
export interface EditionGates {
  missions: Gate
  favours: Gate
  promos: Gate
  border_fee: Gate
}

/** A message was refused; nothing changed, and the connection stays open. */
export interface Error {
  type: 'error'
  re: string | null
  code: ErrorCode
  message: string
  detail: Record<string, unknown>
}

/** Every 4xx and 5xx of `/api`. */
export interface ErrorBody {
  code: ErrorCode
  /** a sentence in English that says what to do */
  message: string
  /** what a program may want to know of it */
  detail: Record<string, unknown>
}

/** Whoever has an account says its password once more. */
export interface Farewell {
  password?: string
}

/** A tile bought. */
export interface FavourBought {
  type: 'favour-bought'
  player: string
  tile: string
}

/** A new table from a position of a finished game; seats as for a new table. */
export interface ForkWish {
  /** false: once the game runs only seated people may look */
  watchers?: boolean
  /** false: taking back always needs asking */
  undo?: boolean
  /** `draw`: the starting player is drawn by lot; `fixed`: the first seat starts */
  order?: 'draw' | 'fixed'
  clock?: Clock | null
  /** the game begins by itself as soon as no seat is open */
  auto_start?: boolean
  /** the result counts for the ratings; everybody at the table has an account */
  rated?: boolean
  /**
   * seconds that somebody who is away keeps the seat while the table waits for him; null: as long as the clock's
   * bank (five minutes to a week), a day without a clock
   */
  absence?: number | null
  name?: string | null
  /** `unlisted`: whoever has the link; `open`: in the lobby */
  visibility?: 'open' | 'unlisted'
  bot_delay?: number | null
  /** start at once when no seat is open */
  start?: boolean
  number: number
  seats: SeatWish[]
}

/** The position a table began from. */
export interface ForkedFrom {
  game: string
  number: number
}

/** The table that a code leads to. */
export interface Found {
  game: string
}

/** Something begun that is still to be decided; its keys depend on `what`. */
export interface Frame {
  what: string
  player: Seat
  count?: number
  waiting?: Shape | null
  added?: number
  route?: string
  left?: number
  by?: string
  made?: number
  t?: number
  m?: number
  to?: string
  asked?: number
  marker?: string
  gain?: string
}

/** Somebody one follows. */
export interface Friend {
  person: PersonName
  /** the page was open within the last two minutes */
  here: boolean
  /** a listed game that this person plays now */
  game: string | null
}

/** The game is over: `prestige`, `markers` or `cities`. */
export interface GameEnded {
  type: 'game-ended'
  reason: string
}

export type GameEvent =
  | ActionsGained
  | BorderFeePaid
  | CityCompleted
  | FavourBought
  | GameEnded
  | Linked
  | MarkerDiscarded
  | MarkerDrawn
  | MarkerExchanged
  | MarkerLaid
  | MarkerTaken
  | MarkerUsed
  | NothingToDraw
  | OfficeFounded
  | OfficesSwapped
  | PawnMoved
  | PermissionUsed
  | PieceMoved
  | PointsGained
  | PromoLaid
  | RouteEstablished
  | SkillDeveloped
  | TurnBegan
  | TurnEnded

/** What a game did to the ratings of those who played it. */
export interface GameRatings {
  changes: Change[]
}

/** The set-up with everything resolved; its seed is hidden until the end. */
export interface GameSetup {
  board: string
  players: number
  edition: string
  missions: boolean
  favours: boolean
  promos: string[]
  duel: string | null
  border_fee: boolean
  seed: number | '?' | null
}

/** A list of tables, the newest first. */
export interface Games {
  games: ListedTable[]
  /** `before` of the next page; null: that was all */
  next: string | null
}

/** Whether a choice is open. */
export interface Gate {
  allowed: boolean
  /** the engine's own sentence where it is closed */
  reason: string | null
}

/** Where everything of a board lies. */
export interface Geometry {
  board: string
  name: string
  size: [number, number]
  /** left, top, width and height */
  view: [number, number, number, number]
  scale: number
  panel_scale: number
  cities: Record<string, CityPlace>
  routes: Record<string, RoutePlace>
  prestige: PrestigePlace
  completed: TrackPlace
  link: LinkPlace
  ribbon: RibbonPlace
  countries: CountryPlace[]
  favours: [number, number]
  provinces: ProvincePlace[]
  soldiers: SoldierPlace[]
}

/** How the server does. */
export interface Health {
  status: 'ok' | 'unavailable'
  troubles: ('listening' | 'reading' | 'starting' | 'stopping' | 'writing')[]
  version: string
  contract: number
  protocol: number
  store: 'postgresql' | 'sqlite'
  tables: number
  connections: number
}

/** The webhook of a table, as its service shows it; nobody is shown it again. */
export interface HookWish {
  service: 'discord' | 'json' | 'slack'
  address: string
  lang?: 'de' | 'en' | 'ja'
}

/** Everything that decisions and markers are called, extensions included. */
export interface House {
  /** how each kind of decision is written */
  forms: string[]
  markers: MarkerFace[]
  /** words of extensions, by language */
  words: Record<string, Record<string, string>>
  /** icons of extensions, as symbols of SVG */
  icons: string
}

/** A house of a city. */
export interface HouseFile {
  shape: 'merchant' | 'trader'
  privilege: 'black' | 'orange' | 'pink' | 'white'
  coin?: number
}

/** A house as it is drawn. */
export interface HousePlace {
  shape: 'merchant' | 'trader'
  privilege: 'black' | 'orange' | 'pink' | 'white'
  coin: number
}

/** What an invite link is for. */
export interface Invitation {
  game: TableFace
  seat: Seat
}

/** Whom to ask to a table. */
export interface InvitationWish {
  person: string
}

/** Somebody asks one to a table that waits for players. */
export interface Invited {
  game: string
  by: PersonName
  /** milliseconds since 1970 */
  at: number
}

/** One turn of a game, weighed as a whole. */
export interface JudgedTurn {
  /** how many decisions came before it */
  number: number
  turn: number
  player: Seat
  /** the share of the win that everybody may expect before it */
  shares: Partial<Record<Seat, number>>
  /** what it gave away of that, beside the better turn */
  lost: number
  mark: '' | 'mistake' | 'slip'
  /** a better turn as a record writes it: `p1> end` */
  better: string[]
}

/** A city's name. */
export interface LabelPlace {
  x: number
  y: number
  text: string
  size: number
  width: number
  plate: 'brass' | 'green' | 'link' | null
  /** left, top, width and height */
  rect: [number, number, number, number]
}

/** Who is how good: the best first, then those whose rating is provisional. */
export interface Ladder {
  pool: 'duel' | 'table'
  rows: LadderRow[]
  /** the best first */
  machines: MachineRating[]
}

/** One person on the ladder. */
export interface LadderRow {
  /** null while the rating is provisional */
  place: number | null
  person: PersonName
  rating: Rating
  /** rated games of this kind */
  games: number
  /** the end of the last of them */
  last: number
}

/** Bounds of a number. */
export interface Limits {
  least: number
  most: number
}

/** Where a line leads, as whoever decides there sees it; nothing is stored. */
export interface Line {
  position: Position
  entries: LogEntry[]
}

/** Decisions to be tried one after the other from a position. */
export interface LineWish {
  /** of the position they begin from */
  number: number
  decisions: string[]
}

/** The two cities to be linked, and the points for the first, second, … */
export interface LinkFile {
  cities: [string, string]
  points: number[]
}

/** The plaque of the link. */
export interface LinkPlace {
  /** left, top, width and height */
  rect: [number, number, number, number]
  places: PointsPlace[]
}

/** The link made, as the first, second, … */
export interface Linked {
  type: 'linked'
  player: string
  rank: number
}

/** A table in a list: whose turn it is, and of its proposals those that wait for the viewer. */
export interface ListedTable {
  /** false: once the game runs only seated people may look */
  watchers: boolean
  /** false: taking back always needs asking */
  undo: boolean
  /** `draw`: the starting player is drawn by lot; `fixed`: the first seat starts */
  order: 'draw' | 'fixed'
  clock: Clock | null
  /** the game begins by itself as soon as no seat is open */
  auto_start: boolean
  /** the result counts for the ratings; everybody at the table has an account */
  rated: boolean
  /** seconds that somebody who is away keeps the seat while the table waits for him */
  absence: number
  protocol: number
  id: string
  name: string
  status: TableStatus
  /** its seed is null until the game is over, unless `seeded` */
  setup: GameSetup
  /** the id of the board's side */
  board: string
  /** somebody chose the seed, and may know what is hidden */
  seeded: boolean
  /** the behaviour of the rules it is played by */
  rules: string
  visibility: 'open' | 'unlisted'
  /** seconds a bot waits before it decides */
  bot_delay: number
  host: string
  /** four syllables to say aloud; they lead here */
  code: string | null
  /** milliseconds since 1970 */
  created: number
  started: number | null
  ended: number | null
  seats: SeatFace[]
  you: You
  /** how many look on without a seat */
  watching: number
  /** grows with each change of the table */
  version: number
  /** how many entries the log has */
  revision: number
  /** how many decisions stand */
  number: number
  result: Result | null
  /** the id of the table that followed */
  rematch: string | null
  forked_from: ForkedFrom | null
  /** the address of its page, which is the watch link too */
  watch: string
  /** the server tells what a decision would do */
  previews: boolean
  /** the service that is told what happens here */
  hook: 'discord' | 'json' | 'slack' | null
  /** with a clock: the moment `remaining` was written down */
  clock_at?: number
  /** with a clock: the seat whose clock runs */
  ticking?: Seat | null
  /** the number of the turn, while it runs */
  turn: number | null
  /** the seat that decides, while it runs */
  player: Seat | null
  /** whoever asks decides for that seat now: not after conceding, nor while a stand-in plays */
  your_turn: boolean
  /** votes that wait for whoever looks */
  asks: Proposal[]
  /** while it waits for players: how good those are who have a rating */
  ratings: Partial<Record<Seat, Rating>>
}

/** Decisions that stand. */
export interface Log {
  log: LogEntry[]
  from: number
  number: number
}

/** One line of the log as the receiver may see it. */
export interface LogEntry {
  revision: number
  /** how many decisions stand with it; of an `undo` the one gone back to */
  number: number
  /** all but `decision`, `undo` and `over` leave the position as it is */
  kind: 'concede' | 'decision' | 'lapsed' | 'over' | 'refused' | 'return' | 'standin' | 'timeout' | 'undo'
  player: Seat | null
  /**
   * the decision; of `undo` how many, of `standin` the bot, of `over` and `timeout` why, of a vote that was
   * `refused` (by `player`) or `lapsed` (asked for by `player`) its kind
   */
  text: string
  turn: number
  /** milliseconds since 1970 */
  at: number
  /** `clock`: a bank ran out; `host`: a repair; `standin`: for the absent */
  by: 'bot' | 'clock' | 'host' | 'person' | 'standin'
  /** what it brought about, in order */
  events: GameEvent[]
  /** of an `undo`: how many decisions were taken back */
  undone?: number
  /** of an `undo`: an action half done was left; nobody needs to be told */
  cancelled?: boolean
}

/** Choose whose view to get. Answered by an `update` with no entries. */
export interface Look {
  type: 'look'
  /** comes back in the `ack`, `pong` or `error` */
  re?: string | null
  /** `auto`, one of your seats, or null: as a watcher */
  seat?: string | null
}

/** A machine's rating, which never changes. */
export interface MachineRating {
  bot: string
  level: number
  title: string
  value: number
}

/** An e-mail address to write to, once the letter sent there has been answered. */
export interface MailWish {
  address: string
  lang?: 'de' | 'en' | 'ja'
  /** of one's account; guests have none */
  password?: string
}

/** A marker out of the game: `neutral`, `fee`, or `plate` at the end (then unnamed). */
export interface MarkerDiscarded {
  type: 'marker-discarded'
  player: string
  marker: string | null
  reason: string
  route: string | null
}

/** A marker drawn unseen onto the plate. */
export interface MarkerDrawn {
  type: 'marker-drawn'
  player: string
}

/** A used marker of another player taken for an exchange. */
export interface MarkerExchanged {
  type: 'marker-exchanged'
  player: string
  other: string
  marker: string
}

/** A kind of marker. */
export interface MarkerFace {
  name: string
  /** the rule that explains it */
  rule: string
  promo: boolean
  /** it stays at a route for the rest of the game */
  laid: boolean
  /** printed on a board */
  permanent: boolean
}

/** A marker from the plate laid at a route. */
export interface MarkerLaid {
  type: 'marker-laid'
  player: string
  marker: string
  route: string
}

/** A marker taken from an established route. */
export interface MarkerTaken {
  type: 'marker-taken'
  player: string
  marker: string
  route: string
}

/** A marker used, or turned face down to pay for a tile. */
export interface MarkerUsed {
  type: 'marker-used'
  player: string
  marker: string
}

/** Who is asking; null: nobody yet. */
export interface Me {
  person: PersonFace | null
}

/** Another seat to go to. */
export interface Move {
  to: Seat
}

/** Everything that is stored about whoever asks, but for secrets, of which only hashes are kept. */
export interface MyData {
  person: Record<string, unknown>
  tables: Record<string, unknown>[]
  /** those one made */
  reports: Record<string, unknown>[]
  invitations: Record<string, unknown>[]
  devices: Record<string, unknown>[]
  tokens: Record<string, unknown>[]
  sessions: Record<string, unknown>[]
  chat: Record<string, unknown>[]
  /** of what one was told, and when */
  told: Record<string, unknown>[]
  archived: Record<string, unknown>[]
  /** for a quick game */
  searches: Record<string, unknown>[]
  /** whom one follows or blocks */
  circle: Record<string, unknown>[]
  ratings: Record<string, unknown>[]
  studies: Record<string, unknown>[]
}

/** Who is asking, and how this server can tell people who are away. */
export interface Myself {
  person: PersonFace | null
  ways: Ways
}

/** A display name of 1 to 40 characters. */
export interface NameWish {
  name?: string | null
}

/** The neutral colour of the neutral duel. */
export interface NeutralView {
  points: number
}

/** The old password and the new one. */
export interface NewPassword {
  password: string
  new: string
}

/** A new table: exactly as many seats as players. */
export interface NewTable {
  /** false: once the game runs only seated people may look */
  watchers?: boolean
  /** false: taking back always needs asking */
  undo?: boolean
  /** `draw`: the starting player is drawn by lot; `fixed`: the first seat starts */
  order?: 'draw' | 'fixed'
  clock?: Clock | null
  /** the game begins by itself as soon as no seat is open */
  auto_start?: boolean
  /** the result counts for the ratings; everybody at the table has an account */
  rated?: boolean
  /**
   * seconds that somebody who is away keeps the seat while the table waits for him; null: as long as the clock's
   * bank (five minutes to a week), a day without a clock
   */
  absence?: number | null
  name?: string | null
  /** `unlisted`: whoever has the link; `open`: in the lobby */
  visibility?: 'open' | 'unlisted'
  bot_delay?: number | null
  /** start at once when no seat is open */
  start?: boolean
  setup: SetupWish
  seats: SeatWish[]
}

/** An API token with its secret, shown this once. */
export interface NewToken {
  id: string
  name: string
  /** milliseconds since 1970 */
  created: number
  token: string
}

/** The supply is empty: the game ends after this action (END-2). */
export interface NothingToDraw {
  type: 'nothing-to-draw'
  player: string
}

/** An office: in a house (from 1), or extra (`house` null) at the left or right end. */
export interface OfficeFounded {
  type: 'office-founded'
  player: string
  city: string
  piece: string
  house: number | null
  side: string
}

/** The offices of houses `house` and `house` + 1 changed places. */
export interface OfficesSwapped {
  type: 'offices-swapped'
  city: string
  house: number
}

/** Somebody else at a table that is over. */
export interface Opponent {
  seat: Seat
  name: string
  /** null: a machine */
  person: string | null
  bot: string | null
  /** after the game; null: a machine, or not rated */
  rating: Rating | null
  rank: number
  points: number
}

/** An account, the host's one-time code and the new password. */
export interface PasswordReset {
  account: string
  code: string
  new: string
}

/** A position of the past; nothing is legal there. */
export interface PastPosition {
  revision: number
  number: number
  /** whose view this is; null: a watcher's */
  seat: Seat | null
  view: View
  turn: number
  active: Seat
  /** whose decision it is */
  player: Seat
  /** a short word for what is being decided */
  phase: string
  actions_left: number
  stock: Partial<Record<Seat, Pieces>>
  control: Record<string, Owner | null>
  /** how many cities are completed */
  completed: number
  scores: Partial<Record<Seat, Score>>
  /** the decisions as texts, in the engine's order; null unless the viewing seat is the one that decides */
  legal: string[] | null
  undo: UndoFace
  over: boolean
  end_reason: string | null
  winners: Seat[]
  /** the entry of the log that led there */
  entry: LogEntry | null
}

/** The pawn moved; `source` is null when it is first placed. */
export interface PawnMoved {
  type: 'pawn-moved'
  source: number | null
  target: number
  free: boolean
}

/** In the middle of an action: what waits on what, the next decision last. */
export interface Pending {
  stack: Frame[]
  /** piece and the post it came from */
  hand: [string, string][]
  /** post and what stood there before a Move */
  touched: ([string, string | null])[]
  short: boolean
}

/** A city that permits actions in other countries. */
export interface PermissionFile {
  city: string
  regions: string[]
}

/** A city's permission used up for this turn. */
export interface PermissionUsed {
  type: 'permission-used'
  player: string
  city: string
}

/** A country that a city permits actions in. */
export interface PermitPlace {
  x: number
  y: number
  region: string
}

/** Who one is. */
export interface PersonFace {
  id: string
  name: string
  account: string | null
  guest: boolean
  admin: boolean
}

/** Somebody. */
export interface PersonName {
  id: string
  name: string
}

/**
 * A piece went from one place to another.
 *
 * Places: `post:<post>`, `stock:<player>`, `supply:<player>`, `hand:<player>`, `city:<city>`,
 * `extra:<city>`, `prestige:<value>`, `track:<skill>`, `laid:<route>`.
 */
export interface PieceMoved {
  type: 'piece-moved'
  piece: string
  source: string
  target: string
}

/** Pieces by shape: traders and merchants. */
export interface Pieces {
  t: number
  m: number
}

/** Is anybody there? */
export interface Ping {
  type: 'ping'
  /** comes back in the `ack`, `pong` or `error` */
  re?: string | null
}

/** Finished games of a person, the newest first. */
export interface Played {
  games: PlayedGame[]
  /** `before` of the next page; null: that was all */
  next: string | null
}

/** A finished game of a person. */
export interface PlayedGame {
  id: string
  /** milliseconds since 1970 */
  ended: number
  board: string
  players: number
  rated: boolean
  seat: Seat
  rank: number
  points: number
  /** as in `Result` */
  reason: string
  /** this person did not play to the end */
  left: boolean
  /** what it did to the rating; null: not rated */
  gain: number | null
  opponents: Opponent[]
}

/** A player's desk. Hidden entries are `?`, so that counts stay. */
export interface PlayerView {
  points: number
  supply: Pieces
  skills: Skills
  markers: string[]
  used: string[]
  plate: string[]
  favours: string[]
  mission: string[] | null
}

/** Prestige on the track, for `control`, `coin` or `link`. */
export interface PointsGained {
  type: 'points-gained'
  player: string
  points: number
  reason: string
  city: string
}

/** Points for a link. */
export interface PointsPlace {
  x: number
  y: number
  points: number
}

/** Somebody is there. */
export interface Pong {
  type: 'pong'
  re: string | null
  /** milliseconds since 1970 */
  now: number
  revision: number
  number: number
}

/** Somebody's rating of one kind, and how it came to be. */
export interface PoolRating {
  pool: 'duel' | 'table'
  rating: Rating
  games: number
  /** the last 300, the oldest first */
  history: RatingPoint[]
}

/** A position with everything derived that a viewer may know. */
export interface Position {
  revision: number
  number: number
  /** whose view this is; null: a watcher's */
  seat: Seat | null
  view: View
  turn: number
  active: Seat
  /** whose decision it is */
  player: Seat
  /** a short word for what is being decided */
  phase: string
  actions_left: number
  stock: Partial<Record<Seat, Pieces>>
  control: Record<string, Owner | null>
  /** how many cities are completed */
  completed: number
  scores: Partial<Record<Seat, Score>>
  /** the decisions as texts, in the engine's order; null unless the viewing seat is the one that decides */
  legal: string[] | null
  undo: UndoFace
  over: boolean
  end_reason: string | null
  winners: Seat[]
}

/** A post of a route. */
export interface PostFile {
  xy: [number, number]
  ship?: boolean
}

/** A post. */
export interface PostPlace {
  x: number
  y: number
  id: string
  ship: boolean
}

/** How far they could be played there, as their player sees it; nothing is stored. */
export interface Prepared {
  position: Position
  entries: LogEntry[]
  /** why the decision after the last of `entries` is not allowed */
  refused: Why | null
}

/** Decisions of one's own next turn, as if it began in that position. */
export interface PreparedWish {
  /** of the position they are prepared in */
  number: number
  seat: Seat
  decisions: string[]
}

/** How far the bots that think ahead are compiled, once for a version of the package. */
export interface Preparing {
  /** 0 to 1 while it goes on, until then they think briefly; null: it does not */
  share: number | null
}

/** The city with the prestige spaces. */
export interface PrestigeFile {
  city: string
  spaces: PrestigeSpace[]
  xy: [number, number]
}

/** The prestige spaces. */
export interface PrestigePlace {
  /** left, top, width and height */
  rect: [number, number, number, number]
  spaces: PrestigeSpacePlace[]
}

/** A prestige space. */
export interface PrestigeSpace {
  privilege: 'black' | 'orange' | 'pink' | 'white'
  points: number
}

/** A prestige space. */
export interface PrestigeSpacePlace {
  x: number
  y: number
  points: number
  privilege: 'black' | 'orange' | 'pink' | 'white'
}

/** What a decision would bring about, as far as the one who decides can know. */
export interface Preview {
  events: GameEvent[]
  position: Position | null
  /** the position asked for has passed */
  late?: true
}

/** A tribute or block laid at a route for good. */
export interface PromoLaid {
  type: 'promo-laid'
  player: string
  marker: string
  route: string
}

/** A vote that is open. A further decision ends an open `undo` or `standin`. */
export interface Proposal {
  id: number
  kind: 'end' | 'rematch' | 'standin' | 'undo'
  by: Seat
  number: number
  yes: Seat[]
  waiting: Seat[]
  /** when silence counts as the table of votes says */
  until: number
  to: number | null
  seat: Seat | null
  bot: string | null
}

/** Ask the others; the table of votes says what may be asked for, and when. */
export interface Propose {
  type: 'propose'
  /** comes back in the `ack`, `pong` or `error` */
  re?: string | null
  kind: 'end' | 'rematch' | 'standin' | 'undo'
  /** of `undo` */
  to?: number | null
  /** of `standin` */
  seat?: Seat | null
}

/** JSON schemas of every WebSocket message. */
export interface Protocol {
  protocol: number
  client: Record<string, unknown>
  server: Record<string, unknown>
}

/** A province of the pawn duel. */
export interface ProvinceFile {
  id: number
  name: string
  xy: [number, number]
  routes: string[]
}

/** A province. */
export interface ProvincePlace {
  x: number
  y: number
  id: number
  name: string
  routes: string[]
}

/** What a browser says of its push subscription. */
export interface PushWish {
  endpoint: string
  p256dh: string
  auth: string
  lang?: 'de' | 'en' | 'ja'
}

/** A puzzle in a list. */
export interface PuzzleFace {
  /** of a turn of a finished game: its id, a dot, the number */
  id: string
  /** the id of the board's side */
  board: string
  players: number
  themes: string[]
}

/** Where the decisions lead. */
export interface PuzzleLine {
  position: Position
  entries: LogEntry[]
  /** the turn is over */
  whole: boolean
  /** it leads where the best turn leads */
  right: boolean
  /** when it was found, or given up */
  solution: PuzzleSolution | null
}

/** What is needed to begin. */
export interface PuzzleSheet {
  /** of a turn of a finished game: its id, a dot, the number */
  id: string
  /** the id of the board's side */
  board: string
  players: number
  themes: string[]
  setup: GameSetup
  /** whose turn is to be found */
  player: Seat
  /** decisions before it */
  number: number
}

/** The best turn. */
export interface PuzzleSolution {
  /** as a record writes it: `p1> end` */
  turn: string[]
  /**
   * the share of the win by which it is better than the next best turn; of one's own mistake: than what was played
   */
  gain: number
}

/** The decisions of whoever solves; the others answer by themselves. */
export interface PuzzleTry {
  decisions: string[]
  /** give up, and be told */
  reveal?: boolean
}

/** All puzzles there are for somebody. */
export interface Puzzles {
  shipped: PuzzleFace[]
  /** one's own mistakes in games that were reviewed, the newest game first */
  own: PuzzleFace[]
}

/** How far the search is. */
export interface Quick {
  /** the table that was found */
  game: string | null
  /** how many wait for the same, oneself included */
  waiting: number
  /** when machines take the free seats */
  until: number | null
}

/** What those who play together have to agree on. */
export interface QuickKind {
  players: number
  clock?: Clock | null
  rated?: boolean
}

/** A game soon: sent again every few seconds, for whoever falls silent is not seated. */
export interface QuickWish {
  kind: QuickKind
  /** seconds of waiting after which machines take the free seats; null: never */
  machines_after?: number | null
  /** which machines; null: the usual ones */
  bot?: string | null
}

/** How good somebody is: 1500 is the machine called Journeyman, and a newcomer. */
export interface Rating {
  value: number
  /** half of the 95 % interval */
  uncertainty: number
  /** too uncertain for a place on the ladder */
  provisional: boolean
}

/** A rating after a game. */
export interface RatingPoint {
  /** milliseconds since 1970 */
  at: number
  game: string
  value: number
  uncertainty: number
}

/** A record as text, and a name for its table. */
export interface RecordUpload {
  record: string
  name?: string | null
}

/** Whose password is forgotten, and the language of the letter. */
export interface Recovery {
  /** the account, or its confirmed e-mail address */
  account: string
  lang?: 'de' | 'en' | 'ja'
}

/** An account's name and its password; without an offer figures are put behind the name. */
export interface Registration {
  account: string
  password: string
  offer?: string | null
}

/** What somebody reported. */
export interface Report {
  id: string
  /** milliseconds since 1970 */
  at: number
  by: string
  by_name: string
  about: string | null
  about_name: string | null
  game: string | null
  table: string | null
  reason: string
}

/** What is wrong, at which table, and with whom: a seat, or whoever wrote a line of chat. */
export interface ReportWish {
  reason: string
  game?: string | null
  seat?: Seat | null
  person?: string | null
}

/** Reports that nobody has settled, the oldest first. */
export interface Reports {
  reports: Report[]
}

/** Somebody as admins see him. */
export interface Resident {
  id: string
  name: string
  account: string | null
  admin: boolean
  /** until when; null: not */
  muted: number | null
  /** until when; null: not */
  banned: number | null
  /** milliseconds since 1970 */
  created: number
}

/** People, the newest first, at most a hundred. */
export interface Residents {
  people: Resident[]
}

/** How a game ended. */
export interface Result {
  /** of the rules, or what people did; `closed`: by the admins; `unfinished`: a record that stops early */
  reason: 'abandoned' | 'agreed' | 'cities' | 'closed' | 'conceded' | 'markers' | 'prestige' | 'unfinished'
  winners: Seat[]
  scores: Partial<Record<Seat, Score>>
  conceded: Seat[]
  /** who did not play to the end: gave up, ran out of time, was replaced by a machine, or let the game lapse */
  left: Seat[]
}

/** Take one's seat back from its stand-in. */
export interface Return {
  type: 'return'
  /** comes back in the `ack`, `pong` or `error` */
  re?: string | null
}

/** A whole game, turn by turn. */
export interface Review {
  /** the search that judged */
  bot: string
  turns: JudgedTurn[]
}

/** How far a review is. */
export interface ReviewState {
  state: 'done' | 'failed' | 'none' | 'working'
  /** turns judged */
  done: number
  total: number
  review: Review | null
}

/** The score track. */
export interface RibbonPlace {
  x: number
  y: number
  w: number
  h: number
  pin_y: number
}

/** What the host may change before the start. */
export interface RoomWish {
  auto_start: boolean
}

/** A route established, by a player or by neutral. */
export interface RouteEstablished {
  type: 'route-established'
  player: string
  route: string
}

/** A route of the board's file. */
export interface RouteFile {
  id: string
  cities: [string, string]
  posts: PostFile[]
  tavern?: boolean
  permanent?: string
  region?: string
}

/** A route. */
export interface RoutePlace {
  cities: [string, string]
  path: string
  posts: PostPlace[]
  sea: boolean
  region: string | null
  tavern: boolean
  permanent: string | null
  marker: SealPlace
  laid: Spot[]
  middle: [number, number]
}

/** A route: its posts from its first city, the marker at its tavern, promo markers for good. */
export interface RouteView {
  posts: (string | null)[]
  marker: string | null
  laid: string[]
}

/** The houses of a city for one number of extra offices. */
export interface RowPlaces {
  shift: number
  y: number
  houses: number[]
  stalls: number[]
  shared: boolean
  extra: [number, number, number][]
  /** left, top, width and height */
  plinth: [number, number, number, number]
}

/** Talk: 1 to 500 characters, a person five times in ten seconds. */
export interface Say {
  type: 'chat'
  /** comes back in the `ack`, `pong` or `error` */
  re?: string | null
  text: string
}

/** Points by account, as if the game ended now. */
export interface Score {
  track: number
  skills: number
  markers: number
  prestige: number
  cities: number
  network: number
  /** null while the viewer may not know; then `total` leaves them out */
  missions: number | null
  regions: number
  total: number
}

/** The marker at a route, and the thread it hangs on. */
export interface SealPlace {
  x: number
  y: number
  tether: [number, number, number, number]
}

/** One place at the table. */
export interface SeatFace {
  seat: Seat
  kind: 'bot' | 'human' | 'open'
  name: string
  bot: string | null
  /** whose games and rating can be looked up */
  person: string | null
  present: boolean
  yours: boolean
  host: boolean
  /** whose pieces are used; null while the order is still to be drawn */
  colour: Seat | null
  /** the name looks like that of another person at the table */
  imitates: boolean
  /**
   * seats of other people who came from the same address, as far as is known; told to those who sit here and to
   * the host alone
   */
  near: Seat[]
  conceded: boolean
  /** the bot that plays for an absent person */
  standin: string | null
  /** the invite link, shown to the host only */
  invite: string | null
  /** the clock's rest in milliseconds; null without a clock */
  remaining: number | null
  /** since when this person is not at the table */
  away: number | null
  /** while the table waits for somebody who is away: from when on the others may ask for a stand-in */
  deadline: number | null
}

/** Who shall sit there. */
export interface SeatWish {
  /** `me`: whoever asks, several are a hot seat; `open`: whoever comes through the invite link or the lobby */
  kind: 'bot' | 'me' | 'open'
  name?: string | null
  /** names the bot where the kind is `bot` */
  bot?: string | null
}

/** Who waits for a quick game just now. */
export interface Seekers {
  seekers: Seeking[]
}

/** People who wait for the same. */
export interface Seeking {
  players: number
  clock: Clock | null
  rated: boolean
  waiting: number
}

/** For how long; null: for ever, 0: no longer. */
export interface Sentence {
  hours: number | null
}

export type ServerMessage = Snapshot | Update | TableChanged | Chat | Ack | Pong | Error | Bye

/** A browser that is signed in. */
export interface Session {
  id: string
  /** milliseconds since 1970 */
  created: number
  /** what the browser said of itself */
  agent: string
  /** the one that asks */
  here: boolean
}

/** Where one is signed in, the newest first. */
export interface Sessions {
  sessions: Session[]
}

/** A board for a number of players. */
export interface SetupChoice {
  allowed: boolean
  /** the engine's own sentence where it is closed */
  reason: string | null
  board: string
  players: number
  /** the id of the board's side */
  file: string
  duels: DuelGate[]
  default_duel: string | null
  editions: Record<string, EditionGates>
}

/** Whether the engine takes a set-up. */
export interface SetupVerdict {
  ok: boolean
  error: string | null
  /** with everything resolved */
  setup: GameSetup | null
}

/** The contract's set-up; every option may be left out. */
export interface SetupWish {
  board?: string
  players?: number
  edition?: string
  /** null: a secret one is drawn */
  seed?: number | null
  missions?: boolean
  favours?: boolean
  promos?: string[]
  duel?: string | null
  border_fee?: boolean
}

/** Every choice of set-up, with the reason where it is closed. */
export interface Setups {
  protocol: number
  boards: string[]
  players: number[]
  editions: string[]
  promos: string[]
  max_promos: number
  clock: ClockLimits
  /** one for each board and number of players */
  choices: SetupChoice[]
}

/** Whether a table is out of one's own list. */
export interface Shelved {
  archived: boolean
}

/** Whether one wants to see a table among one's own. */
export interface Shelving {
  archived: boolean
}

/** A seat, or none for the only possible one, and a name to sit there with. */
export interface Sitting {
  seat?: Seat | null
  name?: string | null
}

/** One step of a skill; `actions` are gained at once. */
export interface SkillDeveloped {
  type: 'skill-developed'
  player: string
  skill: string
  level: number
  actions: number
}

/** The level of every skill: pieces already taken off its track. */
export interface Skills {
  keys: number
  actions: number
  privilege: number
  book: number
  bank: number
}

/** The first message of a fresh connection. */
export interface Snapshot {
  type: 'snapshot'
  protocol: number
  /** milliseconds since 1970 */
  now: number
  table: TableFace
  position: Position | null
  /** the last 100 decisions that stand, and what else happened among them */
  log: LogEntry[]
  /** how many earlier decisions are left out */
  log_from: number
  /** the last 100 lines */
  chat: ChatLine[]
  look: string | null
}

/** A soldier between two cities. */
export interface SoldierPlace {
  x: number
  y: number
  cities: [string, string]
  ends: [[number, number], [number, number]]
}

/** A place. */
export interface Spot {
  x: number
  y: number
}

/** A table, its position and the end of its log. */
export interface State {
  table: TableFace
  /** null before the start */
  position: Position | null
  log: LogEntry[]
  /** how many earlier decisions are left out */
  log_from: number
}

/**
 * Finished games of a person, as far as whoever asks may see them.
 *
 * A hot seat with oneself is neither won nor lost, and not counted.
 */
export interface Stats {
  person: PersonName
  guest: boolean
  /** when this person came first */
  since: number
  games: number
  wins: number
  mean_score: number | null
  /** by board */
  boards: Record<string, Tally>
  /** by number of players */
  players: Record<string, Tally>
  /** by seat, in turn order */
  seats: Record<string, Tally>
  ratings: PoolRating[]
}

/** One's own studies, the last changed first. */
export interface Studies {
  studies: StudyRow[]
}

/** A study. */
export interface StudyFace {
  id: string
  name: string
  game: string
  number: number
  /** milliseconds since 1970 */
  changed: number
  yours: boolean
  comment: string
  nodes: StudyNode[]
}

/** A decision of the tree. */
export interface StudyNode {
  /** its place in the list; -1: the beginning */
  parent: number
  text: string
  comment?: string
}

/** A study in a list. */
export interface StudyRow {
  id: string
  name: string
  game: string
  number: number
  /** milliseconds since 1970 */
  changed: number
}

/** A study as its owner wants it kept. */
export interface StudyWish {
  name: string
  /** the finished game it came from */
  game: string
  /** decisions of that game before it begins */
  number: number
  comment?: string
  /** each after its parent */
  nodes?: StudyNode[]
}

/**
 * Seats, presence, clocks, proposals, status, result or rematch changed.
 *
 * At the start of the game it comes before the first `update`, which has no entries.
 */
export interface TableChanged {
  type: 'table'
  /** milliseconds since 1970 */
  now: number
  table: TableFace
}

/** The table object. */
export interface TableFace {
  /** false: once the game runs only seated people may look */
  watchers: boolean
  /** false: taking back always needs asking */
  undo: boolean
  /** `draw`: the starting player is drawn by lot; `fixed`: the first seat starts */
  order: 'draw' | 'fixed'
  clock: Clock | null
  /** the game begins by itself as soon as no seat is open */
  auto_start: boolean
  /** the result counts for the ratings; everybody at the table has an account */
  rated: boolean
  /** seconds that somebody who is away keeps the seat while the table waits for him */
  absence: number
  protocol: number
  id: string
  name: string
  status: TableStatus
  /** its seed is null until the game is over, unless `seeded` */
  setup: GameSetup
  /** the id of the board's side */
  board: string
  /** somebody chose the seed, and may know what is hidden */
  seeded: boolean
  /** the behaviour of the rules it is played by */
  rules: string
  visibility: 'open' | 'unlisted'
  /** seconds a bot waits before it decides */
  bot_delay: number
  host: string
  /** four syllables to say aloud; they lead here */
  code: string | null
  /** milliseconds since 1970 */
  created: number
  started: number | null
  ended: number | null
  seats: SeatFace[]
  you: You
  /** how many look on without a seat */
  watching: number
  /** grows with each change of the table */
  version: number
  /** how many entries the log has */
  revision: number
  /** how many decisions stand */
  number: number
  result: Result | null
  /** the id of the table that followed */
  rematch: string | null
  forked_from: ForkedFrom | null
  /** the address of its page, which is the watch link too */
  watch: string
  /** the server tells what a decision would do */
  previews: boolean
  /** the service that is told what happens here */
  hook: 'discord' | 'json' | 'slack' | null
  /** with a clock: the moment `remaining` was written down */
  clock_at?: number
  /** with a clock: the seat whose clock runs */
  ticking?: Seat | null
  proposals: Proposal[]
}

/** What every way to open a table shares. */
export interface TableWish {
  /** false: once the game runs only seated people may look */
  watchers?: boolean
  /** false: taking back always needs asking */
  undo?: boolean
  /** `draw`: the starting player is drawn by lot; `fixed`: the first seat starts */
  order?: 'draw' | 'fixed'
  clock?: Clock | null
  /** the game begins by itself as soon as no seat is open */
  auto_start?: boolean
  /** the result counts for the ratings; everybody at the table has an account */
  rated?: boolean
  /**
   * seconds that somebody who is away keeps the seat while the table waits for him; null: as long as the clock's
   * bank (five minutes to a week), a day without a clock
   */
  absence?: number | null
  name?: string | null
  /** `unlisted`: whoever has the link; `open`: in the lobby */
  visibility?: 'open' | 'unlisted'
  bot_delay?: number | null
  /** start at once when no seat is open */
  start?: boolean
}

/** Games of one kind. */
export interface Tally {
  games: number
  wins: number
}

/** Which way to try. */
export interface TestWish {
  way: 'mail' | 'push'
}

/** What came of a message sent to try. */
export interface Tested {
  /** `later`: not taken now, tried again; `never`: refused for good */
  outcome: 'later' | 'never' | 'sent'
}

/** Follow somebody, or block: whoever is blocked does not sit down with one, nor is heard. */
export interface TieWish {
  kind: 'block' | 'follow'
}

/** An API token without its secret. */
export interface Token {
  id: string
  name: string
  /** milliseconds since 1970 */
  created: number
}

/** What a token is for. */
export interface TokenWish {
  name: string
}

/** One's API tokens. */
export interface Tokens {
  tokens: Token[]
}

/** The track of completed cities. */
export interface TrackPlace {
  /** left, top, width and height */
  rect: [number, number, number, number]
  cells: [number, number][]
}

/** A turn begins with this many actions. */
export interface TurnBegan {
  type: 'turn-began'
  player: string
  actions: number
}

/** A turn is over. */
export interface TurnEnded {
  type: 'turn-ended'
  player: string
}

/** The pawn duel's borders and provinces. */
export interface TwoPlayers {
  soldiers: [string, string][]
  provinces: ProvinceFile[]
}

/** Take back. Free within one's own turn; otherwise `undo_needs_consent`. */
export interface Undo {
  type: 'undo'
  /** comes back in the `ack`, `pong` or `error` */
  re?: string | null
  number: number
  /** null: the last decision */
  to?: number | null
  /** where consent is needed: propose it to everybody */
  ask?: boolean
}

/** Whether the viewer may take back, and without asking. */
export interface UndoFace {
  free: boolean
  /** the number the table would go back to */
  to: number | null
  /** why not */
  reason: 'hidden' | 'history' | 'nothing' | 'off' | 'other_player' | 'over' | 'preview' | 'standin' | null
  /**
   * where not free: the number before one's own last decision, for which the others can be asked; null where
   * nothing is to be asked for, or something hidden has been shown since
   */
  ask: number | null
}

/** Back to `to`, or by one decision; `ask` the others where that is needed. */
export interface UndoWish {
  number: number
  to?: number | null
  ask?: boolean
}

/**
 * The position changed.
 *
 * A slow connection gets several entries at once, never a queue of old positions; a client
 * animates `entries` in order and then shows `position`.
 */
export interface Update {
  type: 'update'
  /** milliseconds since 1970 */
  now: number
  /** the revision the client had; another one: connect anew without `after` */
  from: number
  revision: number
  number: number
  entries: LogEntry[]
  position: Position | null
}

/** All keys of the contract's section 4; what the viewer may not know is `?`. */
export interface View {
  game: GameSetup
  turn: number
  active: Seat
  player: Seat
  /** a short word for what is being decided */
  phase: string
  actions_left: number
  acted: boolean
  flags: string[]
  permissions_used: string[]
  players: Partial<Record<Seat, PlayerView>>
  neutral: NeutralView | null
  routes: Record<string, RouteView>
  cities: Record<string, CityView>
  prestige: Record<string, Owner | null>
  east_west: Owner[]
  pawn: number | null
  favours: string[]
  supply: string[]
  discarded: string[]
  over: boolean
  end_reason: string | null
  pending: Pending | null
}

/**
 * Answer the others. One no ends it; it is carried out when all who are asked said yes.
 *
 * Whoever asked takes the question back with no, and a yes can become a no until then.
 */
export interface Vote {
  type: 'vote'
  /** comes back in the `ack`, `pong` or `error` */
  re?: string | null
  proposal: number
  yes: boolean
}

/** How this server can tell people who are away; what its host has not set up is off. */
export interface Ways {
  mail: boolean
  /** the key a browser subscribes with; null: no push here */
  push: string | null
  webhooks: ('discord' | 'json' | 'slack')[]
}

/** One decision as a search values it. */
export interface Weighed {
  decision: string
  visits: number
  /** the share of the win the deciding player may expect */
  value: number
  shares: Partial<Record<Seat, number>>
}

/** Why a decision is not allowed: a sentence, and the same for other languages. */
export interface Why {
  allowed: boolean
  message: string
  /** a code of `hansa.reasons` */
  reason?: string
  rule?: string
  /** what fills in the sentence */
  values?: Record<string, string | number>
}

/** The viewer. */
export interface You {
  seats: Seat[]
  host: boolean
  name: string | null
}
