/** Time to think, as the form offers it and as a table says it. */
import { t } from '../i18n/index.svelte'
import type { Clock, TableFace } from './wire'

export type Pace = 'none' | 'quick' | 'usual' | 'calm' | 'days' | 'week' | 'own'
const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
export const PACES: Record<Exclude<Pace, 'none' | 'own'>, { bank: number; increment: number }> = {
  quick: { bank: 10 * MINUTE, increment: 10 },
  usual: { bank: 25 * MINUTE, increment: 20 },
  calm: { bank: 60 * MINUTE, increment: 60 },
  days: { bank: 3 * DAY, increment: 12 * HOUR },
  week: { bank: 7 * DAY, increment: DAY },
}

/** `3 days`, `12 hours`, `25 minutes`, `20 seconds`: the largest unit that fits. */
export function span(seconds: number): string {
  const [unit, size] =
    (
      [
        ['days', DAY],
        ['hours', HOUR],
        ['minutes', MINUTE],
        ['seconds', 1],
      ] as const
    ).find(([, s]) => seconds >= s && seconds % s === 0) ?? (['seconds', 1] as const)
  return t(`span.${unit}`, { n: seconds / size })
}

/** As long as one could think at most, five minutes to a week; a day without a clock: what the server takes by itself. */
export const absenceOf = (clock: Clock | null): number =>
  clock ? Math.min(7 * DAY, Math.max(5 * MINUTE, clock.bank)) : DAY

export const absenceWords = (seconds: number): string => t('absence.text', { time: span(seconds) })

export function clockWords(clock: Clock | null): string {
  if (!clock) return t('pace.noneText')
  const each = clock.increment
    ? t('pace.each', { bank: span(clock.bank), increment: span(clock.increment) })
    : t('pace.bank', { bank: span(clock.bank) })
  return `${each} ${t(`clock.when.${clock.consequence ?? 'none'}`)}`
}

/** In a line of a list: the pace by its name where it has one. */
export function paceWords(clock: Clock | null): string {
  if (!clock) return t('pace.none')
  const known = (Object.keys(PACES) as (keyof typeof PACES)[]).find(
    (p) => PACES[p].bank === clock.bank && PACES[p].increment === clock.increment,
  )
  if (known) return t(`pace.${known}`)
  return clock.increment ? `${span(clock.bank)} + ${span(clock.increment)}` : span(clock.bank)
}

/** Edition, modules and way of the duel, in short. */
export const rulesWords = ({ setup }: Pick<TableFace, 'setup'>): string =>
  [
    t(setup.edition === 'classic' ? 'new.classic' : 'new.bigbox'),
    setup.missions && t('new.missions'),
    setup.favours && t('new.favours'),
    setup.promos.length > 0 && t('new.promos'),
    setup.border_fee && t('new.fee'),
    setup.duel && `${t('new.duel')}: ${t(setup.duel === 'pawn' ? 'new.pawn' : 'new.neutral')}`,
  ]
    .filter(Boolean)
    .join(' · ')
