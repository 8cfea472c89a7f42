// @ts-check
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandRowsOf } from '../commands.mjs'
import { Random } from './random.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cli = path.join(root, 'packages/cli/dist/skills.cjs')
/**
 * Files into which the user, or the author of the project, wrote secrets. The secrets stay in them, and appear nowhere
 * else.
 */
const doors = [
  'home/.npmrc',
  'home/.gitconfig',
  'home/.claude/settings.json',
  'work/.mcp.json',
  'work/.claude/settings.json',
  'tainted/skills.json',
  'tainted/skills.lock.json',
  'wanted/skills.json',
]
/** Commands that run until they are ended. */
const lasting = ['watch', 'mcp', 'ui', 'worker']
const lastingMs = 2500
const longestMs = 40_000

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'secrets',
  title:
    'secrets in URLs, variables, headers, settings, .npmrc and git are given to every command, and servers repeat them: ' +
    'none is in what it prints, or in a file that it writes, in any form',
  counts: { short: 100, long: 1000 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    /** @type {string[]} */
    const failures = []
    let tried = 0
    const server = await echoServer()
    try {
      for (let round = 0; tried < count; round++) {
        const at = `${folder}/${round}`
        const secrets = secretsFor(random)
        const cases = await casesOf(secrets, server.url, round)
        prepare(at, secrets, server.url)
        const queue = [...cases]
        const worker = async () => {
          for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
            const output = await run(at, one, secrets)
            for (const found of leaksIn(output, secrets))
              failures.push(
                `skills ${one.args.join(' ')} (in ${one.cwd}) prints ${found} (round ${round}, --seed ${seed})`,
              )
            tried += 1
            progress(Math.min(tried, count))
          }
        }
        await Promise.all([worker(), worker(), worker()])
        for (const file of filesBelow(at)) {
          if (doors.includes(file)) continue
          for (const found of leaksIn(readFileSync(`${at}/${file}`), secrets))
            failures.push(`${file} holds ${found} (round ${round}, --seed ${seed})`)
        }
      }
    } finally {
      server.close()
    }
    return { tried, failures, figures: { requests: server.count() } }
  },
}

/** @typedef {{ readonly args: readonly string[], readonly cwd: string }} Case */
/** @typedef {Readonly<Record<string, string>>} Secrets by the door that each is given by */

/** @param {Random} random @returns {Secrets} */
function secretsFor(random) {
  const names = [
    'user',
    'query',
    'unknown',
    'fragment',
    'signed',
    'npm',
    'npmVariable',
    'git',
    'github',
    'model',
    'openai',
  ]
  const more = [
    'anthropic',
    'mcpHeader',
    'mcpEnv',
    'mcpUrl',
    'settingsEnv',
    'hookEnv',
    'queue',
    'locked',
    'marketplace',
  ]
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  const text = () => `Z9${Array.from({ length: 22 }, () => letters[random.below(letters.length)]).join('')}`
  return Object.fromEntries([...names, ...more].map(name => [name, text()]))
}

/**
 * Returns a case for every command, and for what a user does with sources, models and queues. Each round asks for JSON
 * where the round before did not.
 * @param {Secrets} secrets @param {string} url @param {number} round @returns {Promise<Case[]>}
 */
