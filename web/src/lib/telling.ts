/** A line of the chronicle in words: an action with every owner, payment and fee in it. */
import { allOf, t, template } from '../i18n/index.svelte'
import type { Line } from './chronicle'
import type { GameEvent, PieceMoved, View } from './wire'
import { aPiece, consequences, line, parts, pieces, route, type Names, type Part } from './words'

export interface Told {
  parts: Part[]
  /** What it cost and brought, each a few words. */
  more: string[]
  /** Places it speaks of. */
  keys: string[]
}

interface Journey {
  piece: string
  from: string
  to: string
}

const moves = (events: GameEvent[]): PieceMoved[] => events.filter((e) => e.type === 'piece-moved')
const post = (place: string): string | null => (place.startsWith('post:') ? place : null)
const routeOf = (place: string): string => place.slice(5, place.lastIndexOf('/'))

/** Each piece with the post it was lifted from and the one it was put on; one still in hand has no journey yet. */
function journeys(events: GameEvent[]): Journey[] {
  const hand: Journey[] = []
  const out: Journey[] = []
  for (const { piece, source, target } of moves(events)) {
    if (target.startsWith('hand:')) hand.push({ piece, from: source, to: '' })
    else if (post(target)) {
      const held = source.startsWith('hand:') ? hand.findIndex((h) => h.piece === piece) : -1
      const from = held >= 0 ? hand.splice(held, 1)[0]!.from : source
      out.push({ piece, from, to: target })
    }
  }
  return out
}

/** "a trader", or "Katrijn's trader" where it is not the mover's; "your trader" for whoever reads. */
function whose(piece: string, mover: string | null, names: Names): string {
  const [owner = '', shape = 't'] = piece.split(':')
  if (owner === mover) return aPiece(shape)
  if (owner === names.own) return t(shape === 'm' ? 'piece.yourM' : 'piece.yourT')
  return t(shape === 'm' ? 'piece.ofM' : 'piece.ofT', { who: names.who(owner) })
}

/** What went from the supply of the one who acts to his stock. */
function fee(events: GameEvent[], player: string | null): string[] {
  const paid = moves(events).filter((e) => e.source === `supply:${player}` && e.target === `stock:${player}`)
  const count = (shape: string): number => paid.filter((e) => e.piece.endsWith(`:${shape}`)).length
  return paid.length ? [t('log.fees', { pieces: pieces(count('t'), count('m')) })] : []
}

const travelled = ({ piece, from, to }: Journey, mover: string | null, names: Names): string =>
  post(from)
    ? t('log.move', {
        piece: whose(piece, mover, names),
        route: route(names, routeOf(from)),
        target: route(names, routeOf(to)),
      })
    : t(from.startsWith('stock:') ? 'log.added' : 'log.resettle', {
        piece: whose(piece, mover, names),
        route: route(names, routeOf(to)),
      })

/** Whom a displacing lets put how many pieces, while that is still to come. */
function gift(view: View | undefined, names: Names): string[] {
  const frame = view?.pending?.stack.find((w) => w.what === 'displaced')
  if (!frame?.waiting || !frame.player) return []
  const n = 1 + (frame.added ?? 0)
  return [t(frame.player === names.own ? 'follow.mayPut.you' : 'follow.mayPut', { who: names.who(frame.player), n })]
}

/** `view`: the position right after it, where what it leads to shall be told too. */
export function tell({ entry, rest }: Line, names: Names, view?: View): Told {
  const { player } = entry
  const events = [entry, ...rest].flatMap((e) => e.events)
  const verb = entry.kind === 'decision' ? entry.text.split(' ')[0]! : ''
  const trips = journeys(events)
  const keys = trips.flatMap((j) => [j.from, j.to].filter((k) => post(k)))
  const gains = consequences(events, names)
  if ((verb === 'lift' || (verb === 'put' && rest.length > 0)) && trips.length) {
    // A displaced piece came from the post it was driven from: that is told by whoever displaced it.
    const told = trips.map((j) =>
      travelled(verb === 'put' && !j.from.startsWith('stock:') ? { ...j, from: '' } : j, player, names),
    )
    const values = { who: player ? names.who(player) : '', moves: allOf(told) }
    const key = verb === 'lift' ? 'log.moved' : 'log.resettled'
    return { parts: parts(template(key, values), values, null), more: gains, keys }
  }
  const words = line(entry, names)
  const lit = words.flatMap((p) => (p.key ? [p.key] : []))
  const removed = moves(rest.flatMap((e) => e.events)).filter((e) => post(e.source) && e.target.startsWith('supply:'))
  const effect =
    verb === 'use' || verb === 'establish'
      ? [
          ...trips.map((j) => travelled(j, player, names)),
          ...removed.map((e) =>
            t('log.remove', { piece: whose(e.piece, player, names), route: route(names, routeOf(e.source)) }),
          ),
        ]
      : []
  const cost = verb === 'displace' || verb === 'place' ? fee(events, player) : []
  return {
    parts: words,
    more: [...cost, ...effect, ...gains, ...(verb === 'displace' ? gift(view, names) : [])],
    keys: [...lit, ...keys],
  }
}
