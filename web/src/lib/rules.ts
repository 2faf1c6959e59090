/** The project's rules text as lines the page can show, search and link to. */
export interface RuleLine { kind: 'h2' | 'h3' | 'rule' | 'row' | 'text'; id: string; text: string; chapter: string }

const clean = (text: string): string =>
  text.replace(/\*\*(.+?)\*\*/g, '$1').replace(/\*(.+?)\*/g, '$1').replace(/`(.+?)`/g, '$1').replace(/\s*\[[A-Z0-9 ,–-]+(?:\]|$)\s*$/, '').trim()

export function readRules(markdown: string): RuleLine[] {
  const out: RuleLine[] = []
  let chapter = ''
  let fenced = false
  for (const raw of markdown.split('\n')) {
    const line = raw.trim()
    // Pictures of positions are written as fenced blocks; the page shows the words.
    if (line.startsWith('```')) fenced = !fenced
    if (fenced || line.startsWith('```')) continue
    if (!line || line === '---' || /^\|[\s|:-]+\|$/.test(line) || line.startsWith('# ')) continue
    const rule = /^- \*\*([A-Z0-9-]+)\*\* — (.*)$/.exec(line)
    if (line.startsWith('## ')) {
      chapter = clean(line.slice(3))
      out.push({ kind: 'h2', id: '', text: chapter, chapter })
    } else if (line.startsWith('### ')) out.push({ kind: 'h3', id: '', text: clean(line.slice(4)), chapter })
    else if (rule) out.push({ kind: 'rule', id: rule[1]!, text: clean(rule[2]!), chapter })
    else if (line.startsWith('|')) out.push({ kind: 'row', id: '', text: line.slice(1, -1).split('|').map(clean).join(' | '), chapter })
    else out.push({ kind: 'text', id: '', text: clean(line.replace(/^[-*] /, '')), chapter })
  }
  return out
}

/** All words must occur; a chapter's heading stays with what was found in it. */
export function search(lines: RuleLine[], query: string): RuleLine[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return lines
  const hits = lines.filter((l) => l.kind !== 'h2' && l.kind !== 'h3' && words.every((w) => `${l.id} ${l.text}`.toLowerCase().includes(w)))
  const chapters = new Set(hits.map((l) => l.chapter))
  return lines.filter((l) => (l.kind === 'h2' ? chapters.has(l.chapter) : hits.includes(l)))
}
