/** A thing on the board that may be clicked, as the board draws it. */
export interface Target {
  /** As in decisions.ts: `post:…`, `city:…`, `route:…`, `prestige:…`, `province:…`. */
  key: string
  /** What a click would do, for the screen reader. */
  label: string
  /** The piece that would stand there. */
  ghost: { owner: string; shape: string } | null
  /** Answers a click, but shows nothing until the pointer is there. */
  quiet: boolean
  /** A thin ring only. */
  soft: boolean
  occupied: boolean
}
