// Every screen, board, theme, size and language into web/shots: to be looked at with one's own eyes.
// `npm run screenshots -- rules` makes only those whose name has "rules" in it.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const out = join(root, 'web/shots')
const only = process.argv[2] ?? ''
const port = 8000 + (process.pid % 1000)
const base = `http://127.0.0.1:${port}`
const NAMES = ['Alheyd', 'Bertram', 'Katrijn', 'Detmar', 'Gese']
const SIZES = { desktop: [1440, 900], small: [1024, 768], tablet: [820, 1180], phone: [390, 844], large: [3840, 2160] }
const BOARDS = ['hansa-45', 'hansa-23', 'east', 'britannia-45', 'britannia-23', 'pawn', 'neutral', 'modules']
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

if (!only) rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const data = mkdtempSync(join(tmpdir(), 'hansa-shots-'))
// The games are played by a machine's advice: nobody else waits for it here.
const env = { ...process.env, HANSA_ANALYSES_PER_MINUTE: '100000', HANSA_REQUESTS_PER_SECOND: '5000' }
const server = spawn(join(root, '.venv/bin/hansa'), ['play', '--no-browser', '--port', String(port), '--data', data], {
  stdio: 'ignore',
  env,
})
const pause = (ms) => new Promise((done) => setTimeout(done, ms))

async function ready() {
  for (let i = 0; i < 200; i++) {
    try {
      if ((await fetch(`${base}/health`)).ok) return
    } catch {
      await pause(150)
    }
  }
  throw new Error('the server did not start')
}

