/** Which part of the board is seen, and how the table is laid out on this screen. */
import { boxAround, routeKeys, where, type Box } from './geometry'
import type { Geometry } from './wire'

export type Mode = 'phone' | 'tablet' | 'desktop'

/** How near to a post or a city a card may come, in pixels. */
const SHY = 22

/** Pixels a board unit has at least in a phone's first view, and at most in a view that it chooses by itself. */
const NEAR = 0.85
const NEAREST = 1.5

/** Into so many steps the board is parted each way when a card looks for a place. */
const FAR = 8

/** How far the middle of a card at that corner is from a place. */
const away = ([left = 0, top = 0]: number[], at: { x: number; y: number }, w: number, h: number): number =>
  Math.hypot(left + w / 2 - at.x, top + h / 2 - at.y)

/** How much larger than usual panels and cards are drawn on very large screens; the styles say the same. */
export const enlarged = (width: number): number => (width >= 3200 ? 1.75 : width >= 2200 ? 1.34 : 1)

export class Framing {
  width = $state(typeof window === 'undefined' ? 1440 : window.innerWidth)
  height = $state(typeof window === 'undefined' ? 900 : window.innerHeight)
  /** The board's own part of the screen, in pixels. */
  boardWidth = $state(0)
  boardHeight = $state(0)
  box = $state<Box>({ x: 0, y: 0, w: 1000, h: 1000 })
  /** The view that a jump left (to the whole board, by a double tap, by itself): the way back. */
  before = $state.raw<Box | null>(null)
  private framed = ''

  constructor(readonly geometry: Geometry) {
    this.box = { ...this.whole }
  }

  get whole(): Box {
    return { x: 0, y: 0, w: this.geometry.view[2], h: this.geometry.view[3] }
  }

  /** A phone held sideways, or a window enlarged by half: the board at the left, everything for the thumb at the right. */
  sideways = $derived.by(() => this.width > this.height && this.height < 560 && this.width < 1000)
  mode = $derived.by<Mode>(() =>
    this.width < 700 || this.sideways ? 'phone' : this.width < 1200 && this.height > this.width ? 'tablet' : 'desktop',
  )
  /** A portrait board gets the height, with a column at either side. */
  triple = $derived.by(
    () => this.mode === 'desktop' && this.geometry.size[1] > this.geometry.size[0] && this.width >= 1200,
  )
  /** Too low for desk and chronicle below each other: they take turns in tabs. */
  low = $derived.by(() => this.mode === 'desktop' && !this.triple && this.height < 840)

  scale = $derived.by(() => enlarged(this.width))
  isWhole = $derived.by(() => this.box.w >= this.whole.w - 2 && this.box.h >= this.whole.h - 2)

  /** The first view of a layout; afterwards the board moves only when somebody moves it. */
  start(keys: string[]): void {
    const layout = `${this.mode}${this.sideways}`
    if (this.framed === layout || !this.boardWidth || !this.boardHeight) return
    this.framed = layout
    this.before = null
    this.box = this.mode === 'phone' ? this.firstOnPhone(keys) : { ...this.whole }
  }

  jump(box: Box): void {
    this.before = { ...this.box }
    this.box = { ...box }
  }

  /** To where one was before the last jump, and there again. */
  back(): void {
    if (this.before) this.jump(this.before)
  }

  /** The whole board, or from it back to the part looked at before. */
  toggleWhole(): void {
    if (!this.isWhole) this.jump(this.whole)
    else if (this.before) this.back()
    else this.near({ x: this.whole.w / 2, y: this.whole.h / 2 })
  }

  /** A double tap: near that place, or back to the whole board. */
  toggleNear(at: { x: number; y: number }): void {
    if (this.isWhole) this.near(at)
    else this.jump(this.whole)
  }

  private near(at: { x: number; y: number }): void {
    const w = Math.min(this.whole.w / 2.2, this.boardWidth / NEAR)
    this.jump(this.within(at, w, (w * this.boardHeight) / this.boardWidth))
  }

  /**
   * A phone shows a part of the board only: what must be chosen now comes into sight if nothing of it is, and a piece
   * in hand stays there; nothing else moves it.
   */
  seek(keys: string[], held: string[] = []): void {
    if (this.mode !== 'phone' || !this.boardWidth || !this.boardHeight || !keys.length) return
    if (this.inSight(held) && keys.some((key) => this.inSight([key]))) return
    this.jump(this.firstOnPhone([...held, ...this.nearest(keys, held)]))
  }

  /** The few things nearest to the piece in hand, or to what is looked at. */
  private nearest(keys: string[], held: string[]): string[] {
    const { x, y, w, h } = this.box
    const from = where(this.geometry, held[0] ?? '') ?? { x: x + w / 2, y: y + h / 2 }
    const far = (key: string): number => {
      const at = where(this.geometry, key)
      return at ? Math.hypot(at.x - from.x, at.y - from.y) : Infinity
    }
    return keys.toSorted((a, b) => far(a) - far(b)).slice(0, 3)
  }

