/** After a decision by keyboard the thing in focus is often gone: the focus goes on to the next sensible one. */
import { where } from './geometry'
import type { Session } from './session.svelte'

/** The thing to choose that lies nearest to what was chosen last; null: nothing of the board can be chosen. */
export function nextThing({ geometry, targets, play }: Session): string | null {
  const open = targets.filter((x) => !x.quiet)
  const from = play.last ? where(geometry, play.last) : null
  if (!from) return open[0]?.key ?? null
  const far = (key: string): number => {
    const at = where(geometry, key)
    return at ? Math.hypot(at.x - from.x, at.y - from.y) : Infinity
  }
  return open.toSorted((a, b) => far(a.key) - far(b.key))[0]?.key ?? null
}

/** Whether nothing has the focus: what had it was taken away. */
export const lost = (): boolean => !document.activeElement || document.activeElement === document.body

/** The thing on the board, else what ends the turn, else what tells of the others. */
export function refocus(session: Session, root: HTMLElement): void {
  if (!lost()) return
  const key = session.deciding ? nextThing(session) : null
  const thing = key ? root.querySelector<SVGElement>(`.target[data-key="${CSS.escape(key)}"]`) : null
  ;(thing ?? root.querySelector<HTMLElement>('.finish, .ticker button'))?.focus({ preventScroll: true })
}
