import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { gzipSync } from 'node:zlib'
import { tempTree } from '@skills/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { tarOf } from '../test/archives.js'
import { agreed, machine, repository, serve, skill, withoutGit, type Machine } from '../test/places.js'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { InstallOptions } from './context.js'
import { applyPlan, outdated, planAdd, planUpdate } from './index.js'
import type { AddOptions } from './plan.js'
import { ci } from './ci.js'
import { readLock } from './lock.js'
import { verify } from './verify.js'

const outside = tempTree()
afterAll(() => outside.dispose())
/** File that code makes that must not run. */
const canary = `${outside.path}/canary`

async function add(text: string, options: AddOptions, at: Machine): Promise<void> {
  const plan = agreed(await planAdd(text, options, at))
  await applyPlan(plan, { agreed: plan.digest }, at)
}

const failure = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => String(error),
  )

interface Registry {
  readonly url: string
  readonly versions: Record<string, Buffer>
  readonly tokens: (string | undefined)[]
  /** Bytes that are served instead of the published tarball. */
  swapped: Buffer | undefined
}

/** Makes an npm registry with one package on the loopback address. */
async function registry(versions: Record<string, Buffer>, needs?: string): Promise<Registry> {
  const state = { versions, tokens: [] as (string | undefined)[], swapped: undefined as Buffer | undefined, url: '' }
  state.url = await serve((request, response) => {
    state.tokens.push(request.headers.authorization)
    if (needs !== undefined && request.headers.authorization !== `Bearer ${needs}`)
      return void response.writeHead(401).end('{}')
    const path = decodeURIComponent(request.url ?? '')
    const [, version] = /^\/tools-(.*)\.tgz$/.exec(path) ?? []
    if (version !== undefined) return void response.end(state.swapped ?? state.versions[version])
    if (path !== '/tools') return void response.writeHead(404).end('{}')
    const published = Object.entries(state.versions).map(([number, bytes]) => [
      number,
      {
        name: 'tools',
        version: number,
        scripts: { preinstall: `touch ${canary}`, prepare: `touch ${canary}`, postinstall: `touch ${canary}` },
        dist: {
          tarball: `${state.url}/tools-${number}.tgz`,
          integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
        },
      },
    ])
    const latest = Object.keys(state.versions).at(-1)
    response.end(JSON.stringify({ name: 'tools', 'dist-tags': { latest }, versions: Object.fromEntries(published) }))
  })
  return state
}

function packed(body: string): Buffer {
  const scripts = { preinstall: `touch ${canary}`, install: `touch ${canary}`, prepare: `touch ${canary}` }
  return gzipSync(
    tarOf(
      { path: 'package/package.json', content: JSON.stringify({ name: 'tools', version: '1.0.0', scripts }) },
      { path: 'package/skills/deploy/SKILL.md', content: skill('deploy', body) },
    ),
  )
}

/** Makes a machine whose user's file names a registry of its own. */
async function machineWith(versions: Record<string, Buffer>, needs?: string): Promise<{ at: Machine; npm: Registry }> {
  const npm = await registry(versions, needs)
  const token = needs === undefined ? '' : `//${npm.url.slice('http://'.length)}/:_authToken=${needs}\n`
  return { npm, at: machine({ 'home/.npmrc': `registry=${npm.url}\n${token}` }) }
}

