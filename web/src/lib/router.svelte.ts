/** Addresses: `/g/ID#57` a table (at a decision), `/i/TOKEN` an invitation, `/#/new` and so on for the rest. */
export interface Place {
  page: string
  arg: string
  at: string
}

export function read(path: string, hash: string): Place {
  const [, first = '', second = ''] = path.split('/')
  if (first === 'g') return { page: 'table', arg: second, at: hash.replace(/^#/, '') }
  if (first === 'i') return { page: 'invite', arg: second, at: '' }
  if (first && first !== 'index.html') return { page: 'lost', arg: '', at: '' }
  const [page = '', arg = '', at = ''] = hash.replace(/^#\/?/, '').split('/')
  return { page: page || 'start', arg: decodeURIComponent(arg), at }
}

/** Pages with the whole window for a board. */
export const BOARDS = new Set(['table', 'study', 'studies', 'puzzles'])

const here = (): Place => read(location.pathname, location.hash)
export const place = $state<Place>(typeof location === 'undefined' ? { page: 'start', arg: '', at: '' } : here())

function follow(): void {
  Object.assign(place, here())
}

/** Where a rule (or a section) is explained to people who learn the game, and where its every case is settled. */
export const howTo = (what: string): string => `/#/rules/how/${what}`
export const inReference = (rule: string): string => `/#/rules/${rule}`

export function go(address: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', address)
  follow()
  window.scrollTo(0, 0)
}

/** The address keeps which decision is looked at; nothing else changes, the page stays where it was scrolled to. */
export function keepAt(at: number | null): void {
  if (place.page !== 'table') return
  const hash = at === null ? '' : `#${at}`
  if (location.hash === hash) return
  try {
    history.replaceState(null, '', location.pathname + hash)
  } catch {
    // Browsers refuse many changes within a few seconds; the next one is taken.
  }
  place.at = hash.slice(1)
}

if (typeof window !== 'undefined') {
  window.addEventListener('popstate', follow)
  window.addEventListener('hashchange', follow)
  // Links inside the page change the address without a reload.
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a[href]') as HTMLAnchorElement | null
    if (
      !link ||
      link.target ||
      link.download ||
      event.defaultPrevented ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey
    )
      return
    if (link.origin !== location.origin || link.pathname.startsWith('/api')) return
    event.preventDefault()
    go(link.pathname + link.hash)
  })
}
