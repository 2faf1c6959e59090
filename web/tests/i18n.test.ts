import { describe, expect, it } from 'vitest'
import { de } from '../src/i18n/de'
import { en, type Key } from '../src/i18n/en'
import { fill, pick } from '../src/i18n/index.svelte'
import { ja } from '../src/i18n/ja'
import { tenths } from '../src/lib/figures'
import { save } from '../src/lib/settings.svelte'

const holes = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()
const keys = Object.keys(en) as Key[]

describe.each([
  ['de', de],
  ['ja', ja],
] as const)('%s', (_, messages) => {
  it('has every key and no other', () => {
    expect(Object.keys(messages).sort()).toEqual([...keys].sort())
  })
  it.each(keys)('%s says something and fills the same holes', (key) => {
    expect(messages[key].trim()).not.toBe('')
    expect(holes(messages[key]).filter((hole) => !holes(en[key]).includes(hole))).toEqual([])
  })
  it('is translated: few texts are the English ones', () => {
    const same = keys.filter((key) => messages[key] === en[key] && /[a-z]{4}/i.test(en[key].replace(/\{\w+\}/g, '')))
    expect(same.length).toBeLessThan(25)
  })
})

describe('the words for how a game ended', () => {
  const after = (start: string): string[] => keys.filter((k) => k.startsWith(start)).map((k) => k.slice(start.length))
  it('are there for every way, in the list of games and at the end of one', () => {
    expect(after('end.why.').sort()).toEqual(after('stats.reason.').sort())
  })
})

describe('figures', () => {
  it.each([
    ['en', '26.0'],
    ['de', '26,0'],
    ['ja', '26.0'],
  ] as const)('are written as in %s', (lang, written) => {
    save({ lang })
    expect(tenths(26)).toBe(written)
    save({ lang: 'en' })
  })
})

describe('filling', () => {
  it('chooses one or several by n', () => {
    expect(fill('{n} action|{n} actions', { n: 1 })).toBe('1 action')
    expect(fill('{n} action|{n} actions', { n: 0 })).toBe('0 actions')
    expect(pick('only one form', { n: 7 })).toBe('only one form')
  })
  it('leaves a hole that nobody filled', () => {
    expect(fill('{who} on {route}', { who: 'Gese' })).toBe('Gese on {route}')
  })
})
