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

export function clockWords(clock: Clock | null): string {
  if (!clock) return t('pace.noneText')
  const each = clock.increment
    ? t('pace.each', { bank: span(clock.bank), increment: span(clock.increment) })
    : t('pace.bank', { bank: span(clock.bank) })
  return `${each} ${t(`clock.when.${clock.consequence ?? 'none'}`)}`
}
