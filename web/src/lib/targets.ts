/** A thing on the board that may be clicked, as the board draws it. */
import type { Decision } from './decisions'
import { pieceAt } from './hands'
import type { BoardKey } from './play.svelte'
import type { Session } from './session.svelte'
import { label, route } from './words'

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

/** The thing of the board that a decision is about. */
export const boardKeyOf = (d: Decision): string | null =>
  d.post
    ? `post:${d.post}`
    : d.city
      ? `city:${d.city}`
      : d.route
        ? `route:${d.route}`
        : d.province
          ? `province:${d.province}`
          : null

const PUTS = ['place', 'displace', 'put']

function ghost(list: Decision[], { view, news, decider }: Session): Target['ghost'] {
  const [first] = list
  if (!first?.post || !first.shape || !PUTS.includes(first.verb)) return null
  const [held] = news.hand
  const owner =
    view.phase === 'neutral-put'
      ? 'n'
      : first.verb === 'put' && held && held.shape === first.shape
        ? held.owner
        : decider
  return { owner, shape: first.shape }
}

export function pictured({ key, quiet }: BoardKey, session: Session): Target {
  const { play, view, names } = session
  const list = play.at(key)
  const cut = key.lastIndexOf('/')
  const isPost = key.startsWith('post:')
  const held = isPost ? pieceAt(view, key) : null
  const words =
    list.length > 2
      ? route(names, list[0]?.route) || label(list[0]!, names)
      : list.map((d) => label(d, names)).join(' / ')
  return {
    key,
    quiet,
    soft: session.calm,
    occupied: Boolean(held),
    ghost: isPost ? ghost(list, session) : null,
    label: `${words}${isPost ? `, ${key.slice(cut + 1)}` : ''}`,
  }
}
