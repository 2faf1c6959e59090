/** Taking back, taking back the taking back, and leaving an action halfway. */
import type { Decision } from './decisions'
import type { History } from './history.svelte'
import type { Live } from './live.svelte'
import type { Play } from './play.svelte'

export type UndoMode = 'free' | 'ask' | 'no'

export class Undoing {
  /** What was taken back, in order, for as long as nothing else was decided. */
  private undone = $state.raw<string[]>([])
  /** The number of the newest position in which a turn could be gone on with: where an action began. */
  private began = $state(-1)
  /** `end` with actions left, waiting for a second word. */
  ending = $state.raw<Decision | null>(null)

  constructor(
    readonly live: Live,
    readonly play: Play,
    readonly history: History,
  ) {}

  mode = $derived.by<UndoMode>(() => {
    const { position, table } = this.live
    const undo = position?.undo
    if (this.history.at !== null || !undo || position.over || !table?.you?.seats.length) return 'no'
    if (undo.free) return 'free'
    const { seats } = table.you
    const asked = table.proposals.some((p) => seats.includes(p.by))
    return undo.ask === null || undo.ask === undefined || asked ? 'no' : this.alone ? 'free' : 'ask'
  })
  /** Nobody is to be asked: all others are machines. */
  private alone = $derived.by(() => this.live.table?.seats.every((s) => s.kind !== 'human' || s.yours) ?? false)
  canRedo = $derived.by(() => this.undone.length > 0 && this.play.legal.some((d) => d.text === this.undone[0]))
  /** Something is chosen, or an action is half done: there is something to leave. */
  canCancel = $derived.by(() => this.play.busy || this.inside)
  /** Inside an action of one's own that can be taken back as a whole. */
  private inside = $derived.by(() => {
    const { position } = this.live
    return (
      position !== null &&
      this.mode === 'free' &&
      position.undo.free &&
      position.legal !== null &&
      position.phase !== 'turn' &&
      position.seat === position.view.active
    )
  })

  /** Keeps up with every new position. */
  take(): void {
    const { position, fresh } = this.live
    this.ending = null
    for (const entry of fresh)
      if (entry.kind === 'decision') this.undone = entry.text === this.undone[0] ? this.undone.slice(1) : []
    if (position && position.phase === 'turn') this.began = position.number
  }

  private back(to: number): void {
    this.undone = [
      ...this.live.log.filter((e) => e.kind === 'decision' && e.number > to).map((e) => e.text),
      ...this.undone,
    ]
    this.live.undo(to)
  }

  undo(): void {
    if (this.play.busy) this.play.cancel()
    else if (this.mode !== 'no') {
      const { free, to, ask } = this.live.position!.undo
      if (free && to !== null) this.back(to)
      else if (ask !== null && ask !== undefined) this.live.undo(ask, true)
    }
  }

  redo(): void {
    if (this.canRedo) this.live.act(this.undone[0]!)
  }

  /** Leaves the gesture; an action half done is taken back to where it began. */
  cancel(): void {
    if (this.ending) this.ending = null
    else if (this.play.busy || this.play.notice) this.play.cancel()
    else if (this.inside) {
      const { number, undo } = this.live.position!
      const known = this.began >= 0 && this.began < number
      this.back(known ? this.began : (undo?.to ?? number - 1))
    }
  }

  /** Ends a turn or an effect; with actions left only after a second word. */
  end(d: Decision): void {
    const left = this.live.position?.view.actions_left ?? 0
    if (d.verb === 'end' && left > 0 && this.ending?.text !== d.text) this.ending = d
    else {
      this.ending = null
      this.play.commit(d)
    }
  }
}
