/** What went wrong, in the reader's language. The server's own sentence is more precise but English. */
import { has, t } from '../i18n/index.svelte'
import type { Key } from '../i18n/en'
import { Refused } from './api'
import { settings } from './settings.svelte'
import type { ErrorCode } from './wire'

export function sorry(error: unknown): string {
  return error instanceof Refused && error.code !== 'failed' ? refusal(error.code, error.message) : t('app.gone')
}

/** Every code has words: the compiler asks for those of a new one. A newer server's own are told as it says them. */
export function refusal(code: ErrorCode, message: string): string {
  const key: Key = `error.${code}`
  return (settings.lang === 'en' && message) || !has(key) ? message : t(key)
}

/** Why a choice is closed: the engine names the rule, the page says it in the reader's words. */
export function closedBecause(reason: string | null | undefined): string {
  const rule = /CFG-\d+/.exec(reason ?? '')?.[0]
  const key = `closed.${rule}`
  return rule && has(key) ? t(key) : (reason ?? '')
}
