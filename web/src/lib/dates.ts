/** Days and hours, in the reader's language. */
import { settings } from './settings.svelte'

export const dayOf = (ms: number): string =>
  new Date(ms).toLocaleDateString(settings.lang, { year: 'numeric', month: 'short', day: 'numeric' })

export const dateTime = (ms: number): string =>
  new Date(ms).toLocaleString(settings.lang, { dateStyle: 'short', timeStyle: 'short' })

/** Behind this nobody waits: the server says "for ever" by a year that no calendar has. */
export const FOR_EVER = 8.64e15
