/** The chat of one table: what is unread, and whom one does not want to hear. Both stay on this device. */
import { around } from './circle.svelte'
import type { ChatLine } from './wire'

interface Source {
  readonly id: string
  readonly chat: ChatLine[]
}
const MUTED = 'hansa.muted'
const READ = 'hansa.read'
/** Tables whose place in the chat is remembered. */
const MOST = 60

function stored<T>(key: string, fallback: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? fallback
  } catch {
    return fallback
  }
}

function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Without storage it holds until the page is closed.
  }
}

export class Talk {
  muted = $state.raw<Record<string, string>>(stored(MUTED, {}))
  private read = $state(0)

  constructor(readonly source: Source) {
    this.read = stored<[string, number][]>(READ, []).find(([id]) => id === source.id)?.[1] ?? 0
  }

  /** Whom one blocks the server does not send; what was heard before goes as well. */
  heard = $derived.by(() =>
    this.source.chat.filter((m) => !(m.person && (m.person in this.muted || around.tie(m.person) === 'block'))),
  )
  unread = $derived.by(() => this.heard.filter((m) => m.id > this.read).length)
  silenced = $derived.by(() => {
    const here = new Set(this.source.chat.map((m) => m.person))
    return Object.entries(this.muted).filter(([person]) => here.has(person))
  })

  /** Somebody looks at it. */
  seen(): void {
    const last = this.source.chat.at(-1)?.id ?? 0
    if (last <= this.read) return
    this.read = last
    const others = stored<[string, number][]>(READ, []).filter(([id]) => id !== this.source.id)
    keep(READ, [...others, [this.source.id, last]].slice(-MOST))
  }

  mute(person: string, name: string): void {
    this.muted = { ...this.muted, [person]: name }
    keep(MUTED, this.muted)
  }

  unmute(person: string): void {
    this.muted = Object.fromEntries(Object.entries(this.muted).filter(([id]) => id !== person))
    keep(MUTED, this.muted)
  }
}
