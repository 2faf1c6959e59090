/** Pieces in hand and where pieces came from, read off the events of the log. */
import type { GameEvent, LogEntry, View } from './wire'

export interface Held {
  owner: string
  shape: string
  at: string
}

/** Walks events in order; tells each arrival on a post with the post it was lifted from. */
function walk(events: GameEvent[], held: Map<string, Held[]>, arrived: (post: string, from: string) => void): void {
  for (const event of events) {
    if (event.type === 'turn-began') held.clear()
    if (event.type !== 'piece-moved') continue
    const { source, target } = event
    const [owner = '', shape = ''] = event.piece.split(':')
    let from = source
    if (source.startsWith('hand:')) {
      const hand = held.get(source) ?? []
      const found = hand.findIndex((h) => h.owner === owner && h.shape === shape)
      if (found >= 0) from = hand.splice(found, 1)[0]!.at
    }
    if (target.startsWith('hand:')) {
      const hand = held.get(target) ?? []
      hand.push({ owner, shape, at: source })
      held.set(target, hand)
    } else if (target.startsWith('post:')) arrived(target.slice(5), from)
  }
}

/** The piece on a post (`post:route/n`), if one stands there. */
export function pieceAt(view: View, post: string): string | null {
  const cut = post.lastIndexOf('/')
  return view.routes[post.slice(5, cut)]?.posts[Number(post.slice(cut + 1)) - 1] ?? null
}

/** What is in somebody's hand after these entries, with the post it came from. */
export function inHand(log: LogEntry[]): Held[] {
  const held = new Map<string, Held[]>()
  for (const entry of log) walk(entry.events, held, () => {})
  return [...held.values()].flat().filter((h) => h.at.startsWith('post:'))
}

/** For the newest entries: post → the post its piece travelled from. */
export function journeys(before: LogEntry[], fresh: LogEntry[]): Map<string, string> {
  const held = new Map<string, Held[]>()
  for (const entry of before) walk(entry.events, held, () => {})
  const out = new Map<string, string>()
  for (const entry of fresh) walk(entry.events, held, (post, from) => from.startsWith('post:') && out.set(post, from))
  return out
}

export interface Departure {
  owner: string
  shape: string
  from: string
  to: string
}

/** Pieces that left their posts for good: into a city, the stock, the supply. */
export function departures(fresh: LogEntry[]): Departure[] {
  return fresh.flatMap((entry) =>
    entry.events.flatMap((event) => {
      if (event.type !== 'piece-moved') return []
      const { source: from, target: to } = event
      if (!from.startsWith('post:') || /^(post|hand):/.test(to)) return []
      const [owner = '', shape = ''] = event.piece.split(':')
      return [{ owner, shape, from, to }]
    }),
  )
}

/** Posts that got a piece from somebody's stock. */
export const added = (fresh: LogEntry[]): string[] =>
  fresh.flatMap((entry) =>
    entry.events.flatMap((event) =>
      event.type === 'piece-moved' && event.source.startsWith('stock:') && event.target.startsWith('post:')
        ? [event.target]
        : [],
    ),
  )

/** The posts and cities that entries changed, for the ring of the last move. */
export function marked(entries: LogEntry[]): Set<string> {
  const keys = new Set<string>()
  for (const entry of entries) {
    for (const event of entry.events) {
      if (event.type === 'piece-moved' && event.target.startsWith('post:')) keys.add(event.target)
      if (event.type === 'office-founded') keys.add(`city:${event.city}`)
    }
  }
  return keys
}
