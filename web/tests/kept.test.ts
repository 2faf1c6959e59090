import { expect, it } from 'vitest'
import source from '../public/sw.js?raw'

type Fetching = (event: object) => void

/** The service worker with a page kept, in front of somebody who answers like this. */
async function opened(status: number): Promise<string> {
  let answer: Promise<Response> | undefined
  const heard: Record<string, Fetching> = {}
  const self = {
    location: { origin: 'https://hansa.example' },
    addEventListener: (kind: string, act: Fetching) => (heard[kind] = act),
  }
  const caches = { match: () => Promise.resolve(new Response('the page')) }
  const fetch = (): Promise<Response> => Promise.resolve(new Response('from there', { status }))
  new Function('self', 'location', 'caches', 'fetch', source)(self, self.location, caches, fetch)
  heard.fetch!({
    request: { url: 'https://hansa.example/g/k7', method: 'GET', mode: 'navigate' },
    respondWith: (given: Promise<Response>) => (answer = given),
  })
  return (await answer!).text()
}

it('the page kept opens where a proxy answers for servers that are away', async () => {
  expect(await opened(502)).toBe('the page')
})
it.each([200, 404, 429])('what the server itself says is shown (%i)', async (status) => {
  expect(await opened(status)).toBe('from there')
})
