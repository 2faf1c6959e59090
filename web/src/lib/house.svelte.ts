/** What the house has: its own decisions and markers, and those of extensions once the server has told of them. */
import { api } from './api'
import { HOUSE } from './catalogue'
import type { House, MarkerFace } from './wire'

let current = $state.raw<House>(HOUSE)

export const house = (): House => current

/** Asks once; a page without its server keeps to what it knows. */
export async function followHouse(): Promise<void> {
  try {
    const told = await api.house()
    if (told.icons || told.forms.length !== HOUSE.forms.length || Object.keys(told.words).length) current = told
  } catch {
    // Offline: the house as it was built.
  }
}

export const markerFace = (name: string): MarkerFace | undefined => current.markers.find((m) => m.name === name)

/** The words of extensions in a language. */
export const extraWords = (lang: string): Record<string, string> => current.words[lang] ?? {}
