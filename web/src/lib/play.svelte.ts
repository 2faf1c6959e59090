/** The gesture in progress: a verb, things clicked so far, what is left to choose from. Knows no rule. */
import {
  candidates,
  fullest,
  glowing,
  hasVerb,
  parse,
  preferShape,
  targets,
  VERBS,
  type Choice,
  type Decision,
  type Verb,
} from './decisions'
import type { Live } from './live.svelte'
import { confirmsFirst } from './settings.svelte'
import type { GameEvent, Position, Shape } from './wire'

export interface Preview {
  events: GameEvent[]
  position: Position
}
const ON_BOARD = new Set(['post', 'city', 'route', 'prestige', 'province'])
/** What shows a ring without being asked for; the rest of the turn answers a click, quietly. */
const LOUD = new Set(['place', 'establish'])

/** Pressed on a button that names them: nobody means something else. */
const PLAIN = new Set(['end', 'done', 'pay'])

/** Too dear for one click: the card asks first, whoever clicks. */
const DEAR = new Set(['favour', 'fee'])
/** Verbs whose choices stand nowhere on the board: a card lists them at once. */
const LISTED = new Set(['favour', 'fee'])

/** A route that nothing is gained from: that is said, with the reasons, before it is given away. */
export const vain = (d: Decision): boolean => d.verb === 'establish' && d.gain === 'none'

export interface BoardKey {
  key: string
  quiet: boolean
  decisions: Decision[]
}

export class Play {
  choice = $state<Choice>({ verb: null, picked: [], shape: null })
  hover = $state<string | null>(null)
  /** A decision waiting for its confirmation. */
  asking = $state.raw<Decision | null>(null)
  /** What was just decided on: nothing pops up there until the pointer has left it. */
  private done: string | null = null
  /** Looking back: nothing can be decided. */
  past = $state(false)
  notice = $state('')
  /** The rule behind the notice, if there is one. */
  about = $state('')
  private previews = new Map<string, Promise<Preview | null>>()
  private previewNumber = -1
  private wisher = ''
  /** The thing chosen last. */
  last: string | undefined

  legal = $derived.by(() => (this.past || this.live.sending ? [] : (this.live.position?.legal ?? []).map(parse)))
  turn = $derived.by(() => this.live.position?.view.phase === 'turn')
  /** The displaced piece that waits in hand: it is put before anything added. */
  private waiting = $derived.by<Shape | null>(
    () => this.live.position?.view.pending?.stack.find((w) => w.what === 'displaced')?.waiting ?? null,
  )
  /** The shape a click means where both would do. In a turn what the supply has; inside something only what was wished or waits. */
  private wanted = $derived.by<Shape | null>(() => {
    if (!this.turn) return this.choice.shape ?? this.waiting
    const seat = this.live.position?.seat
    const supply = seat ? this.live.position?.view.players[seat]?.supply : undefined
    const wish = this.choice.shape ?? 't'
    return supply && !supply[wish] ? (supply.t ? 't' : 'm') : wish
  })
  shape = $derived.by<Shape>(() => this.wanted ?? 't')
  open = $derived.by(() => candidates(this.legal, this.choice, this.length))
  /** Everything off the board that may be clicked. */
  glow = $derived.by(() => glowing(this.open, this.choice.picked, this.length))
  /** After something was picked and several things are possible: the list of them. */
  options = $derived.by<Decision[]>(() =>
    (this.choice.picked.length || LISTED.has(this.choice.verb ?? '')) && this.open.length > 1
      ? this.open.toSorted((a, b) => rank(a) - rank(b))
      : [],
  )

  constructor(
    readonly live: Live,
    readonly length: (route: string) => number,
  ) {}

  boardKeys = $derived.by<BoardKey[]>(() => {
    const found = new Map<string, BoardKey>()
    const mixed = this.turn && !this.choice.verb && !this.choice.picked.length
    for (const d of this.open) {
      for (const key of targets(d, this.length)) {
        const kind = key.slice(0, key.indexOf(':'))
        if (!ON_BOARD.has(kind) || this.choice.picked.includes(key)) continue
        const early = mixed && d.verb === 'establish'
        if (early && kind !== 'route' && kind !== 'post') continue
        if (!this.choice.picked.length && d.verb === 'use') continue
        const quiet = (mixed && !LOUD.has(d.verb)) || (d.verb === 'establish' && kind === 'post')
        const known = found.get(key)
        if (known) {
          known.decisions.push(d)
          known.quiet &&= quiet
        } else found.set(key, { key, quiet, decisions: [d] })
      }
    }
    // A quiet post under a road must still win the click, so routes are drawn first.
    return [...found.values()].sort((a, b) => order(a.key) - order(b.key))
  })

  verbs = $derived(VERBS.map((verb) => ({ verb, can: hasVerb(this.legal, verb) })))