async function casesOf(secrets, url, round) {
  const host = url.slice('http://'.length)
  /** @type {Case[]} */
  const cases = []
  const isTurn = (/** @type {number} */ at) => (at + round) % 2 === 0
  for (const { name, args, options } of await commandRowsOf()) {
    const words = name.split(' ')
    const fills = args.includes('SOURCE') ? [] : args === '' ? [[]] : [['deploy'], ['absent']]
    for (const fill of fills) {
      const end = name === 'eval' ? ['--replay'] : name === 'new' ? ['--description', 'x'] : []
      const isJson = options.includes('--json') && isTurn(cases.length)
      cases.push({ args: [...words, ...fill, ...end, isJson ? '--json' : '--debug'], cwd: 'work' })
    }
  }
  const sources = [
    `http://ann:${secrets['user']}@${host}/x.zip`,
    `http://${secrets['user']}@${host}/x.zip`,
    `git+http://ann:${secrets['user']}@${host}/x.git`,
    `http://ann:${secrets['user']}/${secrets['user']}@${host}/x.zip`,
    `ssh://git:${secrets['user']}@127.0.0.1:1/x.git`,
    `${url}/x.zip?private_token=${secrets['query']}`,
    `${url}/x.zip?page=${secrets['unknown']}`,
    `${url}/x.zip?${secrets['unknown']}`,
    `${url}/x.zip?X-Amz-Date=1&X-Amz-Signature=${secrets['signed']}`,
    `${url}/x.git?sig=${secrets['signed']}`,
    `${url}/?token=${secrets['query']}`,
    `${url}#access_token=${secrets['fragment']}`,
    `plugin:x@${url}/m.git?token=${secrets['marketplace']}`,
    `plugin:x@http://ann:${secrets['marketplace']}@${host}/m.git`,
    `${url}/redirect-secret/x.zip`,
    `git+${url}/redirect-secret/x.git`,
    `git+${url}/echo.git`,
    `${url}/echo`,
    'npm:tools',
    'npm:@acme/tools',
  ]
  for (const source of sources)
    cases.push({ args: ['add', source, '--yes', isTurn(cases.length) ? '--json' : '--debug'], cwd: 'work' })
  for (const name of ['update', 'outdated', 'ci', 'verify', 'sync', 'why', 'remove'])
    for (const cwd of ['tainted', 'wanted'])
      cases.push({
        args: [
          name,
          ...(name === 'why' || name === 'remove' ? ['deploy'] : []),
          isTurn(cases.length) ? '--json' : '--debug',
        ],
        cwd,
      })
  const model = ['eval', '--level', 'trigger', '--record', '--debug']
  cases.push(
    { args: [...model, '--model', 'x', '--base-url', `${url}/v1`], cwd: 'work' },
    { args: [...model, '--model', 'x', '--base-url', `http://ann:${secrets['user']}@${host}/v1`], cwd: 'work' },
    { args: ['worker', '--queue', `redis://ann:${secrets['queue']}@127.0.0.1:1`, '--debug'], cwd: 'work' },
    { args: ['worker', '--queue', `postgres://ann:${secrets['queue']}@127.0.0.1:1/x`, '--debug'], cwd: 'work' },
    { args: ['runs', '--queue', `redis://ann:${secrets['queue']}@127.0.0.1:1`, '--debug'], cwd: 'work' },
    { args: ['runs', '--queue', `postgres://ann:${secrets['queue']}@127.0.0.1:1/x`, '--json'], cwd: 'work' },
    { args: ['trust', '--yes', '--debug'], cwd: 'work' },
    { args: ['list', '--marketplace', `http://ann:${secrets['marketplace']}@${host}/m`, '--debug'], cwd: 'work' },
    { args: ['run', 'deploy', '--yes', '--debug'], cwd: 'work' },
    { args: ['render', 'deploy', '--yes', '--json'], cwd: 'work' },
  )
  return cases
}

