/** One person at one table: brings together what the server said, the gesture in progress and the place in history. */
import type { Snippet } from 'svelte'
import { t } from '../i18n/index.svelte'
import { Advice } from './advice.svelte'
import type { Arrow } from './arrows'
import type { BoardAnswer, Geometry, Seat, View } from './wire'
import { lineOf, lines } from './chronicle'
import { Clocks } from './clocks.svelte'
import { parse, type Decision } from './decisions'
import { Dragging } from './dragging.svelte'
import { ends, threats } from './ends'
import { Hints } from './hints.svelte'
import { Framing } from './framing.svelte'
import { where } from './geometry'
import { pieceAt } from './hands'
import { History } from './history.svelte'
import { Info, spotOf, type Spot } from './info.svelte'
import type { Live } from './live.svelte'
import { News } from './news.svelte'
import { OVERLAYS, wash, type Overlay } from './overlays'
import { arrowsOf as arrowsOfPlan } from './plan'
import { Play } from './play.svelte'
import type { Preparing } from './preparing.svelte'
import { ownPrompt, theirPrompt } from './prompt'
import { Retelling } from './retelling.svelte'
import { around, missionOf, nameOf } from './seats'
import { arrowsOf, type Reviewing } from './reviewing.svelte'
import { settings } from './settings.svelte'
import { knock } from './sound'
import { boardKeyOf, pictured, type Target } from './targets'
import { TRACKS } from './skills'
import { tell, type Told } from './telling'
import { Undoing } from './undoing.svelte'
import { ownName, type Names } from './words'

export type Side = 'desk' | 'log' | 'score' | 'chat' | 'advice' | 'extra'
export type Window = '' | 'list' | 'help' | 'concede' | 'hook' | 'report'

/** A panel of its own beside the board: a review, a puzzle, a study. */
export interface Extra {
  title: string
  body: Snippet<[Session]>
  /** What is to be done on the board, where a phone keeps the panel out of sight. */
  task?: string
}

export class Session {
  readonly play: Play
  readonly news: News
  readonly retelling: Retelling
  readonly undoing: Undoing
  readonly framing: Framing
  readonly info: Info
  readonly advice: Advice
  readonly hints: Hints
  readonly dragging: Dragging
  readonly clocks: Clocks
  readonly geometry: Geometry
  overlay = $state<Overlay>('none')
  /** Places lit by a line of the chronicle or of an opinion. */
  lit = $state.raw<string[]>([])
  /** The place the lesson's hint speaks of. */
  hinted = $state<string | null>(null)
  window = $state<Window>('')
  side = $state<Side>('log')
  drawer = $state<'' | Side | 'players'>('')
  extra = $state.raw<Extra | null>(null)
  /** Turns that a review found fault with: they are marked in the chronicle. */
  reviewing = $state.raw<Reviewing | null>(null)
  /** One's own next turn, prepared while others decide; on the board where it is tried too. */
  preparing = $state.raw<Preparing | null>(null)
  /** Somebody else whose desk is looked at. */
  looking = $state<Seat | null>(null)
  private revision = -1

  constructor(
    readonly live: Live,
    readonly board: BoardAnswer,
    readonly history: History = new History(live),
  ) {
    this.geometry = board.geometry
    this.play = new Play(live, (route) => this.geometry.routes[route]?.posts.length ?? 4)
    this.play.past = history.at !== null
    history.moved = (at) => this.moved(at)
    this.news = new News(live, this.history, this.geometry, (to) => this.framing.edge(to))
    this.retelling = new Retelling(this.history, this.news)
    this.undoing = new Undoing(live, this.play, this.history)
    this.framing = new Framing(this.geometry)
    this.info = new Info(this)
    this.advice = new Advice(live, this.history)
    this.clocks = new Clocks(live)
    this.hints = new Hints(this)
    this.dragging = new Dragging(this)
  }

  // ---- who is who
  table = $derived.by(() => this.live.table!)
  mine = $derived.by<Seat[]>(() => this.table.you?.seats ?? [])
  hotSeat = $derived.by(() => this.mine.length > 1)
  shown = $derived.by(() => this.history.shown)
  view = $derived.by<View>(() => this.shown.view)
  own = $derived.by<Seat | null>(() =>
    this.mine.length ? (this.shown.seat ?? this.live.position!.seat ?? this.mine[0] ?? null) : null,
  )
  order = $derived.by<Seat[]>(() => around(this.table, this.own))
  name = (seat: string): string => nameOf(this.table, seat)
  names = $derived.by<Names>(() => ({
    geometry: this.geometry,
    holds: this.view.phase === 'neutral-put' ? 'n' : undefined,
    placing: this.view.phase === 'setup',
    own: this.mine.length === 1 ? this.mine[0] : undefined,
    hand: this.news.hand,
    lifted: this.news.lifted,
    holder: (post) => pieceAt(this.view, `post:${post}`)?.split(':')[0] ?? null,
    who: (seat) =>
      seat === 'n'
        ? t('new.neutral')
        : this.mine.length === 1 && this.mine[0] === seat
          ? ownName(this.name(seat))
          : this.name(seat),
  }))

