/** Time to think, as the form offers it and as a table says it. */
import { t } from '../i18n/index.svelte'
import type { Clock } from './wire'

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
