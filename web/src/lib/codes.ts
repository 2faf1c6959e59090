/** The rules name markers, boards and editions by their codes; people read names. */
import { has, t } from '../i18n/index.svelte'

export function codeName(code: string): string {
  if (has(`marker.${code}`)) return t(`marker.${code}` as 'marker.swap')
  if (code === 'classic' || code === 'bigbox') return t(`new.${code}`)
  if (code === 'duel-pawn') return t('new.pawn')
  if (code === 'duel-neutral') return t('new.neutral')
  const [board = '', side] = code.split('-')
  if (!has(`board.${board}`)) return ''
  const name = t(`board.${board}` as 'board.hansa')
  return side === '45' ? `${name} 4–5` : side === '23' ? `${name} 2–3` : name
}
