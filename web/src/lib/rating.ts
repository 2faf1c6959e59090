/** Ratings in words. */
import { t } from '../i18n/index.svelte'
import type { Rating } from './wire'

export const ratingWords = (rating: Rating): string => `${rating.value} ± ${rating.uncertainty}`

/** `+12`, `−8`, `±0`. */
export const gainWords = (gain: number): string => (gain > 0 ? `+${gain}` : gain < 0 ? `−${-gain}` : '±0')

export const profileOf = (person: string): string => `/#/stats/${person}`

/** For screen readers, where a sign alone says nothing. */
export const gainSpoken = (gain: number): string => `${t('rating.title')} ${gainWords(gain)}`
