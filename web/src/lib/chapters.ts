/** The list beside a long text: its chapters, and which of them is being read. */
export interface Chapter {
  key: string
  name: string
  /** The id of its element. */
  place: string
}

/** Says when an element is at the top of the screen. */
export function followed(node: Element, onread: () => void): (() => void) | void {
  if (!('IntersectionObserver' in window)) return
  const watcher = new IntersectionObserver(
    ([entry]) => {
      if (entry?.isIntersecting) onread()
    },
    { rootMargin: '-80px 0px -80% 0px' },
  )
  watcher.observe(node)
  return () => watcher.disconnect()
}
