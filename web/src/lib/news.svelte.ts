/** What the newest entries changed: journeys to animate, places to mark, words to announce. */
import type { Geometry, LogEntry } from './wire'
import { where } from './geometry'
import { departures, inHand, journeys, marked, pieceAt, type Held } from './hands'
import type { History } from './history.svelte'
import type { Live } from './live.svelte'
import type { Point } from './motion'
import { line, plain, type Names } from './words'

/** A piece that went back to somebody's desk, and the post it left. */
export interface Departed {
  owner: string
  shape: string
  from: Point
}

export class News {
  /** Post, or `city:…` → where its newest piece came from, in board units. */
  origins = $state.raw(new Map<string, Point>())
  leaving = $state.raw<Departed[]>([])
  announced = $state('')

  constructor(
    readonly live: Live,
    readonly history: History,
    readonly geometry: Geometry,
  ) {}

  recent = $derived.by<LogEntry[]>(() => this.live.log.slice(-80))
  /** Pieces in somebody's hand, each above the post it came from. */
  hand = $derived.by<Held[]>(() =>
    this.history.at === null && this.live.position?.view.phase !== 'turn' ? inHand(this.recent) : [],
  )
  /** The newest entry is part of an effect that lifts pieces: what follows is another one. */
  lifted = $derived.by(() => /^(lift|put) /.test(this.recent.at(-1)?.text ?? ''))
  /** Where something happened since one's last turn ended (a watcher: in the last turn), or in the decision looked at. */
  marks = $derived.by<Set<string>>(() => {
    if (this.history.at !== null) return this.history.entry ? marked([this.history.entry]) : new Set()
    const { recent, live } = this
    const mine = live.table?.you?.seats ?? []
    const own = mine.length === 1 ? recent.findLastIndex((e) => e.player === mine[0] && e.text === 'end') : -1
    const last = recent.findLast((e) => e.kind === 'decision' && e.text !== 'end')
    const since = own >= 0 ? recent.slice(own + 1) : recent.filter((e) => e.turn === last?.turn)
    return new Set(
      [...marked(since)].filter(
        (key) => !key.startsWith('post:') || (live.position && pieceAt(live.position.view, key)),
      ),
    )
  })

  /** Takes in the entries of the newest update. */
  take(names: Names): void {
    const { fresh, log } = this.live
    this.move(log.slice(0, Math.max(0, log.length - fresh.length)), fresh)
    this.announced = fresh
      .filter((e) => !e.cancelled)
      .map((e) => plain(line(e, names)))
      .join('. ')
  }

  /** A decision of the past is shown once more. */
  retell(entry: LogEntry): void {
    this.move(
      this.live.log.filter((e) => e.revision < entry.revision),
      [entry],
    )
  }

  private move(earlier: LogEntry[], fresh: LogEntry[]): void {
    const found = new Map<string, Point>()
    const gone: Departed[] = []
    for (const [post, from] of journeys(earlier.slice(-60), fresh)) {
      const spot = where(this.geometry, from)
      if (spot) found.set(post, spot)
    }
    for (const { owner, shape, from, to } of departures(fresh)) {
      const spot = where(this.geometry, from)
      if (spot && to.startsWith('city:')) found.set(to, spot)
      else if (spot && /^(stock|supply):/.test(to)) gone.push({ owner, shape, from: spot })
    }
    this.origins = found
    this.leaving = gone
  }
}
