/** How near the ends of the game are: points on the track, completed cities, markers left to draw. */
import { t } from '../i18n/index.svelte'
import type { Position, Seat } from './wire'
import type { Names } from './words'

/** END-1: so many points on the track end the game. */
export const TRACK_END = 20

export interface Ends {
  /** The most points anybody has on the track, and who. */
  points: number
  leader: Seat | null
  completed: number
  /** So many completed cities end the game. */
  cities: number
  /** Face down, to be drawn. */
  markers: number
}

export function ends({ view, completed }: Position, cities: number): Ends {
  const players = Object.entries(view.players) as [Seat, { points: number }][]
  const [leader = null, most] = players.toSorted((a, b) => b[1].points - a[1].points)[0] ?? []
  return { points: most?.points ?? 0, leader, completed, cities, markers: view.supply.length }
}

/** Within a turn or two: then it is said in words. */
const NEAR = { points: 4, cities: 2 }

/** Which ends are near, and what to say of the nearest. */
export function threats(e: Ends, names: Names): { points: boolean; cities: boolean; markers: boolean; text: string } {
  const left = TRACK_END - e.points
  const open = e.cities - e.completed
  const near = { points: left <= NEAR.points, cities: open <= NEAR.cities, markers: e.markers === 0 }
  const text = near.markers
    ? t('ends.nearMarkers')
    : near.points && e.leader && left > 0
      ? t('ends.nearPoints', { who: names.who(e.leader), n: left })
      : near.cities && open > 0
        ? t('ends.nearCities', { n: open })
        : ''
  return { ...near, text }
}
