import german from '../../docs/how-to-play.de.md?raw'
import japanese from '../../docs/how-to-play.ja.md?raw'
import english from '../../docs/how-to-play.md?raw'
import reference from '../../docs/rules.md?raw'
import { describe, expect, it } from 'vitest'
import { citedIn, explained, readBook, said, type BookBlock, type BookParts, type Section } from '../src/lib/book'
import { HOUSE } from '../src/lib/catalogue'
import { STEPS } from '../src/lib/lesson'
import { idsOf, pieces, readRules } from '../src/lib/rules'
import things from '../src/lib/things.ts?raw'

const FILES = import.meta.glob<string>('../book/*.json', { query: '?raw', import: 'default', eager: true })
const REASONS = Object.values(
  import.meta.glob<string>('../../src/hansa/reasons/*.py', { query: '?raw', import: 'default', eager: true }),
).join('')

/** Pictures, tables and examples as `make page` has made them of the engine's data. */
function partsOf(name: string): BookParts {
  const text = FILES[`../book/${name}.json`]
  if (!text) throw new Error(`web/book/${name}.json is missing: run \`make page\` first`)
  return JSON.parse(text) as BookParts
}
const BOOKS = { en: readBook(english), de: readBook(german), ja: readBook(japanese) }
const rules = idsOf(readRules(reference))
/** The section that lists what nobody has to learn. */
const LISTED = 'reference'
const learnt = (sections: Section[], lang: string): Set<string> =>
  new Set(
    explained(
      sections.filter((s) => s.key !== LISTED),
      partsOf(lang),
    ).keys(),
  )

const shapeOf = (block: BookBlock): unknown => {
  if (block.kind === 'text') return ['text', block.said.map((s) => citedIn(s.ids))]
  if (block.kind === 'list') return [block.ordered, block.items.map((item) => item.map((s) => citedIn(s.ids)))]
  return 'name' in block ? [block.kind, block.name] : block.kind
}

describe('how to play', () => {
  it('goes from the aim to the editions', () => {
    expect(BOOKS.en.map((s) => s.key)).toEqual([
      ...['aim', 'turn', 'actions', 'establish', 'gains', 'markers', 'end', 'boards', 'duels', 'modules', 'editions'],
      LISTED,
    ])
  })
  it.each(['en', 'de', 'ja'] as const)('in %s: every rule is reached from it, or listed as reference only', (lang) => {
    const reached = learnt(BOOKS[lang], lang)
    const listed = explained(BOOKS[lang].filter((s) => s.key === LISTED))
    expect(rules.filter((id) => !reached.has(id) && !listed.has(id))).toEqual([])
    expect([...reached, ...listed.keys()].filter((id) => !rules.includes(id))).toEqual([])
    // Listed are whole families that settle details, and the blanks: nothing one plays by.
    expect(new Set([...listed.keys()].map((id) => id.split('-')[0]))).toEqual(
      new Set(['RULING', 'OPT', 'FIX', 'COMP', 'INFO', 'RANDOM', 'INV']),
    )
  })
  it.each(['de', 'ja'] as const)(
    'in %s it has the sections, pictures, tables, examples and ids of the English',
    (lang) => {
      const english = BOOKS.en.map((s) => ({ key: s.key, blocks: s.blocks.map(shapeOf) }))
      expect(BOOKS[lang].map((s) => ({ key: s.key, blocks: s.blocks.map(shapeOf) }))).toEqual(english)
      const [ours, theirs] = [partsOf('en'), partsOf(lang)]
      expect(Object.keys(theirs.pictures)).toEqual(Object.keys(ours.pictures))
      for (const [name, drawn] of Object.entries(theirs.pictures))
        expect([name, drawn.map((d) => d.view)]).toEqual([name, ours.pictures[name]!.map((d) => d.view)])
      for (const [name, table] of Object.entries(theirs.tables))
        expect([name, table.rows.map((row) => row.length)]).toEqual([
          name,
          ours.tables[name]!.rows.map((r) => r.length),
        ])
    },
  )
  it('shows every part it names, each action before and after, and every example once', () => {
    const shared = partsOf('shared')
    const parts = partsOf('en')
    const blocks = BOOKS.en.flatMap((s) => s.blocks)
    for (const block of blocks) {
      if (block.kind === 'picture' || block.kind === 'steps') {
        const drawn = shared.pictures[block.name] ?? parts.pictures[block.name]
        expect([block.name, drawn?.length]).toEqual([block.name, block.kind === 'steps' ? 2 : drawn!.length])
        if (block.kind === 'steps') expect(drawn![0]!.svg).not.toBe(drawn![1]!.svg)
      } else if (block.kind === 'table') expect(parts.tables[block.name]?.rows.length).toBeGreaterThan(0)
    }
    const steps = BOOKS.en.find((s) => s.key === 'actions')!.blocks.flatMap((b) => (b.kind === 'steps' ? [b.name] : []))
    expect(steps).toEqual(['income', 'place', 'displace', 'move', 'establish'])
    const examples = blocks.flatMap((b) => (b.kind === 'example' ? [b.name] : []))
    expect([...examples].sort()).toEqual(rules.filter((id) => id.startsWith('EX-')).sort())
    for (const name of examples) expect(parts.examples[name]).toHaveLength(3)
  })
  it('explains what cards, lesson and "why not" name', () => {
    const reached = learnt(BOOKS.en, 'en')
    const inQuotes = (text: string): string[] =>
      [...text.matchAll(/["']([A-Z][A-Z0-9-]*-\d+)["']/g)].map((found) => found[1]!)
    expect(inQuotes(REASONS).length).toBeGreaterThan(40)
    expect(inQuotes(things).length).toBeGreaterThan(10)
    const named = [
      ...inQuotes(REASONS),
      ...inQuotes(things),
      ...STEPS.map((s) => s.rule),
      ...HOUSE.markers.map((m) => m.rule),
    ]
    // What only a ruling settles is answered by the reference, which the page opens in its place.
    expect([...new Set(named.filter((id) => !reached.has(id) && !id.startsWith('RULING-')))]).toEqual([])
  })
})

describe('reading it', () => {
  it('parts words from the rules behind them', () => {
    expect(said('Take one [A-1 to -3]; or two. [B-C-4]')).toEqual([
      { text: 'Take one;', ids: 'A-1 to -3' },
      { text: ' or two.', ids: 'B-C-4' },
    ])
    expect(said('See the [reference](rules.md).')).toEqual([{ text: 'See the [reference](rules.md).', ids: '' }])
  })
  it('knows every rule of a range', () => {
    expect(citedIn('END-1 to -3, TIE-1')).toEqual(['END-1', 'END-2', 'END-3', 'TIE-1'])
    expect(citedIn('SCORE-F-1 bis -3, -5')).toEqual(['SCORE-F-1', 'SCORE-F-2', 'SCORE-F-3', 'SCORE-F-5'])
    expect(citedIn('DISPLACE-6から-8、RULING-24')).toEqual(['DISPLACE-6', 'DISPLACE-7', 'DISPLACE-8', 'RULING-24'])
  })
  it('leads into the reference', () => {
    expect(pieces('The [reference](rules.de.md) has', new Set())[1]).toEqual({
      text: 'reference',
      style: '',
      rule: 'reference',
    })
  })
  it('says which part it does not know', () => {
    expect(() => readBook('% aim\n## Aim\n\n```{hansa-film} x\n```')).toThrow('film')
  })
})
