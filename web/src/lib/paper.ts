/** Printing: on paper the colours are those that cost little ink, and every example is open. */
import { applyTheme } from './settings.svelte'

/** `complete`: whatever is not on the page yet must be there now. */
export function onPaper(complete: () => void): () => void {
  let closed: HTMLDetailsElement[] = []
  const before = (): void => {
    complete()
    document.documentElement.dataset.theme = 'print'
    closed = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')]
    for (const one of closed) one.open = true
  }
  const after = (): void => {
    applyTheme()
    for (const one of closed) one.open = false
  }
  window.addEventListener('beforeprint', before)
  window.addEventListener('afterprint', after)
  return () => {
    window.removeEventListener('beforeprint', before)
    window.removeEventListener('afterprint', after)
  }
}
