// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { processHost } from '@skills/core'
import { openRuns } from '@skills/runs'
import { bodiesIn, browserPath, byStrangers, everyView, inReport, openBrowser, typedInto } from './page/browser.mjs'
import { floods } from './page/floods.mjs'
import { hostileBodies } from './page/bodies.mjs'
import { Random } from './random.mjs'
import { strangerServer } from './page/stranger.mjs'

const program = fileURLToPath(import.meta.resolve('@skills/cli/dist/skills.cjs'))
/** A text in every file that must not be shown. */
const canary = 'canary-7f31'
/** Where the server cuts off a body, in bytes, and the MiB that the whole attack may cost the server. */
const tooLarge = 5 * 1024 * 1024
const mostMiB = 300

/** Texts of a skill that could become markup, a script, a link that runs, or the end of the report's data. */
const texts = [
  '</script><script>globalThis.ran = 1</script>',
  '<img src=x onerror="globalThis.ran = 1">',
  '<!--<script>',
  '[a](javascript:globalThis.ran=1)',
  ']]><svg onload=globalThis.ran=1>',
  '\u202Etxt.exe\u2066',
  '\u2028globalThis.ran = 1\u2029',
  '"};globalThis.ran=1;//',
]

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'page',
  title:
    'the page of skills ui is asked without its secret, by another server in the same browser, for files that it does ' +
    'not show, by floods, and to save over a file that changed; bodies of skills hold every construct of Markdown and ' +
    'markup: nothing is read, written, run or asked for, and a body is shown as its file has it',
  counts: { short: 400, long: 20_000 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    const isLong = count > 5000
    const stranger = await strangerServer()
    const bodies = hostileBodies({ random, port: stranger.port, isLong })
    await prepare(folder, bodies)
    const { child, url, said } = await start(folder)
    const { origin, hash } = new URL(url)
    /** @type {string[]} */
    const failures = []
    /** @type {Record<string, string | number>} */
    const figures = {}
    let tried = 0
    /** @param {{ tried: number, failures: readonly string[] }} found */
    const counted = found => {
      tried += found.tried
      failures.push(...found.failures)
    }
    try {
      const token = hash.slice('#token='.length)
      /** @param {string} what @param {Asked} asked @param {readonly number[]} expected */
      const expects = async (what, asked, expected) => {
        tried += 1
        const { status, body } = await ask(origin, asked)
        if (!expected.includes(status))
          failures.push(`${what} was answered with ${status}, not ${expected.join(' or ')}`)
        if (body.includes(canary)) failures.push(`${what} got the text of a file that is not shown`)
      }
      for (const [what, asked, expected] of strangers(origin, token)) await expects(what, asked, expected)
      if (said() !== '') failures.push(`A stranger's request was told to the person: ${said()}`)
      if (browserPath === undefined) figures['browser'] = 'none: apt-get install chromium'
      const { secret, shown } =
        browserPath === undefined
          ? { secret: await secretBy(origin, token), shown: {} }
          : await inBrowser({ url, folder, bodies, stranger, isLong, count: counted, progress })
      Object.assign(figures, shown)
      const own = { headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' } }
      const enter = { path: '/api/session', method: 'POST', headers: { authorization: `Bearer ${token}` } }
      await expects('the token a second time', enter, [401])
      for (const [what, asked, expected] of strangers(origin, secret)) {
        const withSecret = { ...asked, headers: { ...own.headers, ...asked.headers } }
        if (expected[0] === 403) await expects(`${what}, with the secret`, withSecret, expected)
      }
      for (let at = 0; at < count; at++) {
        const path = pathOf(random, folder)
        const asked = encodeURIComponent(JSON.stringify({ path }))
        await expects(`file ${path}`, { ...own, path: `/api/file?asked=${asked}` }, [400])
        const body = JSON.stringify({ path, text: 'overwritten', version: 'x' })
        await expects(`save ${path}`, { ...own, method: 'POST', path: '/api/save', body }, [400])
        // An empty path is the page itself.
        const gives = path === '' ? [200] : [400, 404]
        await expects(`page ${path}`, { ...own, path: encodeURI(`/${path}`) }, gives)
        await expects(`page ${path}, encoded`, { ...own, path: `/${encodeURIComponent(path)}` }, gives)
        progress(at + 1)
      }
      for (const file of outside(folder))
        if (readFileSync(file, 'utf8') !== canary) failures.push(`${file} was written`)
      for (const [what, asked] of malformed(folder)) {
        const gives = asked.body !== undefined && asked.body.length > tooLarge ? [413, 0] : [400, 404, 405, 415]
        await expects(what, { ...own, ...asked }, gives)
      }
      failures.push(...(await changedMeanwhile(origin, own.headers, `${folder}/repo/.claude/skills/own/SKILL.md`)))
      tried += 2
      counted(await savedAtOnce(origin, own.headers, `${folder}/repo/.claude/skills/own/SKILL.md`, isLong ? 500 : 20))
      const question = async () => (await ask(origin, { ...own, path: '/api/about' })).status
      counted(await floods({ origin, pid: child.pid ?? 0, secret, count, own: question }))
      await expects('a question after all', { ...own, path: '/api/skills' }, [200])
      const { headers: got, body } = await ask(origin, { ...own, path: '/api/skills' })
      if (!String(got['content-type']).startsWith('application/json') || got['x-content-type-options'] !== 'nosniff')
        failures.push('An answer with texts of skills may be taken for a page.')
      // A description is one line: line separators in it are spaces.
      for (const text of texts.map(one => one.replace(/[\u2028\u2029]/g, ' ').trim()))
        if (!body.includes(JSON.stringify(text).slice(1, -1))) failures.push(`${text} is not told as it is`)
      if ((await openRuns(processHost({ home: `${folder}/home`, env: {} })).get('waits')).state !== 'waiting')
        failures.push('A run was answered.')
    } finally {
      const peak = child.exitCode === null ? peakOf(child.pid) : NaN
      figures['memory of the server at most'] = `${peak} MiB`
      if (!(peak < mostMiB)) failures.push(`The server took ${peak} MiB, or ended.`)
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
      stranger.close()
    }
    tried += texts.length
    failures.push(...(await report(folder)))
    return { tried, failures, figures }
  },
}