describe('a package of npm', () => {
  it('is pinned to version and integrity, updated within its range, and nothing of it runs', async () => {
    const { at, npm } = await machineWith({ '1.0.0': packed('One.'), '2.0.0': packed('Two.') })
    await add('npm:tools@^1', {}, at)
    expect(readLock(at.place.lock)['deploy']).toMatchObject({
      source: 'npm:tools@^1',
      resolved: {
        type: 'npm',
        name: 'tools',
        version: '1.0.0',
        integrity: expect.stringMatching(/^sha512-/) as string,
      },
      path: 'skills/deploy',
    })
    expect(await outdated(at)).toEqual({ skills: [], refused: [] })
    npm.versions['1.1.0'] = packed('One and more.')
    at.tree.remove('home/.cache/skills/npm')
    expect((await outdated(at)).skills).toMatchObject([
      { name: 'deploy', now: { version: '1.1.0' }, files: { changed: ['SKILL.md'] } },
    ])
    expect(readFileSync(`${at.place.folder}/deploy/SKILL.md`, 'utf8')).toBe(skill('deploy', 'One.'))
    const plan = await planUpdate(undefined, at)
    await applyPlan(plan, { agreed: plan.digest }, at)
    expect(readFileSync(`${at.place.folder}/deploy/SKILL.md`, 'utf8')).toBe(skill('deploy', 'One and more.'))
    at.tree.remove('project/.agents', 'home/.cache')
    expect(await ci({}, at)).toEqual({ repaired: ['deploy'], differences: [] })
    expect(await verify(at)).toEqual([])
    expect(existsSync(canary)).toBe(false)
  })

  it('that is served with other bytes than were published, or published anew, is refused', async () => {
    const { at, npm } = await machineWith({ '1.0.0': packed('One.') })
    npm.swapped = packed('Swapped.')
    expect(await failure(planAdd('npm:tools', {}, at))).toContain('registry gives')
    npm.swapped = undefined
    await add('npm:tools', {}, at)
    npm.versions['1.0.0'] = packed('Published anew.')
    at.tree.remove('project/.agents', 'home/.cache')
    const { differences } = await ci({}, at)
    expect(differences).toMatchObject([{ message: expect.stringContaining('from the lock') as string }])
    expect(existsSync(`${at.place.folder}/deploy`)).toBe(false)
  })

  it('is asked for with the token of the user alone, which stands in no message and no lock', async () => {
    const { at, npm } = await machineWith({ '1.0.0': packed('One.') }, 's3cret')
    const evil = await registry({ '1.0.0': packed('Evil.') })
    at.tree.write({ 'project/.npmrc': `registry=${evil.url}\n//${evil.url.slice(7)}/:_authToken=\${NPM_TOKEN}\n` })
    await add('npm:tools', {}, at)
    expect(npm.tokens).toContain('Bearer s3cret')
    expect(evil.tokens).toEqual([])
    expect(readFileSync(at.place.lock, 'utf8')).not.toContain('s3cret')
    at.tree.write({ 'home/.npmrc': `registry=${npm.url}\n//${npm.url.slice(7)}/:_authToken=wr0ng\n` })
    at.tree.remove('home/.cache')
    const said = await failure(planAdd('npm:tools', {}, at))
    expect(said).toMatch(/\bnpm .* tools:/)
    expect(said).not.toContain('wr0ng')
  })

  it('that is not there, or not in this version, is told of', async () => {
    const { at } = await machineWith({ '1.0.0': packed('One.') })
    expect(await failure(planAdd('npm:none', {}, at))).toMatch(/no package none/)
    expect(await failure(planAdd('npm:tools@^9', {}, at))).toMatch(/version of tools/)
  })
})

