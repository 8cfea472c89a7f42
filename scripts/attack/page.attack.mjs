// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Random } from './random.mjs'

const program = fileURLToPath(import.meta.resolve('@skills/cli/dist/skills.cjs'))
/** Stands in every file that is not shown. */
const canary = 'canary-7f31'
/** What a body is cut off at, and MiB that all of the attack may cost the server. */
const tooLarge = 5 * 1024 * 1024
const mostMiB = 300

/** Texts of a skill that would be markup, a script, a link that runs, or the end of the report's data. */
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
    'the page of skills ui is asked without its token, by other sites, for files that it does not show, and to save ' +
    'over a file that changed; skills hold markup: nothing is read, written or run that its person did not ask for',
  counts: { short: 400, long: 20_000 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    /** @type {string[]} */
    const failures = []
    prepare(folder)
    const { child, url } = await start(folder)
    const { origin, searchParams } = new URL(url)
    let tried = 0
    try {
      /** @param {string} what @param {Asked} asked @param {readonly number[]} expected */
      const expects = async (what, asked, expected) => {
        tried += 1
        const { status, body } = await ask(origin, asked)
        if (!expected.includes(status))
          failures.push(`${what} was answered with ${status}, not ${expected.join(' or ')}`)
        if (body.includes(canary)) failures.push(`${what} got the text of a file that is not shown`)
      }
      const token = searchParams.get('token') ?? ''
      for (const [what, asked, expected] of strangers(origin, token)) await expects(what, asked, expected)
      const { headers } = await ask(origin, { path: `/?token=${token}` })
      const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
      await expects('the token a second time', { path: `/?token=${token}` }, [401])
      await expects(
        'a token beside a false cookie',
        { path: `/?token=${token}`, headers: { cookie: `${cookie}x` } },
        [401],
      )
      for (const [what, asked, expected] of strangers(origin, cookie)) {
        const own = { ...asked, headers: { cookie, ...asked.headers } }
        if (expected[0] === 403) await expects(`${what}, with the cookie`, own, expected)
      }
      const own = { headers: { cookie, 'content-type': 'application/json' } }
      for (let at = 0; at < count; at++) {
        const path = pathOf(random, folder)
        const asked = encodeURIComponent(JSON.stringify({ path }))
        await expects(`file ${path}`, { ...own, path: `/api/file?asked=${asked}` }, [400])
        const body = JSON.stringify({ path, text: 'overwritten', version: 'x' })
        await expects(`save ${path}`, { ...own, method: 'POST', path: '/api/save', body }, [400])
        // Nothing at all is the page itself.
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
      failures.push(...(await manyConnections(origin, cookie)))
      tried += 2
      await expects('a question after all', { ...own, path: '/api/skills' }, [200])
      const { headers: got, body } = await ask(origin, { ...own, path: '/api/skills' })
      if (!String(got['content-type']).startsWith('application/json') || got['x-content-type-options'] !== 'nosniff')
        failures.push('An answer with texts of skills may be taken for a page.')
      // A description is one line: separators of lines are spaces in it.
      for (const text of texts.map(one => one.replace(/[\u2028\u2029]/g, ' ').trim()))
        if (!body.includes(JSON.stringify(text).slice(1, -1))) failures.push(`${text} is not told as it is`)
    } finally {
      const peak = child.exitCode === null ? peakOf(child.pid) : NaN
      if (!(peak < mostMiB)) failures.push(`The server took ${peak} MiB, or ended.`)
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
    }
    tried += texts.length
    failures.push(...(await report(folder)))
    return { tried, failures }
  },
}

/** @typedef {{ path: string, method?: string, headers?: Record<string, string>, body?: string }} Asked */

/** Where no answer may hold the canary, and nothing is written. @param {string} folder */
const outside = folder => [`${folder}/repo/secret.md`, `${folder}/home/.secret`, `${folder}/beside/SKILL.md`]

/** @param {string} folder */
function prepare(folder) {
  const skills = `${folder}/repo/.claude/skills`
  for (const one of ['home', 'repo/.git', 'beside', 'repo/.claude/skills/own'])
    mkdirSync(`${folder}/${one}`, { recursive: true })
  for (const file of outside(folder)) writeFileSync(file, canary)
  writeFileSync(`${skills}/own/SKILL.md`, '---\nname: own\ndescription: Is shown.\n---\nOwn.\n')
  writeFileSync(`${skills}/own/notes.txt`, 'Beside it.')
  symlinkSync(`${folder}/repo/secret.md`, `${skills}/own/link.md`)
  symlinkSync(`${folder}/beside`, `${skills}/away`)
  texts.forEach((text, at) => {
    mkdirSync(`${skills}/text-${at}`)
    writeFileSync(
      `${skills}/text-${at}/SKILL.md`,
      `---\nname: text-${at}\ndescription: ${JSON.stringify(text)}\n---\n${text}\n`,
    )
  })
}

