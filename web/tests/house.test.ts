/** Every decision, marker and board of the house has words in every language; the rules declare them, nobody lists them here. */
import { describe, expect, it } from 'vitest'
import { de } from '../src/i18n/de'
import { en } from '../src/i18n/en'
import { ja } from '../src/i18n/ja'
import { HOUSE } from '../src/lib/catalogue'
import { parse, targets } from '../src/lib/decisions'
import { label, line, plain, type Names } from '../src/lib/words'
import type { LogEntry } from '../src/lib/wire'

const LANGUAGES = { en, de, ja } as Record<string, Record<string, string>>
const names: Names = { geometry: null, who: (seat) => seat }
const WORDS: Record<string, string> = {
  shape: 't',
  traders: '1',
  merchants: '0',
  province: '7',
  tile: 'city',
  marker: 'plus3',
  skill: 'keys',
  house: 'emden 1',
  player: 'p2',
  green: 'waren',
  end: 'emden',
  space: '8',
  post: 'groningen-emden/2',
  route: 'groningen-emden',
}
const example = (form: string): string => form.replace(/\{(\w+)\}/g, (_, field: string) => WORDS[field]!)

describe.each(HOUSE.forms)('%s', (form) => {
  const text = example(form)
  it('is taken apart: every field is found again', () => {
    const decision = parse(text)
    expect(decision.verb).toBe(form.split(' ')[0])
    const said = JSON.stringify({ ...decision, text: '' })
    for (const [, field] of form.matchAll(/\{(\w+)\}/g))
      for (const word of WORDS[field!]!.split(' ')) expect(said).toContain(word)
  })
  it('has words for its button and for the log, not its own text', () => {
    expect(label(parse(text), names)).not.toBe(text)
    const entry = { kind: 'decision', player: 'p1', text, events: [], number: 1 } as unknown as LogEntry
    const told = plain(line(entry, names))
    expect(told).not.toBe(text)
    expect(told.length).toBeGreaterThan(3)
  })
  it('can be found by a click', () => {
    if (!['done', 'end'].includes(text)) expect(targets(parse(text)).length).toBeGreaterThan(0)
  })
})

describe.each(Object.keys(LANGUAGES))('in %s', (language) => {
  it.each(HOUSE.markers.map((m) => m.name))('the marker %s has a name and an explanation', (name) => {
    expect(LANGUAGES[language]![`marker.${name}`]).toBeTruthy()
    expect(LANGUAGES[language]![`markerText.${name}`]).toBeTruthy()
  })
})