describe('a registry', () => {
  const sources = (): readonly string[] =>
    readdirSync(tmpdir()).filter(name => name.startsWith(`skills-source.${process.pid}-`))
  const manifestOf = (url: string, bytes: Buffer, more: object = {}): string =>
    JSON.stringify({
      name: 'tools',
      'dist-tags': { latest: '1.0.0' },
      versions: {
        '1.0.0': {
          name: 'tools',
          version: '1.0.0',
          dist: {
            tarball: `${url}/tools-1.0.0.tgz`,
            integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
          },
          ...more,
        },
      },
    })
  type Answer = (request: IncomingMessage, response: ServerResponse, url: string) => void

  /** Makes a machine whose registry answers so, and which gives up if next to nothing arrives for half a second. */
  async function served(answer: Answer, options: Partial<InstallOptions> = {}): Promise<Machine> {
    const url: string = await serve((request, response) => answer(request, response, url))
    return machine(
      { 'home/.npmrc': `registry=${url}\nfetch-retry-mintimeout=1\nfetch-retry-maxtimeout=1\n` },
      { idleMs: 500, ...options },
    )
  }
  const bytes = packed('One.')
  const isTarball = ({ url }: IncomingMessage): boolean => url?.endsWith('.tgz') === true

  it.each<[string, Answer]>([
    ['stalls', () => undefined],
    [
      'stalls with the tarball',
      (request, response, url) => void (isTarball(request) || response.end(manifestOf(url, bytes))),
    ],
    [
      'sends a byte at a time',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 10_000 })
        const timer = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(timer))
      },
    ],
    [
      'sends a tarball a byte at a time',
      (request, response, url) => {
        if (!isTarball(request)) return void response.end(manifestOf(url, bytes))
        response.writeHead(200, { 'content-length': bytes.length })
        const timer = setInterval(() => response.write(bytes.subarray(0, 1)), 50)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('that %s is given up, and leaves nothing behind', async (_title, answer) => {
    const at = await served(answer)
    await expect(planAdd('npm:tools', {}, at)).rejects.toMatchObject({
      code: 'E_INSTALL_FAILED',
      message: expect.stringContaining(' 0.5 seconds') as string,
    })
    expect(sources()).toEqual([])
  })

  it.each<[string, string, Answer]>([
    [
      'a tarball that is cut',
      'E_INSTALL_',
      (request, response, url) => {
        if (!isTarball(request)) return void response.end(manifestOf(url, bytes))
        response.writeHead(200, { 'content-length': bytes.length })
        response.write(bytes.subarray(0, 100), () => response.destroy())
      },
    ],
    [
      'half of what it knows',
      'E_INSTALL_FAILED',
      (_request, response, url) => {
        response.writeHead(200, { 'content-length': 10_000 })
        response.write(manifestOf(url, bytes).slice(0, 50), () => response.destroy())
      },
    ],
    ['no JSON', 'E_INSTALL_FAILED', (_request, response) => void response.end('<html>')],
    ['429 and nothing else', 'E_INSTALL_FAILED', (_request, response) => void response.writeHead(429).end()],
    [
      'another package',
      'E_INSTALL_DIFFERS',
      (_request, response, url) => void response.end(manifestOf(url, bytes, { name: 'evil' })),
    ],
    [
      'another version',
      'E_INSTALL_DIFFERS',
      (_request, response, url) => void response.end(manifestOf(url, bytes, { version: '0.1.0' })),
    ],
    [
      'no digest',
      'E_INSTALL_FAILED',
      (_request, response, url) => void response.end(manifestOf(url, bytes, { dist: { tarball: `${url}/x.tgz` } })),
    ],
  ])('that gives %s has it said by code %s, and leaves nothing behind', async (_title, code, answer) => {
    const at = await served(answer)
    await expect(planAdd('npm:tools@^1', {}, at)).rejects.toMatchObject({
      code: expect.stringContaining(code) as string,
    })
    expect(sources()).toEqual([])
  })

  it.each([429, 500, 503])('that answers %i once is asked again', async status => {
    let asked = 0
    const at = await served((request, response, url) => {
      if (asked++ === 0 || asked === 3) return void response.writeHead(status).end()
      return void response.end(isTarball(request) ? bytes : manifestOf(url, bytes))
    })
    await add('npm:tools', {}, at)
    expect(await verify(at)).toEqual([])
    expect(asked).toBe(4)
  })

  it.each(['a request', 'a pause before it asks again', 'a tarball'])('is left in the middle of %s', async where => {
    const controller = new AbortController()
    const at = await served(
      (request, response, url) => {
        if (where.startsWith('a tarball') && !isTarball(request)) return void response.end(manifestOf(url, bytes))
        if (where.startsWith('a pause')) response.writeHead(503).end()
        setImmediate(() => controller.abort())
      },
      { signal: controller.signal, idleMs: 60_000 },
    )
    at.tree.write({
      'home/.npmrc': readFileSync(`${at.tree.path}/home/.npmrc`, 'utf8').replaceAll('timeout=1', 'timeout=9000'),
    })
    await expect(planAdd('npm:tools', {}, at)).rejects.toMatchObject({ name: 'AbortError' })
    expect(sources()).toEqual([])
  })

  it('that redirects to another port or host has its token kept from there', async () => {
    const heard: (string | undefined)[] = []
    const other: string = await serve((request, response) => {
      heard.push(request.headers.authorization)
      response.end(isTarball(request) ? bytes : manifestOf(other, bytes))
    })
    const own: (string | undefined)[] = []
    const at = await served((request, response) => {
      own.push(request.headers.authorization)
      response.writeHead(302, { location: `${other}${request.url ?? ''}` }).end()
    })
    const file = `${at.tree.path}/home/.npmrc`
    const [, host = ''] = /registry=http:(\S+)/.exec(readFileSync(file, 'utf8')) ?? []
    at.tree.write({
      'home/.npmrc': `${readFileSync(file, 'utf8')}${host}/:_authToken=s3cret\n@other:registry=${other}\n${other.slice(5)}/:_authToken=0ther\n`,
    })
    await add('npm:tools', {}, at)
    expect(own).toEqual(['Bearer s3cret'])
    expect(heard).toEqual([undefined, 'Bearer 0ther'])
  })
})

