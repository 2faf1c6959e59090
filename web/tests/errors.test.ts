import { afterEach, expect, it } from 'vitest'
import { useLanguage } from '../src/i18n/index.svelte'
import { Refused } from '../src/lib/api'
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
it('of a newer server, or of something in between, is told as it came', async () => {
  await speak('de')
  expect(refusal('too_tired' as ErrorCode, 'Come back tomorrow.')).toBe('Come back tomorrow.')
  expect(sorry(new Refused('failed', 'Bad Gateway'))).toBe('Bad Gateway')
})
