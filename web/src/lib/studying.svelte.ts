/** A tree of variations with comments: what is tried on the board grows it, and it is kept under a name. */
import { api } from './api'
import { sorry } from './errors'
import type { Tried } from './tried.svelte'
import type { StudyFace, StudyNode } from './wire'

export class Studying {
  nodes = $state.raw<StudyNode[]>([])
  /** The decision that led to the position shown; -1: the beginning. */
  at = $state(-1)
  name = $state('')
  /** What is said of the beginning. */
  comment = $state('')
  id = $state('')
  yours = $state(true)
  /** Something is not kept yet. */
  changed = $state(false)
  saving = $state(false)
  error = $state('')

  constructor(
    readonly live: Tried,
    readonly game: string,
    readonly number: number,
    saved: StudyFace | null = null,
  ) {
    if (saved) this.keep(saved)
  }

  private keep(study: StudyFace): void {
    this.id = study.id
    this.name = study.name
    this.comment = study.comment
    this.nodes = study.nodes
    this.yours = study.yours
    this.changed = false
  }

  children = (at: number): number[] => this.nodes.flatMap((node, k) => (node.parent === at ? [k] : []))

  /** The line from a decision on: itself, and each time the first that follows. */
  chain(first: number): number[] {
    const out = [first]
    for (let next = this.children(first)[0]; next !== undefined; next = this.children(next)[0]) out.push(next)
    return out
  }

  /** The texts from the beginning to a decision. */
  line(at: number): string[] {
    const out: string[] = []
    for (let k = at; k >= 0; k = this.nodes[k]!.parent) out.unshift(this.nodes[k]!.text)
    return out
  }

  /** What stands on the board stands in the tree; what is new grows it. */
  take(line: string[]): void {
    let at = -1
    for (const text of line) {
      const known = this.children(at).find((k) => this.nodes[k]!.text === text)
      if (known === undefined) {
        this.nodes = [...this.nodes, { parent: at, text, comment: '' }]
        this.changed = true
        at = this.nodes.length - 1
      } else at = known
    }
    this.at = at
  }

  async show(at: number): Promise<void> {
    await this.live.go(this.line(at))
  }

  said = $derived.by(() => (this.at < 0 ? this.comment : (this.nodes[this.at]?.comment ?? '')))

  say(comment: string): void {
    if (this.at < 0) this.comment = comment
    else this.nodes = this.nodes.map((node, k) => (k === this.at ? { ...node, comment } : node))
    this.changed = true
  }

  /** Takes a decision and all that follows it out of the tree; the board goes back before it. */
  async drop(at: number): Promise<void> {
    const gone = new Set([at])
    this.nodes.forEach((node, k) => gone.has(node.parent) && gone.add(k))
    const before = this.nodes[at]!.parent
    const places = new Map<number, number>([[-1, -1]])
    this.nodes.forEach((_, k) => gone.has(k) || places.set(k, places.size - 1))
    const line = this.line(before)
    this.nodes = this.nodes
      .filter((_, k) => !gone.has(k))
      .map((node) => ({ ...node, parent: places.get(node.parent)! }))
    this.changed = true
    await this.live.go(line)
  }

  /** Keeps it; somebody else's is kept as a copy of one's own. */
  async save(): Promise<void> {
    this.saving = true
    this.error = ''
    const { name, game, number, comment, nodes } = this
    try {
      const wish = { name, game, number, comment, nodes }
      this.keep(this.id && this.yours ? await api.changeStudy(this.id, wish) : await api.addStudy(wish))
    } catch (e) {
      this.error = sorry(e)
    } finally {
      this.saving = false
    }
  }
}
