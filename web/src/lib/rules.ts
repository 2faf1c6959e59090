/** The project's rules text, in the reader's language, as blocks the page can show, search and link to. */
import type { Lang } from './settings.svelte'

export interface Heading {
  kind: 'h2' | 'h3'
  text: string
  chapter: string
}
export interface Rule {
  kind: 'rule'
  id: string
  text: string
  chapter: string
}
export interface Row {
  id: string
  cells: string[]
}
export interface RuleTable {
  kind: 'table'
  head: string[]
  rows: Row[]
  chapter: string
}
export interface Paragraph {
  kind: 'text'
  text: string
  chapter: string
}
export type Block = Heading | Rule | RuleTable | Paragraph

const TEXTS = import.meta.glob<string>('../../../docs/rules*.md', { query: '?raw', import: 'default' })
export const textOf = (lang: Lang): Promise<string> =>
  TEXTS[`../../../docs/rules${lang === 'en' ? '' : `.${lang}`}.md`]!()
export const loadRules = async (lang: Lang): Promise<Block[]> => readRules(await textOf(lang))

const ID = /^[A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*-\d+$/
/** The sources of a rule stand in brackets at its end: they are for those who read the documents. */
const withoutSources = (text: string): string => text.replace(/\s*\[[A-Z0-9 ,–;a-z-]+\]\s*$/, '').trim()
const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
/** The last part of the appendix only lists sources. */
const isIndex = (heading: string): boolean => heading.startsWith('G.')

export function readRules(markdown: string): Block[] {
  const out: Block[] = []
  let chapter = ''
  let fenced = false
  let table: RuleTable | null = null
  for (const raw of markdown.split('\n')) {
    const line = raw.trim()
    // Pictures of positions are written as fenced blocks; the page shows the words.
    if (line.startsWith('```')) fenced = !fenced
    if (fenced || line.startsWith('```')) continue
    if (!line.startsWith('|')) table = null
    if (!line || line === '---' || line.startsWith('# ')) continue
    if (line.startsWith('## ')) {
      chapter = line.slice(3)
      if (isIndex(chapter)) break
      out.push({ kind: 'h2', text: chapter, chapter })
    } else if (!chapter) continue
    else if (line.startsWith('### ')) out.push({ kind: 'h3', text: line.slice(4), chapter })
    else if (line.startsWith('|')) {
      if (/^\|[\s|:-]+\|$/.test(line)) continue
      const cells = cellsOf(line)
      if (!table) out.push((table = { kind: 'table', head: cells, rows: [], chapter }))
      else table.rows.push({ id: ID.test(cells[0] ?? '') ? cells[0]! : '', cells })
    } else {
      const rule = /^- \*\*([A-Z0-9-]+)\*\* — (.*)$/.exec(line)
      const example = /^\*\*(EX-\d+) (.*)$/.exec(line)
      if (rule) out.push({ kind: 'rule', id: rule[1]!, text: withoutSources(rule[2]!), chapter })
      else if (example) out.push({ kind: 'rule', id: example[1]!, text: `**${example[2]!}`, chapter })
      else out.push({ kind: 'text', text: withoutSources(line.replace(/^[-*] /, '')), chapter })
    }
  }
  return out
}

export const idsOf = (blocks: Block[]): string[] =>
  blocks.flatMap((b) =>
    b.kind === 'rule' ? [b.id] : b.kind === 'table' ? b.rows.map((r) => r.id).filter(Boolean) : [],
  )

/** The rule an address means: itself, or the first of a family (MARKER-PUT). */
export const findRule = (ids: Iterable<string>, wanted: string): string => {
  if (!wanted) return ''
  let family = ''
  for (const id of ids) {
    if (id === wanted) return id
    if (!family && id.startsWith(`${wanted}-`) && /^\d+$/.test(id.slice(wanted.length + 1))) family = id
  }
  return family
}

/** `rule`: where it leads, a rule or `reference`. */
export type Piece = { text: string; style: '' | 'b' | 'i' | 'code'; rule: string }

const MENTION = /\b([A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*)(-\d+)?(?![A-Za-z0-9-])/g
const FOLLOWING = /^([,、]? ?(?:to |and |bis |und |から|と)?)-(\d+)(?!\d)/

/** Mentions of rules become links, also the short ones of a row: `END-1, -4`. */
export function mentions(text: string, known: Set<string>): Piece[] {
  const out: Piece[] = []
  let at = 0
  const say = (words: string, rule = ''): void => void (words && out.push({ text: words, style: '', rule }))
  for (const found of text.matchAll(MENTION)) {
    const family = found[1]!
    const rule = found[2] ? found[0] : family.includes('-') ? findRule(known, family) : ''
    if (found.index < at || !known.has(rule)) continue
    say(text.slice(at, found.index))
    say(found[0], rule)
    at = found.index + found[0].length
    for (
      let more = FOLLOWING.exec(text.slice(at));
      more && known.has(`${family}-${more[2]}`);
      more = FOLLOWING.exec(text.slice(at))
    ) {
      say(more[1]!)
      say(`-${more[2]}`, `${family}-${more[2]}`)
      at += more[0].length
    }
  }
  say(text.slice(at))
  return out
}

const REFERENCE = /^\[([^\]]+)\]\(rules[^)]*\)$/

/** The little Markdown of the rules: **strong**, *stressed*, `code`, mentions of rules, links to the reference. */
export function pieces(text: string, known: Set<string>): Piece[] {
  return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`|\[[^\]]+\]\(rules[^)]*\))/).flatMap((part): Piece[] => {
    const link = REFERENCE.exec(part)
    if (link) return [{ text: link[1]!, style: '', rule: 'reference' }]
    if (part.startsWith('`')) return [{ text: part.slice(1, -1), style: 'code', rule: '' }]
    const style = part.startsWith('**') ? 'b' : part.startsWith('*') ? 'i' : ''
    const inner = style === 'b' ? part.slice(2, -2) : style === 'i' ? part.slice(1, -1) : part
    if (style && inner.includes('`')) return pieces(inner, known).map((p) => ({ ...p, style: p.style || style }))
    return mentions(inner.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1'), known).map((p) => ({ ...p, style }))
  })
}
