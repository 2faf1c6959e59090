/** The tables of whoever sits here, and how many of them wait for a decision. */
import { api } from './api'
import { around } from './circle.svelte'
import { clockText } from './clocks.svelte'
import { knock } from './sound'
import { now } from './ticking'
import { t } from '../i18n/index.svelte'
import type { TableFace, ListedTable } from './wire'

const EVERY = 45_000
/** A page that nobody sees looks so much less often: its title still says whose turn it is. */
const HIDDEN = 4
const rank = (table: ListedTable): number =>
  table.your_turn ? 0 : table.status === 'running' ? 1 : table.status === 'open' ? 2 : 3

/** When the clock that runs will be empty; tables without one can wait longest. */
function until(table: ListedTable): number {
  const rest = table.seats.find((s) => s.seat === table.ticking)?.remaining
  return rest === null || rest === undefined ? Number.MAX_SAFE_INTEGER : (table.clock_at ?? 0) + rest
}

class Mine {
  tables = $state.raw<ListedTable[]>([])
  loaded = $state(false)
  /** Whoever sits here has a name: there may be tables. */
  known = $state(false)
  /** Keeps order here: sees the page for it. */
  admin = $state(false)
  error = $state.raw<unknown>(null)
  /** The table that is open in this tab knows better than the list. */
  here = $state.raw<{ id: string; decides: boolean } | null>(null)

  /** Those waiting for me first, and of these the one whose time is up soonest. */
  sorted = $derived([...this.tables].sort((a, b) => rank(a) - rank(b) || until(a) - until(b) || b.created - a.created))

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
      this.known = person !== null
      this.admin = person?.admin ?? false
      const before = this.loaded ? this.waiting : Infinity
      this.tables = person ? (await api.tables('mine=true&limit=40')).games : []
      if (this.waiting > before) knock(true)
      this.error = null
      // Who is around matters less: its own line says when it cannot be had.
      if (person) around.refresh().catch(() => {})
    } catch (e) {
      this.error = e
    } finally {
      this.loaded = true
    }
  }

  /** Looks again while the page is seen, seldom while it is not, and at once when it is looked at again. */
  follow(): () => void {
    const look = (): void => void (document.hidden || this.refresh())
    look()
    let rounds = 0
    const timer = setInterval(() => {
      rounds += 1
      if (!document.hidden || rounds % HIDDEN === 0) void this.refresh()
    }, EVERY)
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

/** What is left on the clock that runs; empty without one. */
export function timeLeft(table: ListedTable): string {
  const end = until(table)
  if (table.status !== 'running' || end === Number.MAX_SAFE_INTEGER) return ''
  return clockText(Math.max(0, end - Math.max(now(), table.clock_at ?? 0)))
}

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
