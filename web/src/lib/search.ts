/** Searching the rules: word beginnings count, headings and ids before the text, and chapters come by how well they fit. */
import type { Block, Heading, Row, RuleTable } from './rules'

type Named = (code: string) => string

/** Words of a question that no rule is about. */
const FILLERS = new Set(
  (
    'a an and are at be by can do does for from get has have how i if in is it many much my of on or the there ' +
    'to what when where which who why will with you ' +
    'aber als am an auf aus bei beim bin darf das dem den der des die durch ein eine einem einen einer es für ' +
    'gibt hat hier ich im ist kann man mein mich mit muss nach oder sind soll um und viel viele vom von wann ' +
    'warum was welche wenn wer werden wie wieso wird wo zu zum zur ' +
    'いつ なに 何 どう どこ だれ 誰 なぜ どの は が を に の と で か'
  ).split(' '),
)
const JAPANESE = /[\u3040-\u30ff\u3400-\u9fff]/
const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
/** `ends`, `endet`: also what begins like the word without its ending. */
const stem = (word: string): string => word.replace(/^(.{3,}?)(?:s|es|et)$/, '$1')
const beginning = (word: string): RegExp =>
  new RegExp(JAPANESE.test(word) ? escaped(word) : `(?<![\\p{L}\\p{N}])${escaped(stem(word))}`, 'giu')
const inside = (word: string): RegExp => new RegExp(escaped(word), 'giu')

/** A text as it is read: without marks, with the names of its codes. */
const readable = (text: string, named: Named): string =>
  `${text.replace(/[*`]/g, '')} ${[...text.matchAll(/`([^`]+)`/g)].map((m) => named(m[1]!)).join(' ')}`
const hits = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0

function wordsOf(query: string): string[] {
  const all = query
    .toLowerCase()
    .split(/[\s\u3000?!,;:"“”„？！、。]+/)
    .filter(Boolean)
  const telling = all.filter((word) => !FILLERS.has(word))
  return [...new Set(telling.length ? telling : all)]
}

interface Item {
  block: Block
  row: Row | null
  id: string
  text: string
  headings: string
}

/** Everything that can be found by itself: rules, rows of tables, paragraphs. */
function itemsOf(blocks: Block[], named: Named): Item[] {
  let under: Heading | null = null
  return blocks.flatMap((block): Item[] => {
    if (block.kind === 'h2' || block.kind === 'h3') {
      under = block
      return []
    }
    const headings = readable(under?.kind === 'h3' ? `${block.chapter} ${under.text}` : block.chapter, named)
    const item = (id: string, text: string, row: Row | null): Item => ({
      block,
      row,
      id,
      text: readable(text, named),
      headings,
    })
    return block.kind === 'table'
      ? block.rows.map((row) => item(row.id, row.cells.join(' '), row))
      : [item(block.kind === 'rule' ? block.id : '', block.text, null)]
  })
}

/** What is looked for in the text. Where a word begins nothing (German compounds), it may stand inside others. */
export function sought(blocks: Block[], query: string, named: Named = (code) => code): RegExp[] {
  const items = itemsOf(blocks, named)
  return wordsOf(query).map((word) => {
    const pattern = beginning(word)
    return items.some((i) => hits(pattern, `${i.id} ${i.text} ${i.headings}`)) ? pattern : inside(word)
  })
}

/** How many words are found, how many of them in the id, and how much that says. */
interface Fit {
  words: number
  ids: number
  weight: number
}

/** A heading counts for what itself speaks of the matter. */
function fit(item: Item, patterns: RegExp[]): Fit {
  let [own, words, ids, weight] = [0, 0, 0, 0]
  for (const pattern of patterns) {
    const [id, text, heading] = [hits(pattern, item.id), hits(pattern, item.text), hits(pattern, item.headings)]
    own += Number(id || text)
    ids += Number(id)
    words += Number(id || text || heading)
    weight += (id ? 4 : 0) + (heading ? 3 : 0) + (text ? 2 : 0)
  }
  return own ? { words, ids, weight } : { words: 0, ids: 0, weight: 0 }
}

/** What a chapter's heading alone promises is shown whole, if nothing in it says so itself. */
const promised = (item: Item, patterns: RegExp[]): boolean => patterns.every((p) => hits(p, item.headings))

type Found = Item & Fit

/** What hits most of the words; chapters and sections by their best rule. Within them the order of the text is kept: it explains best. */
export function search(blocks: Block[], query: string, named: Named = (code) => code): Block[] {
  const patterns = sought(blocks, query, named)
  if (!patterns.length) return blocks
  const items = itemsOf(blocks, named)
  let found: Found[] = items.map((item) => ({ ...item, ...fit(item, patterns) }))
  const most = Math.max(...found.map((f) => f.words))
  const telling = new Set(found.filter((f) => f.words).map((f) => f.block.chapter))
  found = found
    .map((f) =>
      !telling.has(f.block.chapter) && promised(f, patterns) ? { ...f, words: patterns.length, weight: 3 } : f,
    )
    .filter((f) => f.words > 0 && f.words >= Math.min(most || 1, patterns.length))
  return byBest(found, (f) => f.block.chapter).flatMap((chapter) => [
    ...blocks.filter((b) => b.kind === 'h2' && b.chapter === chapter[0]!.block.chapter),
    ...byBest(chapter, (f) => f.headings).flatMap((section) => sectionOf(blocks, section)),
  ])
}

/** Groups in the order of their best member. */
function byBest(found: Found[], key: (f: Found) => string): Found[][] {
  const groups = new Map<string, Found[]>()
  for (const f of found) groups.set(key(f), [...(groups.get(key(f)) ?? []), f])
  const best = (group: Found[]): number => Math.max(...group.map((f) => f.weight))
  return [...groups.values()].sort((a, b) => best(b) - best(a))
}

/** What is named after the word stands before what only mentions it. */
function sectionOf(blocks: Block[], items: Found[]): Block[] {
  const section = items.toSorted((a, b) => b.ids - a.ids)
  const first = blocks.indexOf(section[0]!.block)
  const heading = blocks.slice(0, first).findLast((b) => b.kind === 'h2' || b.kind === 'h3')
  const shown = [...new Set(section.map((f) => f.block))].map((block): Block => {
    if (block.kind !== 'table') return block
    const rows = section.flatMap((f) => (f.block === block && f.row ? [f.row] : []))
    return { ...block, rows } satisfies RuleTable
  })
  return heading?.kind === 'h3' ? [heading, ...shown] : shown
}
