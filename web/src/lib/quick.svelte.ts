/** A search for a quick game: asked again and again until there is a table, or nobody wants one any more. */
import { api } from './api'
import { sorry } from './errors'
import type { Quick, QuickWish } from './wire'

/** Milliseconds between two questions; whoever is silent for twelve seconds counts as gone. */
const EVERY = 2000

export class QuickSearch {
  wish = $state.raw<QuickWish | null>(null)
  state = $state.raw<Quick | null>(null)
  error = $state('')
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(readonly onfound: (game: string) => void) {}

  start(wish: QuickWish): void {
    this.wish = wish
    this.state = null
    this.error = ''
    void this.#ask(wish)
  }

  async #ask(wish: QuickWish): Promise<void> {
    try {
      const state = await api.quick(wish)
      if (this.wish !== wish) return
      this.state = state
      this.error = ''
      if (state.game) {
        this.stop()
        this.onfound(state.game)
        return
      }
    } catch (e) {
      if (this.wish !== wish) return
      this.error = sorry(e)
      if (!this.state) {
        // Refused from the start: asking again would not help.
        this.wish = null
        return
      }
    }
    this.#timer = setTimeout(() => void this.#ask(wish), EVERY)
  }

  /** Whoever leaves the page, or has found a table, is not seated again. */
  stop(): void {
    if (!this.wish) return
    this.wish = null
    clearTimeout(this.#timer)
    api.stopQuick().catch(() => {})
  }
}