/** @param {string} at @param {Secrets} secrets @param {string} url */
function prepare(at, secrets, url) {
  /** @type {(file: string, text: string | object) => void} */
  const write = (file, text) => {
    mkdirSync(path.dirname(`${at}/${file}`), { recursive: true, mode: 0o700 })
    writeFileSync(`${at}/${file}`, typeof text === 'string' ? text : JSON.stringify(text))
  }
  const host = url.slice('http:'.length)
  for (const project of ['work', 'tainted', 'wanted']) write(`${project}/.git/HEAD`, 'ref: refs/heads/main\n')
  mkdirSync(`${at}/tmp`, { recursive: true, mode: 0o700 })
  write(
    'home/.npmrc',
    `registry=${url}/npm\n${host}/npm/:_authToken=${secrets['npm']}\n@acme:registry=${url}/acme\n${host}/acme/:_authToken=\${NPM_TOKEN}\nfetch-retries=0\n`,
  )
  write('home/.gitconfig', `[http "${url}/"]\n\textraHeader = PRIVATE-TOKEN: ${secrets['git']}\n`)
  const settings = (/** @type {string | undefined} */ value) => ({
    env: { DEPLOY_TOKEN: value },
    permissions: { allow: ['Bash(echo:*)'] },
  })
  write('home/.claude/settings.json', settings(secrets['settingsEnv']))
  write('work/.claude/settings.json', settings(secrets['hookEnv']))
  write('work/.mcp.json', {
    mcpServers: {
      remote: {
        type: 'http',
        url: `${url}/mcp?token=${secrets['mcpUrl']}`,
        headers: { Authorization: `Bearer ${secrets['mcpHeader']}` },
      },
      local: { command: 'no-such-program', args: [], env: { API_KEY: secrets['mcpEnv'] } },
    },
  })
  write('work/.claude/skills/deploy/SKILL.md', '---\nname: deploy\ndescription: Deploys.\n---\n!`echo $PWD`\nDone.\n')
  write('work/.claude/skills/deploy/evals/evals.json', {
    skill_name: 'deploy',
    evals: [{ id: 1, prompt: 'deploy it', expected_output: 'x' }],
  })
  const source = `${url}/x.zip?private_token=${secrets['locked']}`
  write('tainted/skills.json', { skills: { deploy: { source } } })
  write('wanted/skills.json', { skills: { deploy: { source } } })
  write('tainted/skills.lock.json', lockOf(source))
  write('wanted/skills.lock.json', lockOf(`${url}/x.zip`))
}

/** @param {string} at a URL of an archive */
function lockOf(at) {
  return {
    version: 1,
    skills: {
      deploy: {
        source: at,
        resolved: { type: 'archive', at, digest: `sha256:${'0'.repeat(64)}` },
        path: '',
        digest: 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        agents: {},
        files: {},
      },
    },
  }
}

/** @param {string} at @param {Case} one @param {Secrets} secrets @returns {Promise<Buffer>} */
function run(at, { args, cwd }, secrets) {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: `${at}/${cwd}`,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: `${at}/home`,
      TMPDIR: `${at}/tmp`,
      NPM_TOKEN: secrets['npmVariable'],
      GITHUB_TOKEN: secrets['github'],
      SKILLS_MODEL_KEY: secrets['model'],
      OPENAI_API_KEY: secrets['openai'],
      ANTHROPIC_API_KEY: secrets['anthropic'],
    },
  })
  /** @type {Buffer[]} */
  const pieces = []
  child.stdout.on('data', piece => pieces.push(piece))
  child.stderr.on('data', piece => pieces.push(piece))
  const timer = setTimeout(() => child.kill('SIGTERM'), lasting.includes(args[0] ?? '') ? lastingMs : longestMs)
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(pieces))
    })
  })
}

/** @param {Buffer} bytes @param {Secrets} secrets @returns {string[]} */
function leaksIn(bytes, secrets) {
  const text = bytes.toString('latin1')
  return Object.entries(secrets).flatMap(([door, secret]) => {
    const form = formsOf(secret).find(([, value]) => text.includes(value))
    return form === undefined ? [] : [`the secret of "${door}" ${form[0]}`]
  })
}

/** @param {string} secret @returns {[name: string, value: string][]} */
function formsOf(secret) {
  // Base64 of the secret differs with its offset in a group of three bytes. The ends, which depend on the neighbouring
  // bytes, are left out.
  /** @type {[string, string][]} */
  const encoded = [0, 1, 2].map(shift => [
    'in base64',
    Buffer.from(`${'x'.repeat(shift)}${secret}`)
      .toString('base64')
      .slice(4, 24),
  ])
  return [['as it is', secret], ['in hexadecimal', Buffer.from(secret).toString('hex')], ...encoded]
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

/** Starts a server that refuses everything, and repeats the request in its answer. */
async function echoServer() {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    const said = `refused: ${request.url} ${JSON.stringify(request.headers)}`
    if (request.url?.includes('redirect-secret'))
      return void response.writeHead(302, { location: `http://ann:${'hidden'}@127.0.0.1:1/x?token=hidden` }).end()
    const isGit = request.url?.includes('.git/') === true
    const json = JSON.stringify({ error: { message: said, type: 'invalid_request_error' }, message: said })
    response.writeHead(isGit ? 403 : 401, { 'content-type': isGit ? 'text/plain' : 'application/json' })
    return void response.end(isGit ? said : json)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => requests,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
