/** How long what others did stays in sight before the next of it comes. */
import { goesWith } from './chronicle'
import { settings } from './settings.svelte'
import type { LogEntry } from './wire'

export type Pace = 'calm' | 'normal' | 'quick' | 'once'
export const PACES: Pace[] = ['calm', 'normal', 'quick', 'once']

/** Milliseconds for one action. */
const DWELL: Record<Pace, number> = { calm: 2600, normal: 1300, quick: 550, once: 0 }

/** An action is read as a whole: its parts go by faster, and what goes without saying hardly stays. */
function share(entry: LogEntry | undefined): number {
  const verb = entry?.text.split(' ')[0] ?? ''
  if (verb === 'end' || verb === 'done') return 0.15
  return goesWith(verb) ? 0.5 : 1
}

/** `retold`: whoever asks to see it again wants to see something. */
export const dwell = (entry: LogEntry | undefined, retold = false): number =>
  DWELL[retold && settings.machines === 'once' ? 'quick' : settings.machines] * share(entry)
