/** What the newest entries changed: journeys to animate, places to mark, words to announce. */
import type { Entry } from './api'
import { where, type Geometry } from './geometry'
import { inHand, journeys, touched, type Held } from './hands'
import type { History } from './history.svelte'
import type { Live } from './live.svelte'
import { line, plain, type Names } from './words'

export class News {
  /** post → where its piece came from, in board units. */
  origins = $state.raw(new Map<string, { x: number; y: number }>())
  announced = $state('')

  constructor(
    readonly live: Live,
    readonly history: History,
    readonly geometry: Geometry,
  ) {}

  recent = $derived.by<Entry[]>(() => this.live.log.slice(-80))
  /** Pieces in somebody's hand, each above the post it came from. */
  hand = $derived.by<Held[]>(() => (this.history.at === null && this.live.position?.view.phase !== 'turn' ? inHand(this.recent) : []))
  freshCities = $derived.by(() => new Set(this.live.fresh.flatMap((e) => e.events.flatMap((v) => (v.type === 'office-founded' ? [String(v.city)] : [])))))
  /** The posts of the last turn in which something happened, or of the decision looked at. */
  marks = $derived.by<Set<string>>(() => {
    if (this.history.at !== null) return this.history.past?.entry ? touched([this.history.past.entry]) : new Set()
    const last = this.recent.findLast((e) => e.kind === 'decision' && e.text !== 'end')
    return last ? touched(this.recent.filter((e) => e.turn === last.turn && e.player === last.player)) : new Set()
  })

  /** Takes in the entries of the newest update. */
  take(names: Names): void {
    const { fresh, log } = this.live
    const found = new Map<string, { x: number; y: number }>()
    const before = log.slice(0, Math.max(0, log.length - fresh.length)).slice(-60)
    for (const [post, from] of journeys(before, fresh)) {
      const spot = where(this.geometry, from)
      if (spot) found.set(post, spot)
    }
    this.origins = found
    this.announced = fresh.map((e) => plain(line(e, names))).join('. ')
  }
}