  inSight(keys: string[]): boolean {
    const { x, y, w, h } = this.box
    return keys
      .flatMap((key) => where(this.geometry, key) ?? [])
      .every((s) => s.x >= x && s.x <= x + w && s.y >= y && s.y <= y + h)
  }

  /** ART §8: the smallest frame holding all legal posts, at least .85 px a unit; no nearer than a post can be aimed at. */
  private firstOnPhone(keys: string[]): Box {
    const { whole } = this
    const around = boxAround(
      keys.flatMap((key) => where(this.geometry, key) ?? []),
      60,
      whole,
    )
    const w = Math.min(Math.max(around.w, this.boardWidth / NEAREST), this.boardWidth / NEAR)
    const mid = { x: around.x + around.w / 2, y: around.y + around.h / 2 }
    return this.within(mid, w, (w * this.boardHeight) / this.boardWidth)
  }

  /** A view of that size around a place, inside the board. */
  private within(mid: { x: number; y: number }, w: number, h: number): Box {
    const { whole } = this
    return {
      x: Math.max(0, Math.min(whole.w - w, mid.x - w / 2)),
      y: Math.max(0, Math.min(whole.h - h, mid.y - h / 2)),
      w,
      h,
    }
  }

  /** On the phone what somebody asked for is brought into the lower half, below a card at the top; the scale stays. */
  reveal(key: string): void {
    const at = where(this.geometry, key)
    if (this.mode !== 'phone' || !at) return
    const { whole, box } = this
    const [x, y] = [(at.x - box.x) / box.w, (at.y - box.y) / box.h]
    if (x > 0.1 && x < 0.9 && y > 0.55 && y < 0.95) return
    this.jump({
      ...box,
      x: Math.max(0, Math.min(whole.w - box.w, at.x - box.w / 2)),
      y: Math.min(whole.h - box.h, at.y - 0.75 * box.h),
    })
  }

  /** While others play the part shown goes where something happens; the scale stays. */
  accompany(keys: string[]): void {
    const spots = keys.flatMap((key) => where(this.geometry, key) ?? [])
    if (this.mode !== 'phone' || !spots.length || this.inSight(keys)) return
    const mid = (axis: 'x' | 'y'): number => spots.reduce((sum, s) => sum + s[axis], 0) / spots.length
    this.jump(this.within({ x: mid('x'), y: mid('y') }, this.box.w, this.box.h))
  }

  /** Where a thing is on the screen, measured from the board's own corner. */
  spot(key: string | null): { x: number; y: number } | null {
    const at = key ? where(this.geometry, key.startsWith('seal:') ? `route:${key.slice(5)}` : key) : null
    if (!at) return null
    const s = Math.min(this.boardWidth / this.box.w, this.boardHeight / this.box.h)
    return {
      x: (this.boardWidth - this.box.w * s) / 2 + (at.x - this.box.x) * s,
      y: (this.boardHeight - this.box.h * s) / 2 + (at.y - this.box.y) * s,
    }
  }

  /** A place of that size beside the thing, where it covers least of the route it speaks of; as large as the panels are. */
  beside(key: string | null, width: number, height: number): string {
    const [w, h] = [width * this.scale, height * this.scale]
    const at = this.spot(key) ?? { x: this.boardWidth / 2, y: this.boardHeight / 2 }
    const spots = routeKeys(this.geometry, key).flatMap((k) => this.spot(k) ?? [])
    const inside = (v: number, most: number): number => Math.max(6, Math.min(most, v))
    const covered = ([left, top]: [number, number]): number =>
      spots.filter((s) => s.x > left - SHY && s.x < left + w + SHY && s.y > top - SHY && s.y < top + h + SHY).length
    const near = [at.y + 18, at.y - h - 18].flatMap((top) => [at.x + 30, at.x - 30 - w].map((left) => [left, top]))
    // Where every place beside it would cover something, the nearest one further away that does not.
    const [across, down] = [(this.boardWidth - w) / FAR, (this.boardHeight - h) / FAR]
    const steps = Array.from({ length: FAR + 1 }, (_, i) => i)
    const far = steps
      .flatMap((row) => steps.map((column) => [column * across, row * down]))
      .toSorted((a, b) => away(a, at, w, h) - away(b, at, w, h))
    const places = [...near, ...far].map<[number, number]>(([left = 0, top = 0]) => [
      inside(left, this.boardWidth - w - 6),
      inside(top, this.boardHeight - h - 6),
    ])
    const [left, top] = places.reduce((best, place) => (covered(place) < covered(best) ? place : best))
    return `left: ${left / this.scale}px; top: ${top / this.scale}px; zoom: ${this.scale}`
  }
}
