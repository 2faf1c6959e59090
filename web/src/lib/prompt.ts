/** The one line that says who must do what. Chosen by what may be decided, not by any rule. */
import { named, t, has } from '../i18n/index.svelte'
import { hasVerb, type Decision } from './decisions'
import type { Play } from './play.svelte'
import type { View } from './types'
import { label, marker, piece, route, type Names } from './words'

function pickedPrompt(play: Play, names: Names): string {
  const [first = ''] = play.choice.picked
  if (first.startsWith('marker:')) return t('prompt.use', { marker: marker(first.slice(7)) })
  const routes = new Set(play.options.filter((d) => d.verb === 'establish').map((d) => d.route))
  const [only] = [...routes]
  return routes.size === 1 && only ? t('prompt.route', { route: route(names, only) }) : t('prompt.choose')
}

function insidePrompt(legal: Decision[], view: View | undefined): string {
  const phase = view?.phase ?? ''
  const shapes = new Set(legal.filter((d) => d.verb === 'put').map((d) => d.shape))
  const only = shapes.size === 1 ? piece([...shapes][0]) : t('piece.any')
  if (phase === 'setup') return t('prompt.setup')
  if (hasVerb(legal, 'pay')) return t('prompt.pay')
  if (hasVerb(legal, 'put')) {
    if (hasVerb(legal, 'done')) return t('prompt.putMore')
    const added = view?.pending?.stack.find((w) => w.what === 'displaced')?.added ?? 0
    return phase === 'displaced' && added ? t('prompt.displaced', { piece: only, n: added }) : t('prompt.put', { piece: only })
  }
  if (hasVerb(legal, 'lift')) return t('prompt.liftMore')
  if (legal.some((d) => d.verb === 'take' && d.post)) return t('prompt.takePost')
  if (hasVerb(legal, 'take')) return t('prompt.takeStock')
  for (const verb of ['green', 'spend', 'neutral'] as const) if (hasVerb(legal, verb)) return t(`prompt.${verb}`)
  const lay = legal.find((d) => d.verb === 'lay')
  return lay ? t('prompt.lay', { marker: marker(lay.marker) }) : t('prompt.other')
}

export function ownPrompt(play: Play, names: Names): string {
  const { legal, choice } = play
  if (play.asking) return label(play.asking, names)
  if (choice.picked.length && play.options.length) return pickedPrompt(play, names)
  if (!play.turn) return insidePrompt(legal, play.live.position?.view)
  if (choice.verb) return named('prompt', choice.verb, { piece: piece(play.shape) })
  return legal.some((d) => ['income', 'place', 'displace', 'lift', 'establish', 'pawn'].includes(d.verb)) ? t('prompt.turn') : t('prompt.noActions')
}

/** Phases that read alike to those who wait. */
const ALIKE: Record<string, string> = { plate: 'lay', 'neutral-put': 'displaced', remove3: 'move', replace3: 'move', 'perm-place2-route': 'move', 'perm-place2-abroad': 'move' }

export function theirPrompt(phase: string): string {
  const key = `prompt.their.${ALIKE[phase] ?? phase}`
  return has(key) ? t(key) : t('prompt.their.other')
}
