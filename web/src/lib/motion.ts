/** How pieces move (ART §4): transform and opacity alone; whoever wants no motion sees them fade. */
import { reducedMotion } from './settings.svelte'

export interface Point {
  x: number
  y: number
}
interface Motion {
  duration: number
  delay?: number
  easing?: (t: number) => number
  css: (t: number, u: number) => string
}

const FADE: Motion = { duration: 120, css: (t) => `opacity: ${t}` }
const inOut = (t: number): number => (t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2)
/** Goes a little too far and settles: the curve of `--e-land`. */
const land = (t: number): number => 1 + 1.9 * (t - 1) ** 3 + 0.9 * (t - 1) ** 2

/** A piece travels in an arc of 18 units; with nowhere to come from it drops. An office lands in its house. */
export function travel(
  _node: Element,
  { from, to, office = false }: { from: Point | undefined; to: Point; office?: boolean },
): Motion {
  if (reducedMotion()) return FADE
  const dx = from ? from.x - to.x : 0
  const dy = from ? from.y - to.y : -24
  return {
    duration: 420,
    easing: office ? land : inOut,
    css: (t, u) =>
      `transform: translate(${dx * u}px, ${dy * u - (from ? 72 * Math.max(0, t * u) : 0)}px); opacity: ${from ? 1 : Math.min(1, t * 2)}`,
  }
}

/** The piece that comes free on a desk goes down to the supply it belongs to now. */
export function toSupply(node: Element, shape: string): Motion {
  const supply = node.closest('.desk')?.querySelector(`[data-key="supply:${shape}"]`)
  if (reducedMotion() || !supply) return FADE
  const [a, b] = [node.getBoundingClientRect(), supply.getBoundingClientRect()]
  const [dx, dy] = [b.x + 17 - a.x - a.width / 2, b.y + b.height / 2 - a.y - a.height / 2]
  return {
    duration: 420,
    easing: inOut,
    css: (t, u) => `transform: translate(${dx * u}px, ${dy * u}px); opacity: ${Math.min(1, t * 4)}`,
  }
}
