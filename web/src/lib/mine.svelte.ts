/** The tables of whoever sits here, and how many of them wait for a decision. */
import { api } from './api'
import { around } from './circle.svelte'
import { t } from '../i18n/index.svelte'
import type { TableFace, ListedTable } from './wire'

const EVERY = 45_000
const rank = (table: ListedTable): number =>
  table.your_turn ? 0 : table.status === 'running' ? 1 : table.status === 'open' ? 2 : 3

class Mine {
  tables = $state.raw<ListedTable[]>([])
  loaded = $state(false)
  error = $state.raw<unknown>(null)
  /** The table that is open in this tab knows better than the list. */
  here = $state.raw<{ id: string; decides: boolean } | null>(null)

  /** Those waiting for me first. */
  sorted = $derived([...this.tables].sort((a, b) => rank(a) - rank(b) || b.created - a.created))

  /** People wait; machines do not mind. */
  waiting = $derived(
    this.tables.filter(
      (x) => x.your_turn && x.id !== this.here?.id && x.seats.some((s) => s.kind === 'human' && !s.yours),
    ).length + (this.here?.decides ? 1 : 0),
  )

  async refresh(): Promise<void> {
    try {
      // Somebody who never sat down has no tables, and is not asked for any.
      const { person } = await api.me()
      this.tables = person ? (await api.tables('mine=true&limit=40')).games : []
      this.error = null
      // Who is around matters less: its own line says when it cannot be had.
      if (person) around.refresh().catch(() => {})
    } catch (e) {
      this.error = e
    } finally {
      this.loaded = true
    }
  }

  /** Looks again while the page is seen, and at once when it is looked at again. */
  follow(): () => void {
    const look = (): void => void (document.hidden || this.refresh())
    look()
    const timer = setInterval(look, EVERY)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }
}

export const mine = new Mine()

/** A name somebody chose; the server's stand-in names nobody needs to read. */
export const chosenName = (table: Pick<TableFace, 'name'>): string =>
  !table.name || table.name.endsWith("'s table") || table.name === 'Tutorial' ? '' : table.name

export function standing(table: ListedTable): string {
  if (table.status === 'over') return t('start.finished')
  if (table.status === 'open') return t('start.waiting')
  if (table.your_turn) return t('table.yourTurn')
  const who = table.seats.find((s) => s.seat === table.player)?.name
  return who ? t('table.theirTurn', { who }) : t('start.running')
}

/** The tab says it too: a figure before the title, a dot on the icon, a badge on the installed page. */
export function showWaiting(heading: string): void {
  const n = mine.waiting
  document.title = `${n ? `(${n}) ` : ''}${heading ? `${heading} · ` : ''}Hansa`
  document.querySelector('link[rel="icon"]')?.setAttribute('href', n ? '/icon-turn.svg' : '/icon.svg')
  const badge = navigator as Navigator & {
    setAppBadge?: (n: number) => Promise<void>
    clearAppBadge?: () => Promise<void>
  }
  void (n ? badge.setAppBadge?.(n) : badge.clearAppBadge?.())?.catch(() => {})
}
