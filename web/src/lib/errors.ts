/** What went wrong, in the reader's language. The server's own sentence is more precise but English. */
import { has, t } from '../i18n/index.svelte'
import { Refused } from './api'
import { settings } from './settings.svelte'

export function sorry(error: unknown): string {
  if (!(error instanceof Refused)) return t('app.gone')
  const key = `error.${error.code}`
  return settings.lang !== 'en' && has(key) ? t(key) : error.message
}

/** Why a choice is closed: the engine names the rule, the page says it in the reader's words. */
export function closedBecause(reason: string | null | undefined): string {
  const rule = /CFG-\d+/.exec(reason ?? '')?.[0]
  const key = `closed.${rule}`
  return rule && has(key) ? t(key) : (reason ?? '')
}