describe('a site with an index', () => {
  it('gives files and archives, each as its digest says', async () => {
    const digest = (bytes: string | Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    const archive = gzipSync(tarOf({ path: 'SKILL.md', content: skill('packed') }, { path: 'a.md', content: 'a' }))
    let plain = skill('plain')
    const index = JSON.stringify({
      $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
      skills: [
        { name: 'plain', type: 'skill-md', description: 'x', url: '/plain.md', digest: digest(plain) },
        { name: 'packed', type: 'archive', description: 'x', url: '/packed.tgz', digest: digest(archive) },
      ],
    })
    const url = await serve((request, response) => {
      if (request.url === '/.well-known/agent-skills/index.json') return void response.end(index)
      if (request.url === '/plain.md') return void response.end(plain)
      return void (request.url === '/packed.tgz' ? response.end(archive) : response.writeHead(404).end())
    })
    const at = machine()
    await add(url, { all: true }, at)
    expect(readLock(at.place.lock)).toMatchObject({
      packed: {
        source: url,
        resolved: { type: 'site', url },
        path: 'packed',
        files: { 'a.md': expect.any(String) as string },
      },
      plain: { path: 'plain' },
    })
    plain = skill('plain', 'Swapped.')
    at.tree.remove('project/.agents', 'home/.cache')
    const { repaired, differences } = await ci({}, at)
    expect([repaired, differences.map(({ skill: name }) => name)]).toEqual([[], ['plain']])
  })
})

describe('a plugin of a marketplace', () => {
  const market = {
    'market/.claude-plugin/marketplace.json': JSON.stringify({
      name: 'm',
      plugins: [
        { name: 'inner', source: './plugins/inner' },
        { name: 'up', source: '../outside' },
        { name: 'ext', source: { source: 'url', url: `ext::sh -c touch% ${canary}` } },
      ],
    }),
    'market/plugins/inner/skills/deploy/SKILL.md': skill('deploy'),
    'outside/skills/x/SKILL.md': skill('x'),
  }

  it('is found in its tree, and nowhere outside of it', async () => {
    const at = machine(market)
    await add('plugin:inner@../market', {}, at)
    expect(readLock(at.place.lock)['deploy']).toMatchObject({ source: 'plugin:inner@../market', path: 'skills/deploy' })
    at.tree.remove('project/.agents', 'home/.cache')
    expect(await ci({}, at)).toEqual({ repaired: ['deploy'], differences: [] })
    expect(await failure(planAdd('plugin:up@../market', {}, at))).toMatch(/not understood/)
    expect(await failure(planAdd('plugin:ext@../market', {}, at))).toMatch(/not understood/)
    expect(await failure(planAdd('plugin:none@../market', {}, at))).toMatch(/"none".*inner, up, ext/)
    expect(existsSync(canary)).toBe(false)
  })

  it('has the skills that its manifest or its marketplace lists, and no others of the repository', async () => {
    const at = machine({
      'market/.claude-plugin/marketplace.json': JSON.stringify({
        name: 'm',
        metadata: { pluginRoot: './plugins' },
        plugins: [
          { name: 'docs', source: './', strict: false, skills: ['./skills/pdf', './skills/docx'] },
          { name: 'tools', source: 'tools', skills: './more' },
          { name: 'usual', source: './plugins/usual' },
        ],
      }),
      'market/SKILL.md': skill('market'),
      'market/skills/pdf/SKILL.md': skill('pdf'),
      'market/skills/docx/SKILL.md': skill('docx'),
      'market/skills/draft/SKILL.md': skill('draft'),
      'market/.claude/skills/release/SKILL.md': skill('release'),
      'market/tests/fixtures/x/SKILL.md': skill('x'),
      'market/plugins/tools/.claude-plugin/plugin.json': '{"name": "tools", "skills": ["./own"]}',
      'market/plugins/tools/own/a/SKILL.md': skill('a'),
      'market/plugins/tools/more/b/SKILL.md': skill('b'),
      'market/plugins/tools/skills/c/SKILL.md': skill('c'),
      'market/plugins/tools/examples/d/SKILL.md': skill('d'),
      'market/plugins/usual/skills/e/SKILL.md': skill('e'),
      'market/plugins/usual/test/f/SKILL.md': skill('f'),
    })
    for (const [name, skills] of [
      ['docs', ['docx', 'pdf']],
      ['tools', ['a', 'b', 'c']],
      ['usual', ['e']],
    ] as const) {
      const plan = agreed(await planAdd(`plugin:${name}@../market`, { all: true }, at))
      plan.discard()
      expect([name, plan.skills.map(one => one.name)]).toEqual([name, skills])
    }
    const draft = planAdd('plugin:docs@../market', { skills: ['draft'] }, at)
    await expect(draft).rejects.toMatchObject({ code: 'E_INSTALL_NOT_FOUND' })
  })

  it('that lists no skill is refused, also where others lie beside it', async () => {
    const plugins = [{ name: 'hooks', source: './', strict: false, skills: [], commands: './commands' }]
    const at = machine({
      'market/.claude-plugin/marketplace.json': JSON.stringify({ name: 'm', plugins }),
      'market/commands/c.md': 'c',
      'market/tests/x/SKILL.md': skill('x'),
    })
    const adding = planAdd('plugin:hooks@../market', { all: true }, at)
    await expect(adding).rejects.toMatchObject({ code: 'E_INSTALL_NOT_FOUND', hint: 'Name another plugin.' })
  })

  it.skipIf(withoutGit !== undefined)('is followed to a repository of its own', async () => {
    const at = machine()
    const path = repository(at.tree, 'server/tools.git', { 'plugins/far/skills/far/SKILL.md': skill('far') })
    const plugins = [
      { name: 'far', source: { source: 'git-subdir', url: `file://${path}`, path: 'plugins/far', ref: 'main' } },
    ]
    at.tree.write({ 'market/.claude-plugin/marketplace.json': JSON.stringify({ name: 'm', plugins }) })
    await add('plugin:far@../market', {}, at)
    expect(readLock(at.place.lock)['far']).toMatchObject({ resolved: { type: 'git', url: `file://${path}` } })
    expect(await verify(at)).toEqual([])
  })
})
