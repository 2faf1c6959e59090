// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { describe, expect, it } from 'vitest'
import { useLanguage } from '../src/i18n/index.svelte'
import { save, type Lang } from '../src/lib/settings.svelte'
import Rules from '../src/pages/Rules.svelte'

/** The whole text is there: drawing it takes a while, so each language is opened once. */
async function open(lang: Lang, arg: string): Promise<void> {
  save({ lang })
  await useLanguage(lang)
  render(Rules, { arg })
  await waitFor(() => expect(document.getElementById('rule-INV-9')).toBeTruthy(), { timeout: 20_000 })
}

describe('the rules reader', () => {
  it.each([
    ['de', 'aus seinem Vorrat in sein Lager', 'Drei weitere Aktionen'],
    ['ja', 'ストックへ', 'アクション＋3'],
  ] as const)('reads %s', async (lang, words, marker) => {
    await open(lang, 'DISPLACE-3')
    expect(document.getElementById('rule-DISPLACE-3')!.textContent).toContain(words)
    expect(document.getElementById('rule-DISPLACE-3')!.className).toContain('here')
    expect(document.getElementById('rule-MARKER-ACT-1')!.textContent).toContain(marker)
    expect(document.querySelector('article')!.getAttribute('lang')).toBe(lang)
  })
  it('names markers, links mentions, searches, marks what it found, and says when there is nothing', async () => {
    await open('en', 'MARKER-PUT')
    expect(document.getElementById('rule-MARKER-PUT-1')!.className).toContain('here')
    expect(document.getElementById('rule-MARKER-ACT-1')!.textContent).toContain('Three more actions')
    expect(document.querySelector('#rule-DISPLACE-4 a[href="/#/rules/RULING-5"]')).toBeTruthy()
    expect(document.querySelector('tr#rule-RULING-5')).toBeTruthy()
    const search = screen.getByRole('searchbox')
    await fireEvent.input(search, { target: { value: 'Swap offices' } })
    await waitFor(() => expect(document.getElementById('rule-DISPLACE-3')).toBeNull())
    expect(document.getElementById('rule-MARKER-SWAP-1')!.querySelector('mark')).toBeTruthy()
    await fireEvent.input(search, { target: { value: 'zzzz' } })
    await waitFor(() => expect(screen.getByText('Nothing found.')).toBeTruthy())
  })
})
