/** Whom one follows and who of them is here, whom one blocks, and who invites one. */
import { api } from './api'
import type { Circle, TieWish } from './wire'

class Around {
  now = $state.raw<Circle>({ follows: [], blocks: [], invitations: [] })

  /** What somebody is to one. */
  tie(person: string): TieWish['kind'] | null {
    if (this.now.follows.some((f) => f.person.id === person)) return 'follow'
    return this.now.blocks.some((b) => b.id === person) ? 'block' : null
  }

  async refresh(): Promise<void> {
    this.now = await api.circle()
  }

  async set(person: string, kind: TieWish['kind'] | null): Promise<void> {
    this.now = await (kind ? api.tie(person, kind) : api.untie(person))
  }

  async decline(game: string): Promise<void> {
    this.now = await api.decline(game)
  }

  async invite(game: string, person: string): Promise<void> {
    this.now = await api.inviteTo(game, person)
  }
}

export const around = new Around()
