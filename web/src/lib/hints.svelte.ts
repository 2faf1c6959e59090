/** Hints for whoever plays alone among machines: switched on for a table, asked for once a turn. */
import { t } from '../i18n/index.svelte'
import { reasons, steps } from './plan'
import type { Session } from './session.svelte'
import { label } from './words'

const key = (id: string): string => `hansa.hints.${id}`

/** For a table that is about to be opened. */
export const wantHints = (id: string): void => sessionStorage.setItem(key(id), 'on')

export class Hints {
  on = $state(false)

  constructor(readonly session: Session) {
    this.on = sessionStorage.getItem(key(session.live.id)) === 'on'
  }

  toggle(): void {
    this.on = !this.on
    sessionStorage.setItem(key(this.session.live.id), this.on ? 'on' : '')
    if (!this.on) this.session.advice.clear()
  }

  /** Asks where nothing is known of the turn; what failed is not asked again until something has changed. */
  look(): void {
    const { advice, deciding, mayAsk } = this.session
    if (this.on && deciding && mayAsk && !advice.plan.length && !advice.thinking && !advice.error) void advice.ask(true)
  }

  /** The next decision of the turn and what the turn is for, as a sentence. */
  text = $derived.by(() => {
    const { advice, deciding, decider, view, names, live } = this.session
    if (!this.on || !deciding) return ''
    if (advice.thinking) return t('hint.thinking')
    const [next] = advice.plan
    if (!next) return ''
    const [first] = steps(advice.plan, decider)
    const what = first ? label(first, names) : t('table.end')
    const why = reasons(advice.plan, decider, live.position?.view ?? view, names, true)
    return why.length ? t('hint.because', { what, why: why.join(t('hint.and')) }) : t('hint.would', { what })
  })
}
