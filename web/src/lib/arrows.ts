/** Where an arrow of advice begins and ends on the board. */
import type { Decision } from './decisions'
import type { View } from './wire'

/** `from` null: it comes down from above. */
export interface Arrow {
  from: string | null
  to: string
  rank: number
  weight: number
}

export function arrowOf(d: Decision, view: View): Pick<Arrow, 'from' | 'to'> | null {
  if (d.post) return { from: null, to: `post:${d.post}` }
  if (d.prestige) return { from: `route:${d.route}`, to: `prestige:${d.prestige}` }
  if (d.city) return { from: d.route ? `route:${d.route}` : null, to: `city:${d.city}` }
  if (d.province) return { from: view.pawn === null ? null : `province:${view.pawn}`, to: `province:${d.province}` }
  return d.route ? { from: null, to: `route:${d.route}` } : null
}
