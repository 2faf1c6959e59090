/** SKILL-1: what the fields of a desk show; drawing only, values come from the server. */
import type { Skill } from './wire'

export const SKILLS: Skill[] = ['keys', 'actions', 'privilege', 'book', 'bank']
export const TRACKS: Record<Skill, string[]> = {
  keys: ['1', '2', '2', '3', '4'],
  actions: ['2', '3', '3', '4', '4', '5'],
  privilege: ['white', 'orange', 'pink', 'black'],
  book: ['2', '3', '4', '5'],
  bank: ['3', '5', '7', 'all'],
}
