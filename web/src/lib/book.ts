/**
 * "How to play": the project's own text in the reader's language, as sections the page can show. Its pictures, tables
 * and examples are made of the engine's data when the page is built (docs/_ext/page_book.py).
 */
import type { Lang } from './settings.svelte'

/** Words, and the rules behind them as they are written; a paragraph has one or more. */
export interface Said {
  text: string
  ids: string
}
export type BookBlock =
  | { kind: 'text'; said: Said[] }
  | { kind: 'heading'; text: string }
  | { kind: 'list'; ordered: boolean; items: Said[][] }
  | { kind: 'picture'; name: string; caption: string }
  | { kind: 'steps'; name: string; before: string; after: string }
  | { kind: 'table'; name: string }
  | { kind: 'example'; name: string }
export interface Section {
  /** Its address, the same in every language. */
  key: string
  title: string
  blocks: BookBlock[]
}
/** A drawing for a page that holds the symbols and the grounds. */
export interface Drawing {
  board: string
  view: [number, number, number, number]
  svg: string
}
export interface BookTable {
  head: string[]
  rows: string[][]
}
export interface BookParts {
  defs: string
  grounds: Record<string, string>
  pictures: Record<string, Drawing[]>
  tables: Record<string, BookTable>
  examples: Record<string, [title: string, text: string, ids: string]>
  words: { example: string; before: string; after: string }
}
export interface Book {
  lang: Lang
  sections: Section[]
  parts: BookParts
}

const TEXTS = import.meta.glob<string>('../../../docs/how-to-play*.md', { query: '?raw', import: 'default' })
const PARTS = import.meta.glob<string>('../../book/*.json', { query: '?url', import: 'default', eager: true })

export const textOf = (lang: Lang): Promise<string> =>
  TEXTS[`../../../docs/how-to-play${lang === 'en' ? '' : `.${lang}`}.md`]!()
/** The addresses of what a language needs beside the text. */
export const filesOf = (lang: Lang): string[] => ['shared', lang].map((name) => PARTS[`../../book/${name}.json`] ?? '')

async function read<T>(file: string): Promise<T> {
  const answer = await fetch(file)
  if (!answer.ok) throw new Error(`${answer.status}`)
  return (await answer.json()) as T
}

export async function loadBook(lang: Lang): Promise<Book> {
  const [ofAll, ofThis] = filesOf(lang) as [string, string]
  const [text, shared, own] = await Promise.all([
    textOf(lang),
    read<Pick<BookParts, 'defs' | 'grounds' | 'pictures'>>(ofAll),
    read<Omit<BookParts, 'defs' | 'grounds'>>(ofThis),
  ])
  const parts = { ...shared, ...own, pictures: { ...shared.pictures, ...own.pictures } }
  return { lang, sections: readBook(text), parts }
}

const IDS = /\s*\[([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+[^\]]*)\](?!\()([.;,。、]?)/g

/** The rules behind words stand in brackets after them. */
export function said(text: string): Said[] {
  const out: Said[] = []
  let at = 0
  for (const found of text.matchAll(IDS)) {
    out.push({ text: text.slice(at, found.index) + found[2]!, ids: found[1]! })
    at = found.index + found[0].length
  }
  return at < text.length ? [...out, { text: text.slice(at), ids: '' }] : out
}

function directive(kind: string, name: string, lines: string[]): BookBlock {
  const options = Object.fromEntries(
    lines.flatMap((line) => {
      const found = /^:(\w+): (.*)$/.exec(line)
      return found ? [[found[1]!, found[2]!]] : []
    }),
  ) as Record<string, string>
  if (kind === 'picture') return { kind, name, caption: options.caption ?? '' }
  if (kind === 'steps') return { kind, name, before: options.before ?? '', after: options.after ?? '' }
  if (kind === 'table' || kind === 'example') return { kind, name }
  throw new Error(`How to play: no such part: ${kind}`)
}

export function readBook(markdown: string): Section[] {
  const out: Section[] = []
  let key = ''
  const lines = markdown.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!.trim()
    const blocks = out.at(-1)?.blocks
    const opens = /^```\{hansa-(\w+)\} (\S+)$/.exec(line)
    const item = /^(-|\d+\.) (.*)$/.exec(line)
    const last = blocks?.at(-1)
    if (line.startsWith('% ')) key = line.slice(2)
    else if (line.startsWith('## ')) out.push({ key, title: line.slice(3), blocks: [] })
    else if (!line || !blocks) continue
    else if (line.startsWith('### ')) blocks.push({ kind: 'heading', text: line.slice(4) })
    else if (opens) {
      const end = lines.indexOf('```', i)
      blocks.push(directive(opens[1]!, opens[2]!, lines.slice(i + 1, end)))
      i = end
    } else if (item) {
      const ordered = item[1] !== '-'
      if (last?.kind === 'list' && last.ordered === ordered) last.items.push(said(item[2]!))
      else blocks.push({ kind: 'list', ordered, items: [said(item[2]!)] })
    } else blocks.push({ kind: 'text', said: said(line) })
  }
  return out
}

const RULE = /([A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*)-(\d+)|([^A-Z\d]*?)-(\d+)/g
const RANGE = /to|bis|から/

/** Every rule that a list of ids names: `END-1 to -3, TIE-1` are four. */
export function citedIn(ids: string): string[] {
  const out: string[] = []
  let family = ''
  let last = 0
  for (const [, name, number, between, next] of ids.matchAll(RULE)) {
    const n = Number(number ?? next)
    const first = !name && RANGE.test(between ?? '') ? last + 1 : n
    family = name ?? family
    for (let k = first; k <= n; k++) out.push(`${family}-${k}`)
    last = n
  }
  return out
}

/** The rules that a block names. */
function namedIn(block: BookBlock, parts?: BookParts): string[] {
  if (block.kind === 'example') return [block.name]
  if (block.kind === 'table')
    return (parts?.tables[block.name]?.rows.flat() ?? []).flatMap((cell) =>
      /^[A-Z]+-\d+$/.test(cell) ? [cell] : said(cell).flatMap((s) => citedIn(s.ids)),
    )
  const all = block.kind === 'text' ? block.said : block.kind === 'list' ? block.items.flat() : []
  return all.flatMap((s) => citedIn(s.ids))
}

/**
 * Where each rule is explained: the first block that names it, a sentence rather than a row of a table. What the first
 * section only touches on is explained later.
 */
export function explained(sections: Section[], parts?: BookParts): Map<string, { section: string; block: number }> {
  const out = new Map<string, { section: string; block: number }>()
  const inOrder = [...sections.slice(1), ...sections.slice(0, 1)]
  for (const inTables of [false, true])
    for (const { key, blocks } of inOrder)
      blocks.forEach((block, i) => {
        if ((block.kind === 'table') !== inTables) return
        for (const id of namedIn(block, parts)) if (!out.has(id)) out.set(id, { section: key, block: i })
      })
  return out
}
