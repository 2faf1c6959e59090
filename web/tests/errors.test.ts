import { afterEach, expect, it, vi } from 'vitest'
import { useLanguage } from '../src/i18n/index.svelte'
import { api, Refused } from '../src/lib/api'
import { refusal, sorry } from '../src/lib/errors'
import { save } from '../src/lib/settings.svelte'
import type { ErrorCode } from '../src/lib/wire'

async function speak(lang: 'en' | 'de'): Promise<void> {
  save({ lang })
  await useLanguage(lang)
}
afterEach(() => speak('en'))

it('is told as the server says it in English, and in words of its own elsewhere', async () => {
  expect(refusal('not_started', 'The game has not started yet.')).toBe('The game has not started yet.')
  await speak('de')
  expect(refusal('not_started', 'The game has not started yet.')).toBe('Das Spiel hat noch nicht begonnen.')
  expect(sorry(new Refused('not_host', 'Only the host may do that.'))).toBe('Das darf nur, wer den Tisch geöffnet hat.')
})
it('of a newer server is told as it came', async () => {
  await speak('de')
  expect(refusal('too_tired' as ErrorCode, 'Come back tomorrow.')).toBe('Come back tomorrow.')
})
it.each([
  [502, 'Der Server antwortet nicht. Läuft er, und bist du verbunden?'],
  [413, 'Das ist zu groß.'],
  [429, 'Zu viele Anfragen: Warte ein wenig.'],
])('of a proxy is told in words of our own: with HTTP/2 it has none (%i)', async (status, said) => {
  const page = (): Promise<Response> =>
    Promise.resolve(new Response('<h1>nginx</h1>', { status, headers: { 'content-type': 'text/html' } }))
  vi.stubGlobal('fetch', page)
  await speak('de')
  expect(sorry(await api.me().catch((e: unknown) => e))).toBe(said)
  await speak('en')
  expect(sorry(await api.me().catch((e: unknown) => e))).not.toBe('')
  vi.unstubAllGlobals()
})