/**
 * @typedef {object} Browsed
 * @property {string} url
 * @property {string} folder
 * @property {readonly import('./page/bodies.mjs').Body[]} bodies
 * @property {Awaited<ReturnType<typeof strangerServer>>} stranger
 * @property {boolean} isLong
 * @property {(found: { tried: number, failures: readonly string[] }) => void} count
 * @property {(done: number) => void} progress
 */

/** Runs the checks that need a browser. @param {Browsed} given */
async function inBrowser({ url, folder, bodies, stranger, isLong, count, progress }) {
  const { origin } = new URL(url)
  const skills = `${folder}/repo/.claude/skills`
  const browser = await openBrowser()
  try {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(url)
    await page.getByRole('listbox', { name: 'Skills' }).waitFor()
    count(await byStrangers({ context, url, path: `${skills}/own/SKILL.md` }, stranger))
    if (!readFileSync(`${skills}/own/SKILL.md`, 'utf8').includes('Is shown.'))
      count({ tried: 0, failures: [`A stranger saved a skill: ${readFileSync(`${skills}/own/SKILL.md`, 'utf8')}`] })
    const shown = await bodiesIn(page, bodies, { origin, where: 'page', progress })
    count(shown)
    const views = [
      ...'skills budget agents audit needs evals runs runs/waits runs/done sources'.split(' '),
      ...texts.map((_, at) => `skills/text-${at}`),
    ]
    count(await everyView(page, origin, views))
    const slow = bodies.filter(({ name }) => name.startsWith('slow-')).slice(0, isLong ? undefined : 2)
    const typed = await typedInto(
      page,
      slow.map(({ name }) => ({ name, path: `${skills}/${name}/SKILL.md` })),
    )
    count(typed)
    const file = `${folder}/report.html`
    const begun = performance.now()
    count({ tried: 1, failures: await exported(folder, file) })
    const exportMs = performance.now() - begun
    count(await inReport(context, file, isLong ? bodies : bodies.filter((_, at) => at % 3 === 0)))
    const kept = await page.evaluate(() => sessionStorage.getItem('skills-ui') ?? '{}')
    /** @type {{ secret: string }} */
    const { secret } = JSON.parse(kept)
    for (const { url: asked, headers } of stranger.heard)
      if (asked.startsWith('/leak'))
        count({ tried: 0, failures: [`A body had a page ask the stranger: ${asked} ${JSON.stringify(headers)}`] })
    return {
      secret,
      shown: {
        'bodies shown': shown.tried,
        'of files that do not load': shown.unloaded,
        'of these as they stand, for they take too long or are nested too deep': shown.plain,
        'slowest key in the editor': `${Math.round(typed.slowest)} ms`,
        'the export': `${Math.round(exportMs)} ms`,
      },
    }
  } finally {
    await browser.close()
  }
}

