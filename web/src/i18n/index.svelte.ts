import { extraWords } from '../lib/house.svelte'
import { settings, type Lang } from '../lib/settings.svelte'
import { en, type Key, type Messages } from './en'

let current = $state.raw<Messages>(en)

const OTHERS = import.meta.glob<Record<string, Messages>>(['./??.ts', '!./en.ts'])

/** Other languages are fetched when wanted; English comes with the page and stands in until then. */
export async function useLanguage(lang: Lang): Promise<void> {
  const messages = lang === 'en' ? en : (await OTHERS[`./${lang}.ts`]!())[lang]!
  if (settings.lang === lang) {
    current = messages
  }
}

export type Params = Record<string, string | number>

export function fill(template: string, params: Params = {}): string {
  return pick(template, params).replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in params ? String(params[name]) : whole,
  )
}

/** `one|several`, chosen by {n}. */
export function pick(template: string, params: Params): string {
  const [one = '', several] = template.split('|')
  return several === undefined || Number(params.n) === 1 ? one : several
}

/** Words of the page, or of an extension of the house: in the language, else in English. */
const word = (key: string): string =>
  current[key as Key] ?? extraWords(settings.lang)[key] ?? en[key as Key] ?? extraWords('en')[key] ?? key

export const t = (key: Key, params?: Params): string => fill(word(key), params)
export const template = (key: Key, params: Params = {}): string => pick(word(key), params)
export const has = (key: string): key is Key => key in en || key in extraWords('en')

/** `Cardiff or London`, `Markers and Cities`: as the language joins them. */
const joined =
  (type: 'conjunction' | 'disjunction') =>
  (names: string[]): string =>
    new Intl.ListFormat(settings.lang, { type }).format(names)
export const allOf = joined('conjunction')
export const oneOf = joined('disjunction')

/** For keys made of a fixed part and a name the server gave. */
export function named(prefix: string, name: string, params?: Params): string {
  const key = `${prefix}.${name}`
  return has(key) ? t(key, params) : name
}
