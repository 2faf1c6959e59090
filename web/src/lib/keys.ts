/** The keyboard map of the table. Help.svelte tells it to people. */
import type { Verb } from './decisions'
import { nextInDirection, where } from './geometry'
import type { Session } from './session.svelte'

const VERBS: Record<string, Verb> = {
  i: 'income',
  p: 'place',
  d: 'displace',
  m: 'lift',
  e: 'establish',
  a: 'pawn',
  w: 'walk',
  g: 'favour',
  b: 'fee',
}
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export interface Camera {
  zoom: (factor: number) => void
}

/** The thing of the board in that direction that the focus goes to next. */
export function ahead(session: Session, focus: string | undefined, [dx, dy]: [number, number]): string | null {
  const { geometry, framing } = session
  const list = session.targets
    .filter((x) => !x.quiet && x.key !== focus)
    .flatMap((x) => {
      const spot = where(geometry, x.key)
      return spot ? [{ key: x.key, x: spot.x, y: spot.y }] : []
    })
  const { box } = framing
  const from = (focus && where(geometry, focus)) || { x: box.x + box.w / 2, y: box.y + box.h / 2 }
  return (nextInDirection(from, list, dx, dy) ?? (focus ? null : list[0]))?.key ?? null
}

const SIMPLE: Record<string, (s: Session, camera: Camera | undefined) => void> = {
  s: ({ play }) => play.setShape(play.shape === 't' ? 'm' : 't'),
  u: ({ undoing }) => undoing.undo(),
  r: ({ undoing }) => undoing.redo(),
  f: ({ play, undoing }) => {
    const d = play.legal.find((x) => x.verb === 'end' || x.verb === 'done')
    if (d) undoing.end(d)
  },
  l: (s) => {
    if (s.deciding) s.window = 'list'
  },
  v: ({ preparing }) => void preparing?.begin(),
  o: (s) => s.nextOverlay(),
  h: (s) => {
    if (s.mayAsk) {
      s.side = 'advice'
      void s.advice.ask()
    }
  },
  c: (s) => {
    s.side = s.side === 'score' ? 'log' : 'score'
  },
  n: ({ retelling, view }) => {
    if (retelling.some && !view.over) retelling.start()
  },
  k: (s) => {
    if (s.retelling.on) s.retelling.toggle()
    else if (s.paced) s.live.following.toggle()
  },
  '.': (s) => {
    if (s.retelling.on) s.retelling.step()
    else if (s.live.following.waiting) s.live.following.step()
  },
  '?': (s) => {
    s.window = 'help'
  },
  '0': (s) => s.framing.toggleWhole(),
  '+': (_, camera) => camera?.zoom(1.25),
  '-': (_, camera) => camera?.zoom(0.8),
  '[': ({ history }) => history.back(),
  ']': ({ history }) => history.forth(),
  Escape: (s) => {
    if (s.retelling.on) s.retelling.stop()
    else if (s.info.pinned) s.info.close()
    else s.undoing.cancel()
  },
}

/** Where there is nothing to choose, the arrows to the sides step through the game. */
function stepped({ history, live }: Session, key: string, element: HTMLElement): boolean {
  if (history.at === null && !live.position!.over) return false
  if ((key !== 'ArrowLeft' && key !== 'ArrowRight') || element.closest?.('[role=tablist]')) return false
  if (key === 'ArrowLeft') history.back()
  else history.forth()
  return true
}

const TYPING = new Set(['INPUT', 'TEXTAREA', 'SELECT'])

export function keydown(
  event: KeyboardEvent,
  session: Session,
  camera: Camera | undefined,
  focusOn: (key: string) => void,
): void {
  const element = event.target as HTMLElement
  if (session.window || TYPING.has(element.tagName) || document.querySelector('dialog[open]')) return
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z') {
    event.preventDefault()
    if (event.shiftKey) session.undoing.redo()
    else session.undoing.undo()
    return
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const { play, deciding } = session
  const arrow = ARROWS[key]
  const option = /^[1-9]$/.test(key) && session.showCard ? play.options[Number(key) - 1] : undefined
  const verb = VERBS[key]
  if (arrow) {
    if (stepped(session, key, element)) return event.preventDefault()
    if (!deciding || element.closest?.('ol, ul, [role=tablist]')) return
    // What was chosen last may be gone: from there one goes on.
    const next = ahead(session, (document.activeElement as SVGElement | null)?.dataset?.key ?? play.last, arrow)
    if (next) focusOn(next)
  } else if (option) play.choose(option)
  else if (verb && deciding && play.turn) play.setVerb(verb)
  else if (SIMPLE[key]) SIMPLE[key](session, camera)
  else return
  event.preventDefault()
}
