/** Who plays in which colour. Everything is drawn by seat (p1 … p5); here a seat puts on the colour of another. */
import type { Seat, SeatFace } from './wire'

const PARTS = ['', '-d', '-t', '-on']
let worn = $state.raw<Record<string, string>>({})

/** The colour of a seat, by the seat that has it in the box: its mark and letter go with it. */
export const colourOf = (owner: string): string => worn[owner] ?? owner

/** Dress the whole page for a table; gives back how to undress it. */
export function dress(seats: Pick<SeatFace, 'seat' | 'colour'>[]): () => void {
  const { style } = document.body
  const changed: [Seat, Seat][] = seats.flatMap((s) => (s.colour && s.colour !== s.seat ? [[s.seat, s.colour]] : []))
  for (const [seat, colour] of changed)
    for (const part of PARTS) style.setProperty(`--${seat}${part}`, `var(--box-${colour}${part})`)
  worn = Object.fromEntries(changed)
  return () => {
    for (const [seat] of changed) for (const part of PARTS) style.removeProperty(`--${seat}${part}`)
    worn = {}
  }
}
