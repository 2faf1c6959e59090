/** Pieces can be dragged: from the supply onto a post, or from post to post, which is a Move. */
import { pieceAt } from './hands'
import type { Session } from './session.svelte'
import type { Shape } from './wire'

/** Pixels before a press becomes a drag, and how far from a post a piece may be let go. */
const STARTS = 8
const REACH = 26

interface Held {
  shape: Shape
  /** The post it is lifted from; null: it comes from the supply. */
  from: string | null
  x: number
  y: number
}

export class Dragging {
  /** The piece under the pointer, where the pointer is. */
  piece = $state.raw<Held | null>(null)
  private pressed: Held | null = null
  /** Where a lifted piece was let go before the server had answered. */
  private dropped: string | null = null

  constructor(readonly session: Session) {}

  /** What may be dragged from there. With a finger only from the desk: on the board it moves the view. */
  private source(event: PointerEvent): Held | null {
    const { play, deciding } = this.session
    const element = event.target as Element
    const key = element.closest<HTMLElement>('[data-key]')?.dataset.key ?? ''
    const at = { x: event.clientX, y: event.clientY }
    if (!deciding || event.button > 0) return null
    if (key.startsWith('supply:')) {
      const shape = key.slice(7) as Shape
      const used = play.legal.some((d) => d.shape === shape && ['place', 'displace'].includes(d.verb))
      return used ? { ...at, shape, from: null } : null
    }
    const lift = play.legal.find((d) => d.verb === 'lift' && `post:${d.post}` === key)
    if (!lift || event.pointerType === 'touch') return null
    const shape = pieceAt(this.session.view, key)?.split(':')[1] === 'm' ? 'm' : 't'
    return { ...at, shape, from: lift.post! }
  }

  /** Whether the press is the table's own affair from here on: the board must not move with it. */
  down(event: PointerEvent): boolean {
    this.pressed = this.source(event)
    return this.pressed !== null
  }

  move({ clientX: x, clientY: y }: PointerEvent): void {
    const { pressed } = this
    if (!pressed) return
    if (!this.piece) {
      if (Math.hypot(x - pressed.x, y - pressed.y) < STARTS) return
      this.begin(pressed)
    }
    this.piece = { ...pressed, x, y }
    this.session.play.hover = this.post(x, y)
  }

  private begin({ from, shape }: Held): void {
    const { play } = this.session
    this.dropped = null
    if (from === null) play.setShape(shape)
    else play.commit(play.legal.find((d) => d.verb === 'lift' && d.post === from)!)
  }

  /** The post nearest to a place on the screen, if one is near. */
  private post(x: number, y: number): string | null {
    const { framing, geometry } = this.session
    const board = document.querySelector('.canvas')?.getBoundingClientRect()
    if (!board) return null
    let [best, near]: [string | null, number] = [null, REACH]
    for (const route of Object.values(geometry.routes))
      for (const { id } of route.posts) {
        const at = framing.spot(`post:${id}`)
        const far = at ? Math.hypot(board.x + at.x - x, board.y + at.y - y) : Infinity
        if (far < near) [best, near] = [`post:${id}`, far]
      }
    return best
  }

  /** Whether something was dragged: then the click that follows means nothing. */
  up({ clientX: x, clientY: y }: PointerEvent): boolean {
    const { piece } = this
    this.pressed = this.piece = null
    if (!piece) return false
    const { play } = this.session
    const key = this.post(x, y)
    play.hover = null
    if (piece.from === null) {
      const meant = key ? play.at(key).filter((d) => d.shape === piece.shape) : []
      if (meant.length === 1) play.commit(meant[0]!)
      else if (key && meant.length) play.pick(key)
    } else {
      this.dropped = key && key !== `post:${piece.from}` ? key : 'back'
      this.settle()
    }
    return true
  }

  /** The browser took the pointer away: nothing was meant. */
  cancel(): void {
    const { piece } = this
    this.pressed = this.piece = null
    if (piece?.from) this.dropped = 'back'
    this.settle()
  }

  /** A lifted piece goes where it was let go, once the server knows that it is in hand. */
  settle(): void {
    const { play, undoing, news } = this.session
    if (!this.dropped || !play.legal.length || !news.hand.length) return
    const put = play.legal.find((d) => d.verb === 'put' && `post:${d.post}` === this.dropped)
    const back = this.dropped === 'back'
    this.dropped = null
    if (put) play.commit(put)
    else if (back) undoing.cancel()
  }
}
