/** What a person chose for this browser; kept in local storage, applied to the root element. */
import type { Pace } from './pace'

export type Theme = 'light' | 'dark' | 'system'
export type Lang = 'en' | 'de' | 'ja'
export const LANGS: Lang[] = ['en', 'de', 'ja']
export const LANG_NAMES: Record<Lang, string> = { en: 'English', de: 'Deutsch', ja: '日本語' }

interface Stored {
  theme: Theme
  lang: Lang
  letters: boolean
  estimate: boolean
  confirm: boolean
  sounds: boolean
  calm: boolean
  /** How fast a game is replayed. */
  pace: 1 | 2 | 4
  /** How fast what machines decide is shown. */
  machines: Pace
  /** How strong the machines of "Play now" are. */
  level: number
  name: string
  /** Asked once whether to be told when it is one's turn, and did not want to. */
  uncalled: boolean
}

const KEY = 'hansa.settings'
const hasWindow = typeof window !== 'undefined'

function systemLang(): Lang {
  const wish = hasWindow ? (navigator.language ?? 'en').slice(0, 2) : 'en'
  return LANGS.find((l) => l === wish) ?? 'en'
}

function load(): Stored {
  const fresh: Stored = {
    theme: 'system',
    lang: systemLang(),
    letters: false,
    estimate: true,
    confirm: false,
    sounds: false,
    calm: false,
    pace: 1,
    machines: 'normal',
    level: 2,
    name: '',
    uncalled: false,
  }
  if (!hasWindow) return fresh
  try {
    return { ...fresh, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Stored>) }
  } catch {
    return fresh
  }
}

export const settings = $state<Stored>(load())

export function save(change: Partial<Stored>): void {
  Object.assign(settings, change)
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // A browser that keeps nothing still plays; the choice lasts until the tab closes.
  }
  applyTheme()
}

const media = hasWindow ? window.matchMedia('(prefers-color-scheme: dark)') : null
const system = $state({ dark: media?.matches ?? false })
media?.addEventListener('change', (e) => {
  system.dark = e.matches
  applyTheme()
})

export const isDark = (): boolean => (settings.theme === 'system' ? system.dark : settings.theme === 'dark')

export function applyTheme(): void {
  if (!hasWindow) return
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light'
  document.documentElement.lang = settings.lang
}

const calm = hasWindow ? window.matchMedia('(prefers-reduced-motion: reduce)') : null
export const reducedMotion = (): boolean => settings.calm || (calm?.matches ?? false)

const coarse = hasWindow ? window.matchMedia('(pointer: coarse)') : null
/** Fingers instead of a pointer: then things are tapped. */
export const touches = (): boolean => coarse?.matches ?? false
/** On touch, and where wished, a tap chooses and a card confirms. */
export const confirmsFirst = (): boolean => settings.confirm || touches()
