/** The list beside a long text: its chapters, and which of them is being read. */
export interface Chapter {
  key: string
  name: string
  /** The id of its element. */
  place: string
}

const AT_THE_TOP = '-80px 0px -80% 0px'
/** A screen ahead of the reader, more or less. */
export const NEAR = '800px 0px'

/** Says when an element is at the top of the screen, or wherever else it is waited for. */
export function followed(node: Element, onread: () => void, where = AT_THE_TOP): (() => void) | void {
  if (!('IntersectionObserver' in window)) return onread()
  const watcher = new IntersectionObserver(
    ([entry]) => {
      if (entry?.isIntersecting) onread()
    },
    { rootMargin: where },
  )
  watcher.observe(node)
  return () => watcher.disconnect()
}