/** Gets the secret as the page does. @param {string} origin @param {string} token @returns {Promise<string>} */
async function secretBy(origin, token) {
  const asked = { path: '/api/session', method: 'POST', headers: { authorization: `Bearer ${token}` } }
  return JSON.parse((await ask(origin, asked)).body).secret
}

/** @typedef {{ path: string, method?: string, headers?: Record<string, string>, body?: string }} Asked */

/** Returns files whose canary no answer may hold, and that nothing may change. @param {string} folder */
const outside = folder => [`${folder}/repo/secret.md`, `${folder}/home/.secret`, `${folder}/beside/SKILL.md`]

/** @param {string} folder @param {readonly import('./page/bodies.mjs').Body[]} bodies */
async function prepare(folder, bodies) {
  const skills = `${folder}/repo/.claude/skills`
  for (const one of ['home', 'repo/.git', 'beside', 'repo/.claude/skills/own'])
    mkdirSync(`${folder}/${one}`, { recursive: true })
  for (const file of outside(folder)) writeFileSync(file, canary)
  writeFileSync(`${skills}/own/SKILL.md`, '---\nname: own\ndescription: Is shown.\n---\nOwn.\n')
  writeFileSync(`${skills}/own/notes.txt`, 'Beside it.')
  symlinkSync(`${folder}/repo/secret.md`, `${skills}/own/link.md`)
  symlinkSync(`${folder}/beside`, `${skills}/away`)
  for (const { name, text } of bodies) {
    mkdirSync(`${skills}/${name}`)
    writeFileSync(`${skills}/${name}/SKILL.md`, `---\nname: ${name}\ndescription: Is shown.\n---\n${text}\n`)
  }
  mkdirSync(`${folder}/repo/evals/recordings`, { recursive: true })
  // The page would be blank if it showed this report: it has only two of its fields.
  writeFileSync(`${folder}/repo/evals/recordings/last-report.json`, '{"version":1,"stale":[]}')
  await recordRuns(`${folder}/home`)
  texts.forEach((text, at) => {
    mkdirSync(`${skills}/text-${at}`)
    writeFileSync(
      `${skills}/text-${at}/SKILL.md`,
      `---\nname: text-${at}\ndescription: ${JSON.stringify(text)}\n---\n${text}\n`,
    )
  })
}

/**
 * Records a run that waits for an answer, and one that is done; both have texts that could become markup.
 * @param {string} home
 */
async function recordRuns(home) {
  const runs = openRuns(processHost({ home, env: {} }))
  const skill = { name: 'own', source: 'project', digest: 'a1' }
  const limits = { maxSteps: 5, ms: 1000 }
  for (const id of ['waits', 'done']) {
    const run = { id, skill, args: texts[0] ?? '', caller: 'user', agent: 'x', tools: { without: [] }, limits }
    await runs.submit(
      /** @type {Parameters<typeof runs.submit>[0]} */ ({ ...run, session: 's', depth: 0, isBackground: true }),
    )
    const held = await runs.take(id)
    if (id === 'done') await held.end({ state: 'done', result: texts.join('\n\n') })
    // Without a host that answers, the run is parked and the promise rejects.
    else
      await held
        .ask({ id: 'q', kind: 'permission', tool: 'Bash', content: texts.join('\n'), message: texts[1] ?? '' })
        .catch(() => {})
  }
}

