/** Pictures of running games: asked for one after the other, and again only when a game went on. */
import { api } from './api'
import { idle } from './idle'
import type { BoardAnswer, Position, ListedTable } from './wire'

/** A board is a few thousand shapes: what lies far down the list stays a line. */
export const PICTURES = 6

export interface Picture {
  board: BoardAnswer
  position: Position
}

export class Gallery {
  pictures = $state.raw<Record<string, Picture>>({})
  private busy = false

  async show(tables: ListedTable[]): Promise<void> {
    if (this.busy) return
    this.busy = true
    for (const table of tables.slice(0, PICTURES)) {
      if (this.pictures[table.id]?.position.number !== table.number) await this.draw(table)
    }
    this.busy = false
  }

  private async draw(table: ListedTable): Promise<void> {
    try {
      const [board, { position }] = await Promise.all([api.board(table.board), api.state(table.id)])
      await idle()
      if (position) this.pictures = { ...this.pictures, [table.id]: { board, position } }
    } catch {
      // A game that was closed meanwhile has no picture; the list says so at its next look.
    }
  }
}
