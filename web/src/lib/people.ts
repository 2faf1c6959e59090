import { has, t } from '../i18n/index.svelte'
import type { BotFace } from './wire'

/** Names for seats nobody named: merchants of the time. */
export const NAMES = ['Alheyd', 'Bertram', 'Katrijn', 'Detmar', 'Gese']

/** A machine's name in the chosen language, by how strong it is; the server's own where we have none. */
export function botTitle(bot: BotFace): string {
  const key = `bot.${bot.level}`
  return has(key) ? t(key) : bot.title
}

export function botText(bot: BotFace | undefined): string {
  const key = `botText.${bot?.level}`
  return has(key) ? t(key) : (bot?.text ?? '')
}

/** The strongest that answers soon. */
export const adviser = (bots: BotFace[], most = 5): BotFace | undefined =>
  bots.filter((b) => b.level <= most).toSorted((a, b) => b.level - a.level)[0] ?? bots[0]

export const unlike = (taken: string[], index: number): string => {
  const free = NAMES.filter((n) => !taken.includes(n))
  return free[index % free.length] ?? NAMES[index % NAMES.length]!
}