/** @param {string} folder */
async function start(folder) {
  const args = ['ui', '--cwd', `${folder}/repo`, '--home', `${folder}/home`]
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', data => (said += String(data)))
  for (;;) {
    const [, url] = /(http:\S+token=[\w-]+)[^]*Ctrl-C\.\n/.exec(said) ?? []
    if (url !== undefined) return { child, url, said: () => said.slice(said.indexOf('Ctrl-C.') + 8) }
    const [code] = await Promise.race([once(child.stderr, 'data'), once(child, 'close')])
    if (typeof code === 'number') throw new Error(`skills ui ended: ${said}`)
  }
}

/**
 * @param {string} origin
 * @param {Asked} asked
 * @returns {Promise<{ status: number, headers: import('node:http').IncomingHttpHeaders, body: string }>}
 */
function ask(origin, { path, method = 'GET', headers = {}, body }) {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent: false }, response => {
      let text = ''
      response.on('data', data => (text += data))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    // A server that has refused may close while more is sent: 0 means no answer at all.
    sent.on('error', error => ('code' in error ? resolve({ status: 0, headers: {}, body: '' }) : reject(error)))
    sent.setTimeout(10_000, () => sent.destroy(new Error(`${path} got no answer in 10 s`)))
    sent.end(body)
  })
}

/**
 * Returns requests without a token or with a wrong one, and requests with another host or from another site.
 * @param {string} origin
 * @param {string} secret
 * @returns {readonly (readonly [string, Asked, readonly number[]])[]}
 */
