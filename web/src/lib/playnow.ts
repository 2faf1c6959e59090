/** One click: a game against machines, with what most people would choose. */
import { api } from './api'
import { wantHints } from './hints.svelte'
import { NAMES, unlike } from './people'
import { go } from './router.svelte'
import { settings } from './settings.svelte'

interface Wish {
  level: number
  players?: number
  lesson?: boolean
  hints?: boolean
}

/** Machines do not ask for a name: whoever has given none is called like a merchant of the time. */
export async function playNow({ level, players = 4, lesson = false, hints = false }: Wish): Promise<void> {
  const { bots, default: usual } = await api.bots()
  const bot = bots.find((b) => b.level === level)?.spec ?? usual
  const me = settings.name || NAMES[0]!
  if (settings.name) await api.rename(settings.name)
  const table = await api.create({
    setup: {
      board: 'hansa',
      players,
      edition: 'bigbox',
      missions: false,
      favours: false,
      promos: [],
      duel: null,
      border_fee: false,
      seed: null,
    },
    seats: [
      { kind: 'me', name: me },
      ...Array.from({ length: players - 1 }, (_, i) => ({ kind: 'bot' as const, bot, name: unlike([me], i) })),
    ],
    name: lesson ? 'Tutorial' : undefined,
    visibility: 'unlisted',
    watchers: true,
    undo: true,
    order: lesson ? 'fixed' : 'draw',
    start: true,
  })
  if (hints) wantHints(table.id)
  go(`/g/${table.id}`)
}
