import german from '../../docs/rules.de.md?raw'
import english from '../../docs/rules.md?raw'
import japanese from '../../docs/rules.ja.md?raw'
import { describe, expect, it } from 'vitest'
import { findRule, idsOf, mentions, pieces, readRules, type Block } from '../src/lib/rules'
import { search } from '../src/lib/search'

const blocks = readRules(english)
const ids = idsOf(blocks)
const textOf = (all: Block[]): Map<string, string> =>
  new Map(
    all.flatMap((b) =>
      b.kind === 'rule'
        ? [[b.id, b.text] as const]
        : b.kind === 'table'
          ? b.rows.filter((r) => r.id).map((r) => [r.id, r.cells.join(' ')] as const)
          : [],
    ),
  )
const codes = (text: string): string[] => [...new Set([...text.matchAll(/`([^`]+)`/g)].map((m) => m[1]!))].sort()
const numbers = (text: string): Set<string> =>
  new Set(
    [...text.replace(/`[^`]*`|[A-Z][A-Z0-9-]*-\d+|, -\d+/g, '').matchAll(/\d+/g)]
      .map((m) => m[0])
      .filter((n) => n.length < 3),
  )

describe('the English text', () => {
  it('has every rule once, in chapters, without the sources', () => {
    expect(ids.length).toBeGreaterThan(480)
    expect(new Set(ids).size).toBe(ids.length)
    expect(blocks.filter((b) => b.kind === 'h2')).toHaveLength(27)
    expect(textOf(blocks).get('GEO-4')).not.toMatch(/\[/)
  })
  it('has tables with heads, and rulings with addresses', () => {
    const rulings = blocks.find((b) => b.kind === 'table' && b.rows[0]?.id === 'RULING-1')
    expect(rulings).toMatchObject({ kind: 'table', head: ['id', 'question', 'decision', 'why'] })
  })
})

describe.each([
  ['German', german],
  ['Japanese', japanese],
])('the %s text', (_, text) => {
  const translated = readRules(text)
  it('has exactly the same rules in the same order and chapters', () => {
    expect(idsOf(translated)).toEqual(ids)
    expect(translated.filter((b) => b.kind === 'h2' || b.kind === 'h3').map((b) => b.kind)).toEqual(
      blocks.filter((b) => b.kind === 'h2' || b.kind === 'h3').map((b) => b.kind),
    )
  })
  it('names the same markers and boards, and no figure is lost', () => {
    const ours = textOf(translated)
    for (const [id, said] of textOf(blocks)) {
      expect(codes(ours.get(id)!), id).toEqual(codes(said))
      // A row's last column may be its sources, and words may stand for small figures.
      if (!/^(OPT|FIX|RULING)-/.test(id)) for (const n of numbers(said)) expect(ours.get(id), id).toContain(n)
    }
  })
  it('mentions only rules that exist', () => {
    const known = new Set(ids)
    for (const [id, said] of textOf(translated))
      for (const [mention] of said.matchAll(/[A-Z][A-Z0-9]+(?:-[A-Z][A-Z0-9]*)*-\d+/g))
        expect(known.has(mention), `${id}: ${mention}`).toBe(true)
  })
})

describe('searching', () => {
  it('finds a rule by its number and keeps the chapter', () => {
    const found = search(blocks, 'displace-3')
    expect(found[0]?.kind).toBe('h2')
    expect(idsOf(found)).toContain('DISPLACE-3')
  })
  it('finds markers by the name people read, and rows of tables with their head', () => {
    const found = search(blocks, 'tauschen', (code) => (code === 'swap' ? 'Kontore tauschen' : code))
    expect(idsOf(found)).toContain('MARKER-SWAP-1')
    expect(idsOf(search(blocks, 'carlisle flexible'))).toEqual(['RULING-34'])
  })
  it('asks for all words and says when there is nothing', () => {
    expect(idsOf(search(blocks, 'ship post merchant'))).toContain('GEO-4')
    expect(search(blocks, 'zzzz')).toEqual([])
  })
  it('looks at word beginnings, ids and headings first', () => {
    const found = search(blocks, 'tie')
    expect(idsOf(found).slice(0, 5)).toEqual(['TIE-1', 'TIE-2', 'TIE-3', 'TIE-4', 'TIE-5'])
    expect(found[0]).toMatchObject({ kind: 'h2', text: '13. Scoring and ties' })
    expect(idsOf(found)).toContain('CONTROL-2')
    expect(idsOf(found)).not.toContain('END-3')
    expect(idsOf(search(blocks, 'place'))[0]).toMatch(/^PLACE-/)
  })
  it.each([
    [english, 'When does the game end?'],
    [english, 'how the game ends'],
    [german, 'Wann endet das Spiel?'],
    [japanese, 'ゲームの終わり'],
    [japanese, 'いつ ゲームが終わる'],
  ])('understands a question: %#', (text, question) => {
    expect(
      idsOf(search(readRules(text), question))
        .slice(0, 4)
        .some((id) => id.startsWith('END-')),
    ).toBe(true)
  })
  it('finds the inside of compounds where nothing begins so, and a chapter by its heading alone', () => {
    expect(idsOf(search(readRules(german), 'leichstand')).length).toBeGreaterThan(0)
    const [first] = search(blocks, 'configuration')
    expect(first).toMatchObject({ kind: 'h2', text: 'B. Configuration' })
  })
})

describe('links', () => {
  const known = new Set(ids)
  it('leads from mentions to rules, short forms and families included', () => {
    expect(
      mentions('see CONTROL-1, -2 and MARKER-PUT.', known)
        .filter((p) => p.rule)
        .map((p) => [p.text, p.rule]),
    ).toEqual([
      ['CONTROL-1', 'CONTROL-1'],
      ['-2', 'CONTROL-2'],
      ['MARKER-PUT', 'MARKER-PUT-1'],
    ])
    expect(
      mentions('END-1、-4から-7。', known)
        .filter((p) => p.rule)
        .map((p) => p.rule),
    ).toEqual(['END-1', 'END-4', 'END-7'])
  })
  it('keeps every word of a text', () => {
    expect(
      pieces('**Bold.** a *stressed* `swap` (RULING-1)', known)
        .map((p) => p.text)
        .join(''),
    ).toBe('Bold. a stressed swap (RULING-1)')
  })
  it('an address may name a rule or a family', () => {
    expect(findRule(ids, 'DISPLACE-3')).toBe('DISPLACE-3')
    expect(findRule(ids, 'MARKER-EXTRA')).toBe('MARKER-EXTRA-1')
    expect(findRule(ids, 'NOTHING')).toBe('')
  })
})
