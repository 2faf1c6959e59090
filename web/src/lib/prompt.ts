/** The one line that says who must do what. Chosen by what may be decided, not by any rule. */
import { named, t, has } from '../i18n/index.svelte'
import { hasVerb, type Decision } from './decisions'
import type { Play } from './play.svelte'
import type { View } from './wire'
import { label, marker, piece, route, thePiece, type Names } from './words'

function pickedPrompt(play: Play, names: Names): string {
  const [first = ''] = play.choice.picked
  if (first.startsWith('marker:')) return t('prompt.use', { marker: marker(first.slice(7)) })
  const routes = new Set(play.options.filter((d) => d.verb === 'establish').map((d) => d.route))
  const [only] = [...routes]
  return routes.size === 1 && only ? t('prompt.route', { route: route(names, only) }) : t('prompt.choose')
}

/** A piece is to be put down: whose, why, and what else may be done. */
function putPrompt(legal: Decision[], view: View | undefined, names: Names): string {
  const shapes = new Set(legal.filter((d) => d.verb === 'put').map((d) => d.shape))
  const displaced = view?.pending?.stack.find((w) => w.what === 'displaced')
  const shape = displaced?.waiting ?? (shapes.size === 1 ? [...shapes][0] : undefined)
  const values = { piece: thePiece(shape), n: displaced?.added ?? 0 }
  if (view?.phase === 'neutral-put') return t('prompt.putNeutral')
  if (displaced?.waiting && displaced.added)
    return t('prompt.displaced', {
      ...values,
      piece: piece(displaced.waiting),
      who: names.who(view!.active),
      route: route(names, displaced.route),
    })
  if (displaced && !displaced.waiting) return t('prompt.putMore', values)
  // Somebody else's piece may be in hand: then it is said whose goes down.
  const held = names.hand?.find((h) => !shape || h.shape === shape)
  if (held && view && held.owner !== view.player)
    return t('prompt.putOf', { who: names.who(held.owner), piece: piece(held.shape) })
  return hasVerb(legal, 'lift') ? t('prompt.putOrLift', values) : t('prompt.put', values)
}

function insidePrompt(legal: Decision[], view: View | undefined, names: Names): string {
  if (view?.phase === 'setup') return t('prompt.setup')
  if (hasVerb(legal, 'pay')) return t('prompt.pay')
  if (hasVerb(legal, 'put')) return putPrompt(legal, view, names)
  if (hasVerb(legal, 'lift')) return t(names.lifted ? 'prompt.liftMore' : 'prompt.liftFirst')
  if (legal.some((d) => d.verb === 'take' && d.post)) return t('prompt.takePost')
  if (hasVerb(legal, 'take')) return t('prompt.takeStock')
  for (const verb of ['green', 'spend', 'neutral'] as const) if (hasVerb(legal, verb)) return t(`prompt.${verb}`)
  const lay = legal.find((d) => d.verb === 'lay')
  return lay ? t('prompt.lay', { marker: marker(lay.marker) }) : t('prompt.other')
}

/** A turn in which nothing is chosen yet. */
function turnPrompt(legal: Decision[]): string {
  if (['income', 'place', 'displace', 'lift', 'establish', 'pawn'].some((verb) => hasVerb(legal, verb)))
    return t('prompt.turn')
  return hasVerb(legal, 'use') ? t('prompt.noActions') : t('prompt.noActionsEnd')
}

export function ownPrompt(play: Play, names: Names): string {
  const { legal, choice } = play
  if (play.asking) return label(play.asking, names)
  if (choice.picked.length && play.options.length) return pickedPrompt(play, names)
  if (!play.turn) return insidePrompt(legal, play.live.position?.view, names)
  if (choice.verb) return named('prompt', choice.verb, { piece: piece(play.shape) })
  return turnPrompt(legal)
}

/** Phases that read alike to those who wait. */
const ALIKE: Record<string, string> = {
  plate: 'lay',
  'neutral-put': 'displaced',
  remove3: 'move',
  replace3: 'move',
  'perm-place2-route': 'move',
  'perm-place2-abroad': 'move',
}

export function theirPrompt(phase: string): string {
  const key = `prompt.their.${ALIKE[phase] ?? phase}`
  return has(key) ? t(key) : t('prompt.their.other')
}
