// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { attempts } from './stranger.mjs'

/** @typedef {import('./bodies.mjs').Body} Body */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').BrowserContext} BrowserContext */

/** The path of Debian's Chromium, or of another one that is named; undefined on a machine without one. */
export const browserPath = [process.env['SKILLS_CHROMIUM'], '/usr/bin/chromium'].find(
  path => path !== undefined && existsSync(path),
)

/** Milliseconds of work that a page may do for one key, on a busy machine too. */
const mostHeldMs = 500

export const openBrowser = () =>
  chromium.launch({
    executablePath: browserPath ?? '',
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-dev-shm-usage',
      // A host name of the attacker that leads to this machine.
      '--host-resolver-rules=MAP rebound.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })

/**
 * Records other requests of a page, its errors, and what it wrote to the console.
 * @param {Page} page
 * @param {(url: string) => boolean} isOwn
 */
function watch(page, isOwn) {
  /** @type {string[]} */
  const wrong = []
  page.on('request', request => {
    if (!isOwn(request.url())) wrong.push(`asked for ${request.url().slice(0, 100)}`)
  })
  page.on('pageerror', error => wrong.push(`failed: ${error.message}`))
  page.on('console', message => {
    // The browser logs a refused request as an error.
    if (message.type() === 'error' && !message.text().includes('the server responded with a status'))
      wrong.push(`said: ${message.text().slice(0, 200)}`)
  })
  return wrong
}

/**
 * Opens another server on the loopback in the same browser, and tries every means of a page, also under host names that
 * lead to this machine.
 * @param {{ context: BrowserContext, url: string, path: string }} given `url` is the address of the page, which is open
 * @param {Awaited<ReturnType<typeof import('./stranger.mjs').strangerServer>>} stranger
 */
export async function byStrangers({ context, url, path }, stranger) {
  const { origin, port } = new URL(url)
  /** @type {string[]} */
  const failures = []
  let tried = 0
  for (const host of ['127.0.0.1', 'localhost']) {
    const page = await context.newPage()
    await page.goto(`http://${host}:${stranger.port}/`)
    for (const target of [origin, `http://localhost:${port}`, `http://rebound.example:${port}`]) {
      const { tried: more, got } = await page.evaluate(attempts, { target, path, secret: 'x'.repeat(43) })
      tried += more
      for (const [what, text] of Object.entries(got)) failures.push(`${host} → ${target}: ${what} got ${text}`)
    }
    await page.close()
  }
  for (const host of [`localhost:${port}`, `rebound.example:${port}`]) {
    const page = await context.newPage()
    const response = await page.goto(`http://${host}/`)
    if (response?.status() !== 403) failures.push(`The page is served to ${host}: ${response?.status()}`)
    await page.close()
    tried += 1
  }
  // A view that a page of the stranger led to shows nothing that can be clicked.
  const led = await context.newPage()
  await led.goto(`http://127.0.0.1:${stranger.port}/`)
  await led.evaluate(to => location.assign(to), `${origin}/#/runs/waits`)
  await led.getByText('Another page led here').waitFor()
  if ((await led.getByRole('button').count()) > 0) failures.push('A page that another one led to can be clicked.')
  for (const { headers, url: asked } of stranger.heard) {
    const own = Object.entries(headers).filter(
      ([name, value]) => name !== 'cookie' && String(value).includes(`:${port}`),
    )
    if (own.length > 0 && headers.referer !== undefined && headers.referer.includes(`:${port}`))
      failures.push(`The stranger heard from where it was asked for ${asked}: ${headers.referer}`)
    if (headers.authorization !== undefined) failures.push(`The stranger was sent ${headers.authorization}`)
    const cookies = (headers.cookie ?? '').split('; ').filter(one => one !== '' && !one.endsWith('=x'))
    if (cookies.length > 0) failures.push(`The stranger was sent ${cookies.join(', ')}`)
    if (asked.startsWith('/leak')) failures.push(`A body had a page ask for ${asked}`)
  }
  return { tried: tried + 1 + stranger.heard.length, failures }
}

/**
 * Shows one body after the other in an open page, and returns what is seen of each.
 * @param {readonly string[]} names
 */
async function shownBodies(names) {
  /** @type {{ name: string, text: string | undefined, tags: string[], attributes: string[], hrefs: string[], problem: string }[]} */
  const shown = []
  for (const name of names) {
    location.hash = `#/skills/${name}`
    // A file that does not load, or is not text, has no body to show: a sentence says so.
    const isShown = () =>
      document.querySelector('.detail > .problem')?.textContent?.includes(`/${name}/`) ||
      (document.querySelector('h1.name')?.textContent === name &&
        document.querySelector('.body[aria-busy=false], .layers > .failed') !== null)
    for (let frames = 0; !isShown(); frames++) {
      if (frames > 6000) throw new Error(`${name} is not shown.`)
      await new Promise(done => setTimeout(done, 4))
    }
    const body = document.querySelector('.body')
    const all = [...(body?.querySelectorAll('*') ?? [])]
    shown.push({
      name,
      text: body?.textContent,
      tags: [...new Set(all.map(({ localName }) => localName))],
      attributes: [...new Set(all.flatMap(one => one.getAttributeNames()))],
      hrefs: all.flatMap(one => one.getAttribute('href') ?? []),
      problem: document.querySelector('article .warning[role=status]')?.textContent ?? '',
    })
  }
  return {
    shown,
    hasRun: 'ran' in globalThis,
    alerts: document.querySelector('main > [role=alert]')?.textContent ?? '',
  }
}

const drawn = new Set(
  'p h3 h4 h5 h6 em strong small blockquote ul ol li code pre br hr a table thead tbody tr th td span'.split(' '),
)
const given = new Set(['href', 'target', 'rel', 'start', 'tabindex', 'class', 'data-code'])

const lettersOf = (/** @type {string} */ text) => [...text.normalize('NFC').matchAll(/\p{L}/gu)].join('')

/**
 * Shows every body in an open page, and checks that nothing runs, nothing is requested, and the text is that of the
 * file.
 * @param {Page} page
 * @param {readonly Body[]} bodies
 * @param {{ origin: string, where: string, progress?: (done: number) => void }} options
 */
export async function bodiesIn(page, bodies, { origin, where, progress }) {
  const wrong = watch(page, url => url.startsWith(origin))
  /** @type {string[]} */
  const failures = []
  let plain = 0
  let unloaded = 0
  for (let at = 0; at < bodies.length; at += 50) {
    const some = bodies.slice(at, at + 50)
    const { shown, hasRun, alerts } = await page.evaluate(
      shownBodies,
      some.map(({ name }) => name),
    )
    if (hasRun) failures.push(`${where}: one of ${some[0]?.name} to ${some.at(-1)?.name} ran a script`)
    if (alerts !== '') failures.push(`${where}: ${some[0]?.name} and on: ${alerts}`)
    for (const [index, { name, text }] of some.entries()) {
      const seen = shown[index]
      if (seen?.text === undefined) {
        unloaded += 1
        continue
      }
      if (seen.problem !== '') plain += 1
      const file = text.replaceAll('\0', '\uFFFD')
      const said = seen.problem === '' ? lettersOf(file) : file.trim()
      const has = seen.problem === '' ? lettersOf(seen.text) : seen.text.replaceAll('\0', '\uFFFD').trim()
      const hasEntity = /&#?\w+;?/.test(text)
      if (seen.problem === '' ? !hasEntity && said !== has : said !== has)
        failures.push(`${where}: ${name} is not shown as the file has it: ${JSON.stringify(text.slice(0, 300))}`)
      const tags = seen.tags.filter(tag => !drawn.has(tag))
      const attributes = seen.attributes.filter(one => !given.has(one))
      const hrefs = seen.hrefs.filter(href => !/^https?:/i.test(href))
      for (const one of [...tags, ...attributes, ...hrefs]) failures.push(`${where}: ${name} became ${one}`)
      if (name.startsWith('entities-')) failures.push(...(await entitiesOf(page, seen.text, where)))
    }
    progress?.(at + some.length)
  }
  failures.push(...[...new Set(wrong)].map(one => `${where}: the page ${one}`))
  return { tried: bodies.length - unloaded, failures, plain, unloaded }
}

/**
 * Compares each entity with what the browser itself makes of it.
 * @param {Page} page
 * @param {string} text
 * @param {string} where
 */
async function entitiesOf(page, text, where) {
  const names = [...text.matchAll(/(\w+) a([^]*?)b(?=\w+ a|$)/g)].map(([, name = '', value = '']) => ({ name, value }))
  // The page's policy lets no text become markup, so the browser is asked on another page.
  const blank = await page.context().newPage()
  const own = await blank.evaluate(
    all =>
      all.map(name =>
        Object.assign(document.createElement('textarea'), { innerHTML: `a&${name};b` }).value.slice(1, -1),
      ),
    names.map(({ name }) => name),
  )
  await blank.close()
  const wrong = names.filter(({ value }, at) => value !== own[at] && value.trim() !== own[at]?.trim())
  return names.length < 100
    ? [`${where}: only ${names.length} entities are shown`]
    : wrong.map(({ name, value }) => `${where}: &${name}; is shown as ${JSON.stringify(value)}`)
}

/**
 * Checks every view, with hostile texts in names, descriptions, findings, runs and evaluations.
 * @param {Page} page
 * @param {string} origin
 * @param {readonly string[]} views
 */
export async function everyView(page, origin, views) {
  const wrong = watch(page, url => url.startsWith(origin))
  /** @type {string[]} */
  const failures = []
  for (const view of views) {
    await page.evaluate(hash => (location.hash = hash), `#/${view}`)
    await page.waitForFunction(
      () =>
        document.querySelector('main :is(h1, .rows, .pad.problem)') !== null &&
        document.querySelector('.pad[role=status]') === null,
      undefined,
      // The listing of another agent takes a while for many skills.
      { timeout: 120_000 },
    )
    const found = await page.evaluate(() => ({
      hasRun: 'ran' in globalThis,
      // One script is the page's own, in its head.
      tags: [
        ...document.querySelectorAll(
          'body :is(script, img, iframe, svg, math, style, base, meta, object, embed, template)',
        ),
      ].map(one => one.outerHTML.slice(0, 100)),
      alerts: document.querySelector('main [role=alert]')?.textContent ?? '',
    }))
    if (found.hasRun) failures.push(`${view}: a script ran`)
    // A report with only two fields is refused with a sentence.
    if (found.alerts !== '' && !found.alerts.includes('cannot be read as an evaluation'))
      failures.push(`${view}: ${found.alerts}`)
    for (const tag of found.tags) failures.push(`${view}: ${tag}`)
  }
  return { tried: views.length, failures: [...failures, ...[...new Set(wrong)].map(one => `views: the page ${one}`)] }
}

/**
 * Types into the editor of a body that is slow to parse, and checks that each key is answered.
 * @param {Page} page
 * @param {readonly { name: string, path: string }[]} files
 */
export async function typedInto(page, files) {
  /** @type {string[]} */
  const failures = []
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const workMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  let slowest = 0
  for (const { name, path } of files) {
    await page.evaluate(hash => (location.hash = hash), `#/edit/${name}?${new URLSearchParams({ path })}`)
    await page.getByRole('textbox', { name: 'The text of the file' }).waitFor()
    await page.keyboard.press('Control+End')
    for (const key of 'a*[b](') {
      const before = await workMs()
      await page.keyboard.press(key)
      await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))))
      const held = (await workMs()) - before
      if (held > mostHeldMs) failures.push(`A key in ${name} took ${Math.round(held)} ms of work.`)
      slowest = Math.max(slowest, held)
    }
    // Leaves without saving: the text is as before.
    await page.keyboard.press('Control+z')
  }
  return { tried: files.length * 6, failures, slowest }
}

/**
 * Opens the report as a file, under its own policy.
 * @param {BrowserContext} context
 * @param {string} file
 * @param {readonly Body[]} bodies
 */
export async function inReport(context, file, bodies) {
  const page = await context.newPage()
  const wrong = watch(page, url => url.startsWith('file:'))
  await page.goto(`file://${file}`)
  await page.getByRole('listbox').waitFor()
  const known = new Set(bodies.map(({ name }) => name))
  const told = new Set(
    [...readFileSync(file, 'utf8').matchAll(/"skill \[\[\\"name\\",\\"([\w-]+)\\"\]/g)].map(([, name]) => name ?? ''),
  )
  const found = await bodiesIn(
    page,
    bodies.filter(({ name }) => known.has(name) && told.has(name)),
    { origin: 'file:', where: 'report' },
  )
  await page.close()
  return { ...found, failures: [...found.failures, ...new Set(wrong)] }
}
