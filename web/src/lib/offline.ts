/** The rules can be read without the server, also by somebody who never opened them: the service worker keeps them. */
import { filesOf, textOf as bookOf } from './book'
import { idle } from './idle'
import { textOf as rulesOf } from './rules'
import type { Lang } from './settings.svelte'

/** Once the page's keeper of files is at work: only then are they fetched, and only once. */
async function keeper(): Promise<void> {
  const { serviceWorker } = navigator
  await serviceWorker.ready
  if (!serviceWorker.controller)
    await new Promise((done) => serviceWorker.addEventListener('controllerchange', done, { once: true }))
}

export async function keepRules(lang: Lang): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (!('serviceWorker' in navigator) || connection?.saveData) return
  await keeper()
  await idle()
  await Promise.all([
    import('../pages/Rules.svelte'),
    bookOf(lang),
    rulesOf(lang),
    ...filesOf(lang).map((file) => fetch(file)),
  ])
}
