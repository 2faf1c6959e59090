/** Days, in the reader's language. */
import { settings } from './settings.svelte'

export const dayOf = (ms: number): string =>
  new Date(ms).toLocaleDateString(settings.lang, { year: 'numeric', month: 'short', day: 'numeric' })