  /** The seat that decides is one's own, and a machine plays for it. */
  lent = $derived.by(() => {
    const seat = this.table.seats.find((s) => s.seat === this.view.player)
    return this.table.status === 'running' && Boolean(seat?.yours && (seat.standin ?? seat.conceded))
  })

  // ---- what is going on
  decider = $derived.by(() => this.view.player)
  isLive = $derived.by(() => this.history.at === null)
  deciding = $derived.by(() => this.isLive && this.live.position!.legal !== null && !this.view.over)
  /** Everything glows softly until a verb or a thing is chosen. */
  calm = $derived.by(() => this.play.turn && !this.play.choice.verb && !this.play.choice.picked.length)
  title = $derived.by(() => {
    const { view, decider } = this
    if (view.over) return t('prompt.over')
    if (this.lent) return t('table.machineForYou')
    if (this.preparing && this.live.trial) return t('prepare.title')
    if (this.extra?.task && this.deciding) return this.extra.task
    if (!this.mine.includes(decider))
      return view.phase === 'turn' ? t('table.theirTurn', { who: this.name(decider) }) : this.name(decider)
    if (this.hotSeat)
      return view.active === decider ? t('table.theirTurn', { who: this.name(decider) }) : this.name(decider)
    return view.active === decider ? t('table.yourTurn') : t('table.youDecide')
  })
  text = $derived.by(() => {
    if (this.play.notice) return this.play.notice
    if (this.live.error) return this.live.error
    if (this.live.slow) return t('link.sending')
    if (this.history.at !== null) return t('table.at', { n: this.history.at, m: this.live.position!.number })
    if (this.view.over) return ''
    if (this.deciding) {
      if (this.hints.text && !this.play.asking && !this.play.choice.picked.length) return this.hints.text
      const asked = ownPrompt(this.play, this.names)
      return this.calm && !this.play.asking && this.threats.text ? `${asked} ${this.threats.text}` : asked
    }
    // Where nothing counts nobody goes on thinking.
    if (this.live.trial) return this.preparing ? t('prepare.ends') : ''
    return this.mine.includes(this.decider) && this.live.sending ? '' : theirPrompt(this.view.phase)
  })
  /** What is being shown of the others: the newest action, or the one told once more. */
  told = $derived.by<(Told & { seat: string | null }) | null>(() => {
    const { retelling, history, live } = this
    if (this.deciding || (!retelling.on && !this.isLive)) return null
    // Whoever comes to a game that is over came for its end.
    if (live.position!.over && !live.fresh.some((e) => e.events.some((x) => x.type === 'game-ended'))) return null
    const one = retelling.on ? lineOf(live.log, history.at ?? -1) : lines(this.news.recent).at(-1)
    return one ? { ...tell(one, this.names, this.view), seat: one.entry.player } : null
  })
  /** The bar tells what happens, having nothing to offer. */
  tells = $derived.by(() => this.retelling.on || (this.isLive && !this.deciding && this.told !== null))
  /** Machines play here, and what they decide is shown at a pace of one's own. */
  paced = $derived.by(
    () =>
      !this.live.position!.over &&
      settings.machines !== 'once' &&
      !this.table.clock &&
      this.table.seats.some((s) => s.kind === 'bot' || s.standin),
  )
  ends = $derived.by(() => ends(this.shown, this.board.data.completed_cities_end))
  threats = $derived.by(() => threats(this.ends, this.names))
  /** The rule behind the words of the bar. */
  about = $derived.by(() => (this.play.notice ? this.play.about : ''))
  actions = $derived.by(() => {
    const { view } = this
    if (view.over || view.player !== view.active) return null
    return { left: view.actions_left, all: Number(TRACKS.actions[view.players[view.active]?.skills.actions ?? 0] ?? 2) }
  })

