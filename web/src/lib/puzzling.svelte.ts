/** Puzzles: what was solved, kept in this browser, and a table to solve one on. */
import { api } from './api'
import { NAMES } from './people'
import type { Source } from './tried.svelte'
import type { PuzzleFace, PuzzleSheet, Seat, TableFace } from './wire'

export type Progress = 'solved' | 'shown'
const KEY = 'hansa.puzzles'

function load(): Record<string, Progress> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Progress>
  } catch {
    return {}
  }
}

export const progress = $state<Record<string, Progress>>(typeof localStorage === 'undefined' ? {} : load())

/** Solved stays solved; what was only shown may still be solved. */
export function note(id: string, how: Progress): void {
  if (progress[id] === 'solved') return
  progress[id] = how
  try {
    localStorage.setItem(KEY, JSON.stringify(progress))
  } catch {
    // A browser that keeps nothing still poses puzzles.
  }
}

/** The next one that is not solved yet, after this one and then from the beginning. */
export function nextOf(puzzles: PuzzleFace[], id: string): PuzzleFace | null {
  const at = puzzles.findIndex((one) => one.id === id)
  const order = [...puzzles.slice(at + 1), ...puzzles.slice(0, Math.max(0, at))]
  return order.find((one) => progress[one.id] !== 'solved') ?? null
}

/** A table for one puzzle: whoever solves has one seat, the others answer by themselves. */
function tableOf(sheet: PuzzleSheet, you: string): TableFace {
  const seats = Array.from({ length: sheet.players }, (_, i) => `p${i + 1}` as Seat)
  return {
    id: sheet.id,
    name: '',
    status: 'running',
    setup: sheet.setup,
    board: sheet.board,
    previews: true,
    clock: null,
    result: null,
    proposals: [],
    watching: 0,
    rematch: null,
    forked_from: null,
    you: { seats: [sheet.player], host: false, name: you },
    seats: seats.map((seat, i) => ({
      seat,
      kind: seat === sheet.player ? 'human' : 'bot',
      name: seat === sheet.player ? you : NAMES[i]!,
      bot: null,
      present: true,
      yours: seat === sheet.player,
      host: false,
      colour: seat,
      conceded: false,
      standin: null,
      invite: null,
      remaining: null,
      away: null,
      deadline: null,
    })),
    // The rest is about hosts and lists, which a puzzle has not.
  } as unknown as TableFace
}

export const ofPuzzle = (sheet: PuzzleSheet, you: string): Source => ({
  start: sheet.number,
  table: tableOf(sheet, you),
  ask: (decisions) => api.puzzleLine(sheet.id, decisions),
  sends: (entry) => entry.player === sheet.player,
})
