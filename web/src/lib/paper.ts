/** Printing: on paper the colours are those that cost little ink, and every example is open. */
import { applyTheme } from './settings.svelte'

export function onPaper(): () => void {
  let closed: HTMLDetailsElement[] = []
  const before = (): void => {
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
