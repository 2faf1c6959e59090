/** Numbers as the reader's language writes them. */
import { settings } from './settings.svelte'

/** One figure after the point, or the comma. */
export const tenths = (n: number): string =>
  n.toLocaleString(settings.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
