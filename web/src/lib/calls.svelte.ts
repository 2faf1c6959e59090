/** Being told while one is away: what this server can do, what one has set up, and this browser's own part in it. */
import { api } from './api'
import { settings } from './settings.svelte'
import type { Calls, MailWish, Ways } from './wire'

/** A clock of a day or more: nobody waits at the table. */
export const DAYS = 86_400

/** The key as the browser wants it. */
function bytes(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(text, (c) => c.charCodeAt(0))
}

const text = (buffer: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer ?? new ArrayBuffer(0))))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')

class Called {
  ways = $state.raw<Ways | null>(null)
  calls = $state.raw<Calls | null>(null)
  /** Whether this browser is one of those that are told. */
  here = $state(false)
  /** Letters of an account lead to a new password: whoever has one says it before they go elsewhere. */
  account = $state(false)

  /** Something can be set up here at all. */
  offered = $derived(Boolean(this.ways && (this.ways.mail || (this.ways.push && canPush()))))
  /** One way at least leads to whoever sits here. */
  reached = $derived(Boolean(this.calls && (this.calls.mail || this.calls.devices.length)))

  async look(): Promise<void> {
    const { person, ways } = await api.me()
    // Together: who sees what is offered must be known, or be nobody.
    this.calls = person ? await api.calls() : null
    this.ways = ways
    this.account = Boolean(person?.account)
    this.here = ways.push !== null && canPush() && (await subscription()) !== null
  }

  /** Nobody is asked for a name only to be told something. */
  private async somebody(): Promise<void> {
    if (!this.calls) await api.rename(settings.name || 'Alheyd')
  }

  async write(address: string, password: string): Promise<void> {
    await this.somebody()
    const wish: MailWish = { address, lang: settings.lang }
    this.calls = await api.callByMail(this.account ? { ...wish, password } : wish)
  }

  async stopWriting(): Promise<void> {
    this.calls = await api.noMail()
  }

  /** The browser asks for leave; where it is refused it says so itself, and here is an error. */
  async push(): Promise<void> {
    if (!this.ways?.push) return
    await this.somebody()
    const worker = await navigator.serviceWorker.ready
    const made = await worker.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: bytes(this.ways.push),
    })
    this.calls = await api.callByPush({
      endpoint: made.endpoint,
      p256dh: text(made.getKey('p256dh')),
      auth: text(made.getKey('auth')),
      lang: settings.lang,
    })
    this.here = true
  }

  async stopPushing(device: string, last: boolean): Promise<void> {
    this.calls = await api.noPush(device)
    if (last) {
      await (await subscription())?.unsubscribe()
      this.here = false
    }
  }
}

export const canPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window

async function subscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration()
  return (await worker?.pushManager.getSubscription()) ?? null
}

export const called = new Called()