/** One request as the page makes it. */
async function ask(page, method, path, body) {
  const [status, answer] = await page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(`/api${path}`, {
        method,
        headers: body ? { 'Content-Type': 'application/json' } : {},
        body,
      })
      return [response.status, await response.json()]
    },
    [method, path, body && JSON.stringify(body)],
  )
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${answer.message}`)
  return answer
}

const seatsOf = (players) =>
  NAMES.slice(0, players).map((name, i) => (i ? { kind: 'bot', bot: 'greedy', name } : { kind: 'me', name }))

/** A game against machines, played by their advice up to a number of decisions (or to a phase). */
async function play(page, setup, most, until = () => false) {
  const { id } = await ask(page, 'POST', '/games', {
    setup: { seed: 14, ...setup },
    seats: seatsOf(setup.players),
    order: 'fixed',
    bot_delay: 0,
    visibility: 'open',
    start: true,
  })
  for (;;) {
    const { position: p } = await ask(page, 'GET', `/games/${id}/state`)
    if (p.over || (p.number >= most && p.legal && p.phase === 'turn') || (p.legal && until(p))) return id
    if (!p.legal) {
      await pause(30)
      continue
    }
    const { decision } = await ask(page, 'POST', `/games/${id}/analysis`, { number: p.number, bot: 'greedy' })
    await ask(page, 'POST', `/games/${id}/act`, { number: p.number, decision })
  }
}

async function shoot(context, name, path, before = async () => {}, wait = 'main') {
  if (!name.includes(only)) return
  const page = await context.newPage()
  page.on('pageerror', (e) => console.log(`${name}: ${e.message}`))
  page.on(
    'console',
    (m) =>
      m.type() === 'error' &&
      !name.startsWith('gone') &&
      !name.startsWith('lost') &&
      console.log(`${name}: ${m.text()}`),
  )
  if (name.startsWith('gone')) await page.route('**/api/**', (route) => route.abort())
  await page.goto(base + path)
  await page.waitForSelector(wait)
  await pause(900)
  await before(page)
  await page.screenshot({ path: join(out, `${name}.png`) })
  await page.close()
  console.log(name)
}

const click = (selector) => async (page) => {
  await page.click(selector)
  await pause(500)
}

/** The pages beside the table. */
async function pages(context, tag, games) {
  await shoot(context, `start-${tag}`, '/')
  await shoot(context, `new-${tag}`, '/#/new')
  await shoot(context, `new-two-${tag}`, '/#/new', async (page) => {
    await page.getByLabel('2', { exact: true }).check({ force: true })
    await page.locator('label.board').nth(1).click()
    await page.locator('#pace').selectOption('usual')
    await page.evaluate(() => document.querySelector('.table')?.scrollIntoView({ block: 'center' }))
    await pause(300)
  })
  await shoot(context, `watch-${tag}`, '/#/watch')
  await shoot(context, `room-${tag}`, `/g/${games.room}`)
  await shoot(context, `invite-${tag}`, games.invite)
  await shoot(context, `stats-${tag}`, '/#/stats', undefined, '.figures')
  await shoot(context, `ladder-${tag}`, '/#/ladder', undefined, 'tbody')
  await shoot(context, `me-${tag}`, '/#/me')
  await shoot(context, `rules-${tag}`, '/#/rules/DISPLACE-3', undefined, '.rule')
  await shoot(context, `rules-table-${tag}`, '/#/rules/RULING-8', undefined, '.rule')
  await shoot(context, `lost-${tag}`, '/#/nowhere')
  await shoot(context, `gone-${tag}`, '/')
  await shoot(context, `menu-${tag}`, '/', click('.tools button:last-child'))
  await shoot(context, `end-${tag}`, `/g/${games.over}`, undefined, '.accounts')
  await shoot(context, `lesson-${tag}`, `/g/${games.lesson}`, undefined, '.tutor')
  await shoot(context, `pass-${tag}`, `/g/${games.pass}`, undefined, '.cover')
}

/** What a table shows on demand: previews, cards, panels, windows. */
async function scenes(context, tag, games) {
  const { east, over, 'hansa-45': hansa, 'britannia-45': britannia } = games
  const table = (name, game, ...does) =>
    shoot(
      context,
      `table-${name}-${tag}`,
      `/g/${game}`,
      async (page) => {
        for (const act of does) await act(page)
        await pause(600)
      },
      'main.table',
    )
  const press =
    (...keys) =>
    async (page) => {
      for (const key of keys) await page.keyboard.press(key)
    }
  const at = (action, selector) => async (page) => {
    const spot = await page.locator(selector).first().boundingBox()
    await page.mouse[action](spot.x + spot.width / 2, spot.y + spot.height / 2)
    await pause(500)
  }
  const drawer = (n) => async (page) => {
    await page.click('.grab')
    await page.locator('.drawer [role=tab]').nth(n).click()
  }
  await table('preview', hansa, press('p'), at('move', '.target[data-key="post:paderborn-hildesheim/2"]'))
  await table('establish', east, press('e'))
  await table('income', hansa, press('i'))
  await table('tip', hansa, at('move', '[data-thing="panel:link"]'))
  await table('why', hansa, at('click', '[data-thing="city:hildesheim"]'))
  await table('marker', hansa, at('move', '[data-key^="marker:"]'))
  await table('list', hansa, press('l'))
  await table('help', hansa, press('?'))
  await table('end', hansa, press('f'))
  for (const [i, overlay] of ['control', 'network', 'close'].entries())
    await table(`overlay-${overlay}`, hansa, press(...'o'.repeat(i + 1)))
  await table('overlay-britannia', britannia, press('o', 'o'))
  await table('history', hansa, press(...'['.repeat(12)))
  if (tag.startsWith('phone')) {
    for (const [n, name] of ['players', 'log', 'score', 'chat'].entries()) await table(name, hansa, drawer(n + 1))
    await table('advice', hansa, drawer(5), click('.drawer .btn'))
    await table('look', hansa, click('.scores li:nth-child(2) button'))
    await table('menu', hansa, click('.scores .tools button:last-child'))
  } else {
    await table('score', hansa, press('c'))
    await table('chat', hansa, click('[data-tab=chat]'))
    await table('advice', hansa, press('h'), () => pause(2500))
    await table('look', hansa, click('.opponents .who'))
    await table('menu', hansa, click('header .tools:last-child button:last-child'))
  }
  await shoot(
    context,
    `end-advice-${tag}`,
    `/g/${over}`,
    async (page) => {
      await page.locator('.buttons .btn', { has: page.locator('svg') }).click()
      await pause(3000)
      await page.locator('.right').evaluate((x) => x.scrollIntoView())
    },
    '.accounts',
  )
}

const browser = await chromium.launch({
  executablePath: process.env.HANSA_CHROMIUM ?? '/usr/bin/chromium',
  args: FLAGS,
})
try {
  await ready()
  const maker = await browser.newContext({ baseURL: base })
  const page = await maker.newPage()
  await page.goto(base)
  await ask(page, 'POST', '/me', { name: 'Alheyd' })
  const games = {}
  for (const [name, setup, most] of [
    ['hansa-45', { board: 'hansa', players: 4 }, 150],
    ['hansa-23', { board: 'hansa', players: 3 }, 110],
    ['east', { board: 'east', players: 4 }, 150],
    ['britannia-45', { board: 'britannia', players: 5 }, 150],
    ['britannia-23', { board: 'britannia', players: 3 }, 110],
    ['pawn', { board: 'hansa', players: 2, duel: 'pawn' }, 60],
    ['neutral', { board: 'hansa', players: 2, duel: 'neutral' }, 60],
    [
      'modules',
      { board: 'hansa', players: 5, missions: true, favours: true, promos: ['exchange', 'tribute', 'block'] },
      120,
    ],
    ['over', { board: 'hansa', players: 4 }, 9999],
  ])
    games[name] = await play(page, setup, most)
  const displaced = await play(page, { board: 'hansa', players: 4, seed: 8 }, 400, (p) => p.phase === 'displaced')
  const usual = { order: 'fixed', bot_delay: 0, start: true }
  games.lesson = (
    await ask(page, 'POST', '/games', {
      ...usual,
      setup: { board: 'hansa', players: 3, seed: 14 },
      seats: seatsOf(3),
      name: 'Tutorial',
    })
  ).id
  games.pass = (
    await ask(page, 'POST', '/games', {
      ...usual,
      setup: { board: 'hansa', players: 3, missions: true },
      seats: NAMES.slice(0, 3).map((name) => ({ kind: 'me', name })),
    })
  ).id
  const open = await ask(page, 'POST', '/games', {
    setup: { board: 'britannia', players: 4 },
    seats: [
      { kind: 'me', name: 'Alheyd' },
      { kind: 'open', name: 'Katrijn' },
      { kind: 'open' },
      { kind: 'bot', bot: 'greedy', name: 'Gese' },
    ],
    visibility: 'open',
    clock: { bank: 1500, increment: 20, consequence: 'bot' },
  })
  games.room = open.id
  games.invite = open.seats[1].invite
  const state = await maker.storageState()

  for (const [size, [width, height]] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme,
        storageState: state,
        locale: 'en',
        serviceWorkers: 'block',
        hasTouch: size === 'phone',
        isMobile: size === 'phone',
        deviceScaleFactor: size === 'phone' ? 2 : 1,
      })
      const tag = `${size}-${colorScheme}`
      await pages(context, tag, games)
      for (const name of BOARDS) {
        if (size === 'desktop' || name === 'hansa-45' || (name === 'britannia-45' && colorScheme === 'light'))
          await shoot(context, `${name}-${tag}`, `/g/${games[name]}`, undefined, 'main.table')
      }
      await shoot(context, `displaced-${tag}`, `/g/${displaced}`, undefined, 'main.table')
      if (size !== 'tablet' && (size !== 'large' || colorScheme === 'light')) await scenes(context, tag, games)
      if (size === 'phone') await shoot(context, `desk-${tag}`, `/g/${games['hansa-45']}`, click('.grab'), 'main.table')
      await context.close()
    }
  }
  for (const locale of ['de', 'ja']) {
    for (const [size, width, height] of [
      ['desktop', 1440, 900],
      ['phone', 390, 844],
    ]) {
      const context = await browser.newContext({
        viewport: { width, height },
        storageState: state,
        locale,
        serviceWorkers: 'block',
        isMobile: size === 'phone',
        hasTouch: size === 'phone',
        deviceScaleFactor: size === 'phone' ? 2 : 1,
      })
      await pages(context, `${size}-${locale}`, games)
      await shoot(context, `hansa-45-${size}-${locale}`, `/g/${games['hansa-45']}`, undefined, 'main.table')
      await context.close()
    }
  }
} finally {
  await browser.close()
  server.kill()
}