/** @param {string} folder */
async function start(folder) {
  const args = ['ui', '--cwd', `${folder}/repo`, '--home', `${folder}/home`]
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  for await (const data of child.stderr) {
    said += String(data)
    const url = /http:\S+token=[\w-]+/.exec(said)?.[0]
    if (url === undefined) continue
    return { child, url }
  }
  throw new Error(`skills ui ended: ${said}`)
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
    // A server that has said no may close while more is sent: 0 is no answer at all.
    sent.on('error', error => ('code' in error ? resolve({ status: 0, headers: {}, body: '' }) : reject(error)))
    sent.setTimeout(10_000, () => sent.destroy(new Error(`${path} got no answer in 10 s`)))
    sent.end(body)
  })
}

/**
 * Those who have no token or another, and those who come by another name or from another site.
 * @param {string} origin
 * @param {string} secret
 * @returns {readonly (readonly [string, Asked, readonly number[]])[]}
 */
function strangers(origin, secret) {
  const { port } = new URL(origin)
  const paths = ['/', '/api/skills', '/api/events', '/api/file?asked={}', '/index.html']
  const tokens = ['', 'x', `${secret}x`, secret.slice(1), secret.toUpperCase(), `${secret}%00`]
  const hosts = [
    'evil.example',
    `127.0.0.1.evil.example:${port}`,
    `localhost.evil.example:${port}`,
    '127.0.0.1',
    `0.0.0.0:${port}`,
  ]
  const origins = ['null', 'http://evil.example', `https://127.0.0.1:${port}`, 'http://127.0.0.1:1', 'file://']
  const path = `/?token=${secret}`
  return [
    ...paths.map(one => /** @type {const} */ ([`${one} without a token`, { path: one }, [401]])),
    ...tokens.map(one => /** @type {const} */ ([`the token ${one}`, { path: `/?token=${one}` }, [401]])),
    ...['/api/skills', '/api/save'].map(
      one => /** @type {const} */ ([`${one} with the token`, { path: `${one}?token=${secret}` }, [401]]),
    ),
    ...hosts.map(host => /** @type {const} */ ([`the host ${host}`, { path, headers: { host } }, [403]])),
    ...origins.map(from => /** @type {const} */ ([`the origin ${from}`, { path, headers: { origin: from } }, [403]])),
    ...['cross-site', 'same-site'].map(
      site =>
        /** @type {const} */ ([
          site,
          { path, headers: { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' } },
          [403],
        ]),
    ),
  ]
}

/** A path to a file that is not shown, in one of many spellings. @param {Random} random @param {string} folder */
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
 * Questions that are none, too large, or asked with another method or type.
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
 * A form of another site cannot send JSON; and what was saved by another meanwhile stays.
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

/** Connections that say nothing, half of a request, or listen: others are answered. @param {string} origin @param {string} cookie */
async function manyConnections(origin, cookie) {
  const { hostname, port } = new URL(origin)
  const listening = `GET /api/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookie}\r\n\r\n`
  const sockets = Array.from({ length: 300 }, (_, at) => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    const said = [undefined, 'GET / HT', listening][at % 3]
    if (said !== undefined) socket.write(said)
    return socket
  })
  await Promise.all(sockets.map(socket => (socket.connecting ? once(socket, 'connect') : undefined)))
  const { status } = await ask(origin, { path: '/api/about', headers: { cookie } })
  for (const socket of sockets) socket.destroy()
  return status === 200 ? [] : [`Among 300 other connections a question was answered with ${status}.`]
}

/** The exported page holds its texts as data: none ends the element that it stands in. @param {string} folder */
async function report(folder) {
  const file = `${folder}/report.html`
  const args = ['ui', '--export', file, '--cwd', `${folder}/repo`, '--home', `${folder}/home`]
  const [code] = await once(spawn(process.execPath, [program, ...args], { stdio: 'ignore' }), 'close')
  if (code !== 0 || !existsSync(file)) return [`skills ui --export ended with ${code}`]
  const html = readFileSync(file, 'utf8')
  const data = /<script[^>]*id="report"[^>]*>([^]*?)<\/script>/.exec(html)?.[1] ?? ''
  const failures = []
  if (/<[!/a-z]/i.test(data)) failures.push('A text of a skill is markup in the report.')
  const told = JSON.stringify(JSON.parse(data || 'null'))
  for (const text of texts)
    if (!told.includes(JSON.stringify(text).slice(1, -1))) failures.push(`The report loses ${text}`)
  if (html.includes(canary)) failures.push('The report holds the text of a file that is not shown.')
  return failures
}

/** MiB, the most there was. @param {number | undefined} pid */
function peakOf(pid) {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
}
