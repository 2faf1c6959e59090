// The page opens without the server and says so itself: its files are kept, what happens at tables never is.
const KEPT = 'hansa-page'

/** The document and everything it names; a new document means new files, so the old ones go. */
async function keep(answer) {
  const cache = await caches.open(KEPT)
  const text = await answer.clone().text()
  const before = await (await cache.match('/'))?.text()
  if (before === text) return
  await Promise.all((await cache.keys()).map((request) => cache.delete(request)))
  const files = [
    ...new Set([...text.matchAll(/["'](\/(?:assets\/[^"']+|icon[^"']*|manifest\.webmanifest))["']/g)].map((m) => m[1])),
  ]
  await Promise.all(files.map((file) => cache.add(file).catch(() => {})))
  await cache.put('/', answer)
}

async function document_(event) {
  try {
    const answer = await fetch(event.request)
    if (answer.ok && answer.headers.get('content-type')?.includes('text/html')) event.waitUntil(keep(answer.clone()))
    // A proxy whose servers are away answers in their place, with a page of its own.
    return (answer.status >= 500 && (await caches.match('/'))) || answer
  } catch (error) {
    const kept = await caches.match('/')
    if (kept) return kept
    throw error
  }
}

async function file(request) {
  const kept = await caches.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) (await caches.open(KEPT)).put(request, answer.clone())
  return answer
}

self.addEventListener('install', (event) =>
  event.waitUntil(
    fetch('/', { cache: 'no-cache' })
      .then(keep)
      .then(() => self.skipWaiting()),
  ),
)
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (event.request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return
  if (event.request.mode === 'navigate') event.respondWith(document_(event))
  else if (pathname.startsWith('/assets/')) event.respondWith(file(event.request))
})

/** A message of the server for somebody who is away; one for each table is enough. */
self.addEventListener('push', (event) => {
  const { title, body, path, tag, turn } = event.data?.json() ?? { title: 'Hansa', path: '/', tag: 'hansa' }
  const shown = self.registration.showNotification(title, {
    body,
    tag,
    icon: '/icon-192.png',
    renotify: true,
    data: { path },
  })
  event.waitUntil(Promise.all([shown, turn ? navigator.setAppBadge?.().catch(() => {}) : undefined]))
})

/** To the table: in a window that has it, in any other, or in a new one. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { path } = event.notification.data
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((windows) => {
      const there = windows.find((w) => new URL(w.url).pathname === path)
      return there ? there.focus() : self.clients.openWindow(path)
    }),
  )
})

/** The browser renewed its subscription by itself: the server must know the new one. */
self.addEventListener('pushsubscriptionchange', (event) => {
  const { options } = event.oldSubscription ?? {}
  if (!options) return
  event.waitUntil(
    self.registration.pushManager.subscribe(options).then((made) => {
      const { endpoint, keys } = made.toJSON()
      return fetch('/api/me/calls/devices', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth }),
      })
    }),
  )
})
