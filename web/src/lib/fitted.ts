/** Keeps a row of buttons whole: it is drawn as generously as it fits, in steps that the styles define. */

/** Whether something in it is wider than its place. */
function overflows(node: HTMLElement): boolean {
  const wide = (e: HTMLElement): boolean => e.scrollWidth > e.clientWidth
  return wide(node) || [...node.querySelectorAll<HTMLElement>('button')].some(wide)
}

/** Writes `data-fit="1 2 …"` with as many steps as it takes, anew whenever the width or the content changes. */
export function fitted(node: HTMLElement, steps: number): { destroy: () => void } {
  const fit = (): void => {
    const taken: number[] = []
    node.dataset.fit = ''
    while (taken.length < steps && overflows(node)) {
      taken.push(taken.length + 1)
      node.dataset.fit = taken.join(' ')
    }
  }
  const resized = new ResizeObserver(fit)
  const changed = new MutationObserver(fit)
  resized.observe(node)
  changed.observe(node, { childList: true, characterData: true, subtree: true })
  void document.fonts?.ready.then(fit)
  return {
    destroy: () => {
      resized.disconnect()
      changed.disconnect()
    },
  }
}