function strangers(origin, secret) {
  const { port, host } = new URL(origin)
  const path = '/api/session'
  const bearer = { authorization: `Bearer ${secret}` }
  const paths = ['/api/skills', '/api/events', '/api/file?asked={}', '/api/none', '/index.html', '/licenses.md', '/x']
  const noPaths = [
    '//',
    '//x',
    '/%00',
    '/a%00b',
    '/\\x',
    'x',
    '*',
    `http://${host}/`,
    `//${host}/api/skills`,
    '/#/x',
    '',
  ]
  const tokens = ['', 'x', `${secret}x`, secret.slice(1), secret.toUpperCase(), `${secret} ${secret}`, `"${secret}"`]
  const hosts = [
    'evil.example',
    `127.0.0.1.evil.example:${port}`,
    `localhost.evil.example:${port}`,
    `localhost:${port}`,
    `[::1]:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    '127.0.0.1',
    `0.0.0.0:${port}`,
    `x@127.0.0.1:${port}`,
  ]
  const origins = [
    'null',
    'http://evil.example',
    `https://127.0.0.1:${port}`,
    'http://127.0.0.1:1',
    `http://localhost:${port}`,
    'file://',
  ]
  const methods = ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'HEAD', 'PROPFIND', 'M-SEARCH']
  /** @typedef {readonly [string, Asked, readonly number[]]} Case */
  return [
    ...paths.map(one => /** @type {Case} */ ([`${one} without a secret`, { path: one }, [401]])),
    ...paths
      .slice(0, 3)
      .map(
        one =>
          /** @type {Case} */ ([
            `${one} by a cookie`,
            { path: one, headers: { cookie: `skills-ui-${port}=${secret}; skills-ui=${secret}` } },
            [401],
          ]),
      ),
    ...['/api/skills', '/api/save'].map(
      one =>
        /** @type {Case} */ ([
          `${one} with a token in the address`,
          { path: `${one}?token=${secret}&secret=${secret}` },
          [401],
        ]),
    ),
    ...noPaths.map(one => /** @type {Case} */ ([`the address ${one}`, { path: one }, one === '' ? [200] : [400]])),
    ...tokens.map(
      one =>
        /** @type {Case} */ ([
          `the token ${one}`,
          { path, method: 'POST', headers: { authorization: `Bearer ${one}` } },
          [401],
        ]),
    ),
    ...[secret, `Basic ${secret}`, `bearer${secret}`].map(
      one =>
        /** @type {Case} */ ([`the header ${one}`, { path, method: 'POST', headers: { authorization: one } }, [401]]),
    ),
    ...hosts.map(
      one =>
        /** @type {Case} */ ([`the host ${one}`, { path, method: 'POST', headers: { ...bearer, host: one } }, [403]]),
    ),
    ...origins.map(
      from =>
        /** @type {Case} */ ([
          `the origin ${from}`,
          { path, method: 'POST', headers: { ...bearer, origin: from } },
          [403],
        ]),
    ),
    ...['cross-site', 'same-site', 'x'].map(
      site =>
        /** @type {Case} */ ([
          site,
          { path, method: 'POST', headers: { ...bearer, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' } },
          [403],
        ]),
    ),
    ...methods.map(method => /** @type {Case} */ ([`${method} of the page`, { path: '/', method }, [405]])),
    ...methods.map(method => /** @type {Case} */ ([`${method} of a question`, { path: '/api/save', method }, [401]])),
  ]
}

/**
 * Returns a path to a file that is not shown, in one of many spellings.
 * @param {Random} random
 * @param {string} folder
 */
function pathOf(random, folder) {
  const skills = `${folder}/repo/.claude/skills`
  const up = '../'.repeat(1 + random.below(6))
  const name = random.pick(['secret.md', 'home/.secret', 'beside/SKILL.md', 'repo/secret.md'])
  const plain = random.pick([
    ...outside(folder),
    `${skills}/own/link.md`,
    `${skills}/own/notes.txt`,
    `${skills}/own/${up}${name}`,
    `${skills}/own/SKILL.md/${up}${name}`,
    `${skills}/away/${up}${name}`,
    `${up}${name}`,
    `file://${folder}/${name}`,
    `${skills}/own/SKILL.md\0${name}`,
    '/proc/self/environ',
    '/etc/passwd',
    '',
  ])
  return random.pick([
    plain,
    plain.replaceAll('/', '//'),
    plain.replaceAll('..', '%2e%2e'),
    plain.replaceAll('/', '\\'),
    plain.replaceAll('../', '....//'),
    encodeURIComponent(plain),
  ])
}

/**
 * Returns requests that are malformed, too large, or have another method or type.
 * @param {string} folder
 * @returns {readonly (readonly [string, Partial<Asked> & { path: string }])[]}
 */
function malformed(folder) {
  const path = `${folder}/repo/.claude/skills/own/SKILL.md`
  const body = JSON.stringify({ path, text: 'overwritten', version: '' })
  const asked = encodeURIComponent(body)
  return [
    ['a save by GET', { path: `/api/save?asked=${asked}` }],
    ['a save by PUT', { path: '/api/save', method: 'PUT', body }],
    ['an answer by GET', { path: '/api/answer?asked={}' }],
    [
      'a body too large',
      { path: '/api/save', method: 'POST', body: JSON.stringify({ path, text: 'x'.repeat(tooLarge) }) },
    ],
    ...[
      '',
      '{',
      '[]',
      'null',
      '1',
      '{"path":1}',
      '{"path":["a"]}',
      '{"__proto__":{"path":"x"}}',
      '['.repeat(100_000),
    ].map(
      text =>
        /** @type {const} */ ([`a save of ${text.slice(0, 30)}`, { path: '/api/save', method: 'POST', body: text }]),
    ),
    ...['constructor', '__proto__', 'toString', 'close', 'engine', 'haveRunsChanged'].map(
      name => /** @type {const} */ ([`the question ${name}`, { path: `/api/${name}` }]),
    ),
  ]
}

/**
 * Checks that a form of another site cannot save, and that a save over a file which changed meanwhile is refused.
 * @param {string} origin
 * @param {Record<string, string>} headers
 * @param {string} path
 */
async function changedMeanwhile(origin, headers, path) {
  const asked = encodeURIComponent(JSON.stringify({ path }))
  const { version } = JSON.parse((await ask(origin, { path: `/api/file?asked=${asked}`, headers })).body)
  const body = JSON.stringify({ path, text: 'overwritten', version })
  const changed = '---\nname: own\ndescription: Changed meanwhile.\n---\nNew.\n'
  const failures = []
  const form = { ...headers, 'content-type': 'text/plain' }
  const { status } = await ask(origin, { path: '/api/save', method: 'POST', headers: form, body })
  if (status !== 415) failures.push(`A form was answered with ${status}.`)
  writeFileSync(path, changed)
  await ask(origin, { path: '/api/save', method: 'POST', headers, body })
  if (readFileSync(path, 'utf8') !== changed) failures.push('A file that changed meanwhile was written over.')
  return failures
}

/**
 * Saves one file twice at once, from the same text: one is kept as it was sent, and the sender of the other learns that
 * it was not.
 * @param {string} origin
 * @param {Record<string, string>} headers
 * @param {string} path
 * @param {number} rounds
 */
async function savedAtOnce(origin, headers, path, rounds) {
  const asked = encodeURIComponent(JSON.stringify({ path }))
  /** @type {string[]} */
  const failures = []
  for (let round = 0; round < rounds; round++) {
    const { version } = JSON.parse((await ask(origin, { path: `/api/file?asked=${asked}`, headers })).body)
    const both = await Promise.all(
      ['left', 'right'].map(async side => {
        const text = `---\nname: own\ndescription: Saved by ${side} ${round}.\n---\n${side.repeat(1 + (round % 7) * 3000)}\n`
        const body = JSON.stringify({ path, text, version })
        const { status, body: told } = await ask(origin, { path: '/api/save', method: 'POST', headers, body })
        return { side, text, status, told }
      }),
    )
    const kept = both.filter(({ status }) => status === 200)
    const lost = both.filter(({ status }) => status === 409)
    if (kept.length !== 1 || lost.length !== 1)
      failures.push(`Saves at once were answered with ${both.map(({ status }) => status).join(' and ')}.`)
    else if (readFileSync(path, 'utf8') !== kept[0]?.text)
      failures.push(`The save of ${kept[0]?.side} was said to be kept, and is not in the file.`)
    if (lost.some(({ told }) => !told.includes('"problem"'))) failures.push('Who lost is not told why.')
  }
  return { tried: rounds * 2, failures }
}

/**
 * Exports the page as one file, and returns what went wrong.
 * @param {string} folder
 * @param {string} file
 */
async function exported(folder, file) {
  const args = ['ui', '--export', file, '--cwd', `${folder}/repo`, '--home', `${folder}/home`]
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', data => (said += String(data)))
  const [code] = await once(child, 'close')
  return code === 0 && existsSync(file) ? [] : [`skills ui --export ended with ${code}: ${said}`]
}

/**
 * Checks that the exported page holds its texts as data: none ends the element that it is in.
 * @param {string} folder
 */
async function report(folder) {
  const file = `${folder}/report.html`
  // With a browser, the file has been exported and opened already.
  const failures = existsSync(file) ? [] : await exported(folder, file)
  if (failures.length > 0) return failures
  const html = readFileSync(file, 'utf8')
  const data = /<script[^>]*id="report"[^>]*>([^]*?)<\/script>/.exec(html)?.[1] ?? ''
  if (/<[!/a-z]/i.test(data)) failures.push('A text of a skill is markup in the report.')
  const told = JSON.stringify(JSON.parse(data || 'null'))
  for (const text of texts)
    if (!told.includes(JSON.stringify(text).slice(1, -1))) failures.push(`The report loses ${text}`)
  if (html.includes(canary)) failures.push('The report holds the text of a file that is not shown.')
  return failures
}

/** Returns the peak memory of a process in MiB. @param {number | undefined} pid */
function peakOf(pid) {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
}