  /** What a click on this thing would leave. */
  at(key: string): Decision[] {
    const list = this.open.filter((d) => targets(d, this.length).includes(key))
    return preferShape(list, this.wanted)
  }

  /** Leaves the gesture. A wish for a shape lasts while the same person is asked the same kind of thing in the same turn. */
  reset(): void {
    const { position } = this.live
    const who = position ? `${position.view.turn} ${position.seat} ${position.view.phase}` : ''
    this.choice = { verb: null, picked: [], shape: who === this.wisher ? this.choice.shape : null }
    this.wisher = who
    this.asking = null
    this.hover = null
    this.notice = ''
  }

  /** Says why something cannot be done, and by which rule. */
  tell(notice: string, rule = ''): void {
    this.notice = notice
    this.about = rule
  }

  /** Something is chosen and not yet decided. */
  busy = $derived.by(() => this.asking !== null || this.choice.picked.length > 0 || this.choice.verb !== null)

  /** Back to the choice the question came from; where there was none, out of the gesture. */
  cancel(): void {
    if (this.asking && this.options.length) this.asking = null
    else this.reset()
  }

  setVerb(verb: Verb): void {
    this.asking = null
    this.notice = ''
    if (!hasVerb(this.legal, verb)) return
    if (verb === 'income' && this.takeIncome()) return
    const chosen = this.choice.verb === verb ? null : verb
    // With one full route there is nothing to ask before what it gains.
    const routes = new Set(this.legal.filter((d) => d.verb === 'establish').map((d) => d.route))
    const picked = chosen === 'establish' && routes.size === 1 ? [`route:${[...routes][0]}`] : []
    this.choice = { ...this.choice, verb: chosen, picked }
    if ((picked.length || LISTED.has(chosen ?? '')) && this.open.length === 1) this.asking = this.open[0]!
  }

  /** Nobody takes fewer than all: where the shapes leave no choice, nothing is asked. Fewer stand in the list. */
  private takeIncome(): boolean {
    const [all, ...others] = fullest(this.legal)
    if (!all || others.length) return false
    this.ask(all)
    return true
  }

  setShape(shape: Shape): void {
    this.choice = { ...this.choice, shape }
  }

  pick(key: string): void {
    this.notice = ''
    this.last = key
    let list = this.at(key)
    let picked = [...this.choice.picked, key]
    if (!list.length && this.choice.picked.length) {
      // A click elsewhere starts the gesture anew.
      this.choice = { ...this.choice, picked: [] }
      list = this.at(key)
      picked = [key]
    }
    if (!list.length) return
    if (list.length === 1) this.ask(list[0]!)
    else if (list.every((d) => d.verb === 'income')) {
      if (!this.takeIncome()) this.choice = { ...this.choice, verb: 'income', picked: [] }
    } else this.choice = { ...this.choice, picked }
  }

  /** Chosen in full: done at once, or after the card where a tap should not decide alone. */
  ask(d: Decision): void {
    const first = DEAR.has(d.verb) || vain(d) || (confirmsFirst() && !PLAIN.has(d.verb))
    if (first && this.asking?.text !== d.text) this.asking = d
    else this.commit(d)
  }

  /** Chosen from a list that already said what it does. */
  choose(d: Decision): void {
    if (DEAR.has(d.verb)) this.ask(d)
    else this.commit(d)
  }

  /** The pointer, or the focus, is on a thing of the board. */
  point(key: string | null): void {
    // While a decision is on its way the things of the board are gone; the pointer has not moved for that.
    if (key !== this.done && !this.live.sending) this.done = null
    this.hover = this.done ? null : key
  }

  commit(d: Decision): void {
    this.done = this.hover ?? this.done
    this.asking = null
    this.hover = null
    this.live.act(d.text)
  }

  /** What would happen, told by the server on a copy; null where it can't say. */
  preview(d: Decision): Promise<Preview | null> {
    const { position } = this.live
    if (!position || !this.live.table?.previews) return Promise.resolve(null)
    if (this.previewNumber !== position.revision) {
      this.previews.clear()
      this.previewNumber = position.revision
    }
    let known = this.previews.get(d.text)
    if (!known) {
      known = this.live
        .preview(position, d.text)
        .then(({ events, position: after }) => (after ? { events, position: after } : null))
        .catch(() => null)
      this.previews.set(d.text, known)
    }
    return known
  }
}

/** In a list of alternatives what people choose most comes first. */
const RANKS = ['office', 'skill', 'prestige', 'extra', 'none']
const rank = (d: Decision): number =>
  d.verb === 'establish' ? RANKS.indexOf(d.gain ?? 'none') : d.verb === 'lift' ? 9 : 5

const ORDER = ['province', 'route', 'city', 'prestige', 'post']
const order = (key: string): number => ORDER.indexOf(key.slice(0, key.indexOf(':')))
