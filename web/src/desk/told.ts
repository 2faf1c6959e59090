/** The pointer on a thing brings up its words, and takes them away again. */
export type Hover = (key: string | null, element: Element | null) => void

interface Handlers {
  onpointerenter: (event: PointerEvent) => void
  onpointerleave: () => void
}

export const told = (key: string, onhover: Hover): Handlers => ({
  onpointerenter: (event) => onhover(key, event.currentTarget as Element),
  onpointerleave: () => onhover(null, null),
})
