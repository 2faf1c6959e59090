// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { describe, expect, it } from 'vitest'
import { useLanguage } from '../src/i18n/index.svelte'
import { save, type Lang } from '../src/lib/settings.svelte'
import Rules from '../src/pages/Rules.svelte'

async function open(lang: Lang, arg = ''): Promise<void> {
  save({ lang })
  await useLanguage(lang)
  render(Rules, { arg })
  await waitFor(() => expect(document.getElementById('rule-DISPLACE-3')).toBeTruthy())
}

describe('the rules reader', () => {
  it.each([['en', 'from his supply to his stock'], ['de', 'aus seinem Vorrat in sein Lager'], ['ja', 'ストックへ']] as const)('reads %s', async (lang, words) => {
    await open(lang, 'DISPLACE-3')
    expect(document.getElementById('rule-DISPLACE-3')!.textContent).toContain(words)
    expect(document.getElementById('rule-DISPLACE-3')!.className).toContain('here')
    expect(document.querySelector('article')!.getAttribute('lang')).toBe(lang)
  })
  it('names markers instead of their codes and links mentions', async () => {
    await open('en')
    expect(document.getElementById('rule-MARKER-ACT-1')!.textContent).toContain('Three more actions')
    expect(document.querySelector('#rule-DISPLACE-4 a[href="/#/rules/RULING-5"]')).toBeTruthy()
    expect(document.querySelector('tr#rule-RULING-5')).toBeTruthy()
  })
  it('searches, marks what it found, and says when there is nothing', async () => {
    await open('en')
    const search = screen.getByRole('searchbox')
    await fireEvent.input(search, { target: { value: 'Swap offices' } })
    await waitFor(() => expect(document.getElementById('rule-DISPLACE-3')).toBeNull())
    expect(document.getElementById('rule-MARKER-SWAP-1')!.querySelector('mark')).toBeTruthy()
    await fireEvent.input(search, { target: { value: 'zzzz' } })
    await waitFor(() => expect(screen.getByText('Nothing found.')).toBeTruthy())
  })
})