  // ---- the board
  targets = $derived.by<Target[]>(() => (this.deciding ? this.play.boardKeys.map((key) => pictured(key, this)) : []))
  /** The piece of a decision on its way: seen at once, surely there a moment later. */
  sent = $derived.by(() => {
    const d = this.live.sending ? parse(this.live.sending) : null
    return d?.post && d.shape && ['place', 'displace', 'put'].includes(d.verb)
      ? { at: `post:${d.post}`, owner: this.news.hand[0]?.owner ?? this.decider, shape: d.shape }
      : null
  })
  full = $derived.by(() => new Set(this.play.legal.filter((d) => d.verb === 'establish').map((d) => d.route!)))
  marks = $derived.by(
    () =>
      new Set([
        ...this.news.marks,
        ...this.lit,
        ...(this.info.key?.startsWith('mission:') ? [`city:${this.info.key.slice(8)}`] : []),
      ]),
  )
  mission = $derived.by(() => new Set(this.own ? missionOf(this.view, this.own) : []))
  /** The provinces somebody points at, on the board or in words. */
  provinces = $derived.by(
    () =>
      new Set(
        [this.play.hover, this.info.key, ...this.picked, ...this.lit].flatMap((key) =>
          key?.startsWith('province:') ? [key.slice(9)] : [],
        ),
      ),
  )
  /** What a machine thinks of this position; else the better turn of a review being read; else one's own prepared. */
  arrows = $derived.by<Arrow[]>(() => {
    const turn = this.reviewing?.at(this.history.at ?? -1)
    const reading = this.side === 'extra' || this.drawer === 'extra'
    const reviewed = reading && turn?.mark && turn.number === this.history.at ? arrowsOf(turn, this.view) : []
    if (this.advice.arrows.length || reviewed.length) return this.advice.arrows.length ? this.advice.arrows : reviewed
    const { stage, line } = this.preparing ?? { stage: '', line: [] }
    const own = this.own
    return own && this.isLive && (stage === 'kept' || stage === 'offered')
      ? arrowsOfPlan(
          line.map((text) => `${own}> ${text}`),
          own,
          this.view,
        )
      : []
  })
  wash = $derived.by(() => wash(this.overlay, this.shown, this.geometry))
  hovered = $derived.by<Decision[]>(() => (this.deciding && this.play.hover ? this.play.at(this.play.hover) : []))
  /** The thing a card speaks of. */
  cardKey = $derived.by(
    () =>
      this.play.choice.picked.findLast((k) => where(this.geometry, k)) ??
      (this.play.asking ? boardKeyOf(this.play.asking) : null),
  )
  showCard = $derived.by(
    () =>
      this.deciding &&
      (this.play.asking !== null || this.play.choice.verb === 'income' || this.play.options.length > 0),
  )
  picked = $derived.by(() => [
    ...this.play.choice.picked,
    ...(this.play.asking ? [boardKeyOf(this.play.asking) ?? ''] : this.hinted ? [this.hinted] : []),
  ])
  /** The panel beside the board over the whole height of its column. */
  tall = $state(false)
  /** A card, the drawer or words about a thing lie over the board. */
  covered = $derived.by(() => this.showCard || this.drawer !== '' || this.info.told !== null)
  /** Nobody else is misled by what a machine says, and nothing is rated. */
  alone = $derived.by(
    () => this.mine.length > 0 && !this.table.rated && this.table.seats.every((s) => s.kind === 'bot' || s.yours),
  )
  /** A machine may be asked. */
  mayAsk = $derived.by(
    () =>
      this.live.advised &&
      (this.view.over || this.live.position!.over || (this.alone && this.mine.includes(this.decider))),
  )

  nextOverlay(): void {
    this.overlay = OVERLAYS[(OVERLAYS.indexOf(this.overlay) + 1) % OVERLAYS.length]!
  }

  hint(key: string | null): void {
    this.hinted = key
    if (key) this.framing.reveal(key)
  }

  private moved(at: number | null): void {
    this.play.past = at !== null
    this.play.reset()
    this.info.close()
    this.advice.clear()
    this.retelling.moved(at)
  }

  /** Called before every new position is drawn. */
  take(): void {
    const { position, fresh } = this.live
    if (!position || position.revision === this.revision) return
    const first = this.revision < 0
    this.revision = position.revision
    this.play.reset()
    this.undoing.take()
    this.advice.follow(fresh)
    if (first) return
    this.info.close()
    this.history.forget()
    this.news.take(this.names)
    if (fresh.length) knock(position.legal !== null)
    if (this.deciding && !this.play.turn)
      this.framing.seek(
        this.play.boardKeys.filter((k) => !k.quiet).map((k) => k.key),
        this.news.hand.map((h) => h.at),
      )
  }

  /** A thing of the desk was clicked: chosen if it glows, explained if not. */
  pickDesk(key: string, element: Element | null): void {
    if (this.deciding && this.play.glow.has(key)) {
      this.info.close()
      this.play.pick(key)
      this.drawer = ''
    } else void this.info.explain(key, spotOf(element))
  }

  /** A click on something of the board that does not glow; a favour's tile answers it. */
  elsewhere(key: string | null, spot: Spot | null): void {
    if (key?.startsWith('favour:') && this.deciding && this.play.glow.has(key)) this.play.pick(key)
    else if (this.play.choice.picked.length || this.play.asking || this.play.choice.verb === 'income')
      this.play.cancel()
    else if (key) void this.info.explain(key, spot)
    else this.info.close()
  }
}
