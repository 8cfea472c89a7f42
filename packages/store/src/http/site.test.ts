import { readFileSync } from 'node:fs'
import { MemoryStore } from '../memory-store.js'
import { tempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { digestOf, indexOf, makeSite, type Answer, type Site } from '../../test/make-site.js'
import { isPrivate, publicLookup } from './addresses.js'
import { download, httpStore, type HttpStoreOptions } from '../http.js'
import type { HttpStore } from './http-store.js'

const call = { signal: new AbortController().signal, maxBytes: 1_000_000 }
const schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const discovery = '/.well-known/agent-skills/'

async function siteOf(files: Readonly<Record<string, Answer>> = {}): Promise<Site> {
  const site = await makeSite(files)
  onTestFinished(() => site.close())
  return site
}

function storeOf(site: Pick<Site, 'origin'>, { url = '', ...options }: Partial<HttpStoreOptions> = {}): HttpStore {
  const store = httpStore({ root: 'site:', ...options, url: `${site.origin}${url}` })
  onTestFinished(() => store.close())
  return store
}

async function text(store: HttpStore, path: string, maxBytes = 1_000_000): Promise<string | undefined> {
  const found = await store.read(`site:/${path}`, { ...call, maxBytes })
  return found?.found === 'file' ? found.bytes.toString('utf8', 0, found.length) : found?.found
}

/** Returns an index of version 0.2. */
const skillsIndex = (...skills: readonly Readonly<Record<string, unknown>>[]): string =>
  JSON.stringify({ $schema: schema, skills })
const skill = (
  content: string,
  changes: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> => ({
  name: 'deploy',
  type: 'skill-md',
  description: 'Ship it.',
  url: 'deploy/SKILL.md',
  digest: digestOf(content),
  ...changes,
})
/** Opens an "archive" that is a JSON object of its files. */
const archive = (bytes: Uint8Array, root: string): MemoryStore =>
  new MemoryStore(JSON.parse(Buffer.from(bytes).toString()) as Record<string, string>, { root })

describe('an index', () => {
  it('of version 0.2 has files and archives', async () => {
    const packed = JSON.stringify({ 'SKILL.md': 'Packed.', 'scripts/run.sh': 'echo', 'link.md': { link: 'SKILL.md' } })
    const site = await siteOf({
      [`${discovery}index.json`]: skillsIndex(skill('Text.'), {
        name: 'packed',
        type: 'archive',
        description: 'x',
        url: '/archives/packed.tgz',
        digest: digestOf(packed),
      }),
      [`${discovery}deploy/SKILL.md`]: 'Text.',
      '/archives/packed.tgz': packed,
    })
    const store = storeOf(site, { url: '/', archive })
    expect((await store.list('site:', call))?.folders).toEqual(['deploy', 'packed'])
    expect(
      await Promise.all(
        ['deploy/SKILL.md', 'packed/SKILL.md', 'packed/scripts/run.sh', 'packed/link.md'].map(path =>
          text(store, path),
        ),
      ),
    ).toEqual(['Text.', 'Packed.', 'echo', 'Packed.'])
    await store.changes(undefined, call)
    expect(site.asked.filter(({ path }) => path === '/archives/packed.tgz')).toHaveLength(1)
  })
  it('of version 0.1 has files without digests, and that of the first drafts of 0.2 with them', async () => {
    const site = await siteOf({
      '/.well-known/skills/index.json': JSON.stringify({
        skills: [
          { name: 'deploy', description: 'x', files: ['SKILL.md', 'a/b c.md'] },
          { name: 'review', files: [{ path: 'SKILL.md', digest: digestOf('Review.') }] },
        ],
      }),
      '/.well-known/skills/deploy/SKILL.md': 'Text.',
      '/.well-known/skills/deploy/a/b c.md': 'Beside.',
      '/.well-known/skills/review/SKILL.md': 'Changed.',
    })
    const store = storeOf(site)
    expect([await text(store, 'deploy/SKILL.md'), await text(store, 'deploy/a/b c.md')]).toEqual(['Text.', 'Beside.'])
    await expect(text(store, 'review/SKILL.md')).rejects.toMatchObject({
      code: 'E_HTTP_DIGEST',
      message: expect.stringContaining('review/SKILL.md at '),
    })
  })
  it.each([
    ['no JSON', 'text'],
    ['null', 'null'],
    ['an array', '[]'],
    ['empty', '{}'],
    ['of an unknown schema', JSON.stringify({ $schema: 'https://acme.example/3', skills: [] })],
    ['without a schema', JSON.stringify({ skills: [skill('x')] })],
    ['with a skill of no name', skillsIndex(skill('x', { name: '../a' }))],
    ['with a name of two parts', skillsIndex(skill('x', { name: 'a/b' }))],
    ['with a skill twice', skillsIndex(skill('x'), skill('y'))],
    ['without a digest', skillsIndex(skill('x', { digest: undefined }))],
    ['with a digest of another kind', skillsIndex(skill('x', { digest: 'sha1:00' }))],
    ['without a URL', skillsIndex(skill('x', { url: 'http://[' }))],
    ['with a path that leads out', JSON.stringify({ skills: [{ name: 'a', files: ['../../x'] }] })],
    ['with an absolute path', JSON.stringify({ files: [{ path: '/etc/passwd', size: 1, digest: digestOf('x') }] })],
    ['with a backslash', JSON.stringify({ files: [{ path: 'a\\b', size: 1, digest: digestOf('x') }] })],
    ['without a size', JSON.stringify({ files: [{ path: 'a', digest: digestOf('x') }] })],
    ['of what is no file', JSON.stringify({ files: [1] })],
  ])('that is %s is refused', async (_how, content) => {
    const site = await siteOf({ '/index.json': content })
    await expect(storeOf(site, { url: '/index.json' }).list('site:', call)).rejects.toMatchObject({
      code: 'E_HTTP_INDEX',
      message: expect.stringContaining('/index.json '),
    })
  })
  it('that is too large, or has too many files, is refused', async () => {
    const site = await siteOf({
      '/index.json': indexOf(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}/SKILL.md`, 'x']))),
    })
    for (const options of [{ maxFiles: 20 }, { maxIndexBytes: 1000 }])
      await expect(storeOf(site, { url: '/index.json', ...options }).list('site:', call)).rejects.toMatchObject({
        code: 'E_HTTP_LIMIT',
      })
  })
  it('that is not there has nothing in it', async () => {
    expect(await storeOf(await siteOf(), { url: '/' }).list('site:', call)).toBeUndefined()
  })
  it('is asked for by its entity tag, and what has not changed is not read again', async () => {
    const site = await siteOf({ '/index.json': indexOf({ 'a/SKILL.md': 'First.' }), '/a/SKILL.md': 'First.' })
    const store = storeOf(site, { url: '/index.json' })
    const { version } = await store.changes(undefined, call)
    expect(await store.changes(version, call)).toEqual({ version, paths: [] })
    expect(site.asked.map(({ path, headers }) => [path, headers['if-none-match'] !== undefined])).toEqual([
      ['/index.json', false],
      ['/index.json', true],
    ])
    site.files.set('/index.json', indexOf({ 'a/SKILL.md': 'Other.' }))
    expect(await store.changes(version, call)).toMatchObject({ paths: ['site:/a/SKILL.md'] })
  })
})

describe('a skill is refused by itself', () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>, string, Partial<HttpStoreOptions>]>([
    ['of an unknown type', { type: 'bundle' }, 'E_HTTP_INDEX', {}],
    ['that is an archive, where nothing opens one', { type: 'archive' }, 'E_HTTP_ARCHIVE', {}],
    [
      'that is another archive than the index says',
      { type: 'archive', digest: digestOf('z') },
      'E_HTTP_DIGEST',
      { archive },
    ],
    ['that is an archive too large', { type: 'archive' }, 'E_HTTP_LIMIT', { archive, maxArchiveBytes: 2 }],
    ['of another origin', { url: 'http://127.0.0.1:1/SKILL.md' }, 'E_HTTP_ORIGIN', {}],
    ['with a user in its URL', { url: 'http://user:secret@127.0.0.1:1/SKILL.md' }, 'E_HTTP_ORIGIN', {}],
    ['of a file', { url: 'file:///etc/passwd' }, 'E_HTTP_ORIGIN', {}],
    ['with another digest', { digest: digestOf('z') }, 'E_HTTP_DIGEST', {}],
    ['that is not there', { url: 'nowhere' }, 'E_HTTP_FAILED', {}],
  ])('%s', async (_how, changes, code, options) => {
    const site = await siteOf({
      [`${discovery}index.json`]: skillsIndex(
        skill('Text.', changes),
        skill('Good.', { name: 'good', url: 'good.md' }),
      ),
      [`${discovery}deploy/SKILL.md`]: 'Text.',
      [`${discovery}good.md`]: 'Good.',
    })
    const store = storeOf(site, options)
    await expect(text(store, 'deploy/SKILL.md')).rejects.toMatchObject({ code })
    expect(await text(store, 'good/SKILL.md')).toBe('Good.')
  })
})

describe('a server that', () => {
  const endless: Answer = (_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      if (!response.destroyed) response.once('drain', more)
    }
    response.writeHead(200)
    more()
  }
  const cases: readonly (readonly [string, Answer, string])[] = [
    ['never answers', () => undefined, 'the answer was not complete after 200 ms'],
    [
      'never ends its answer',
      (_request, response) => void response.writeHead(200, { 'content-length': 100 }).write('Te'),
      'the answer was not complete after 200 ms',
    ],
    [
      'ends too early',
      (_request, response) =>
        void response.writeHead(200, { 'content-length': 100 }).write('Te', () => response.destroy()),
      'cannot be read',
    ],
    ['says that it failed', (_request, response) => void response.writeHead(500).end('Text.'), 'the status 500'],
    [
      'answers with no HTTP',
      (_request, response) => void response.socket?.end('no such thing\r\n\r\n'),
      'cannot be read',
    ],
    [
      'redirects to itself',
      (request, response) => void response.writeHead(302, { location: request.url }).end(),
      'redirects more than 5 times',
    ],
  ]
  it.each(cases)('%s is an error with its code', async (_how, answer, says) => {
    const site = await siteOf({ '/index.json': indexOf({ 'a/SKILL.md': 'Text.' }), '/a/SKILL.md': answer })
    await expect(
      text(storeOf(site, { url: '/index.json', timeoutMs: says.includes('200 ms') ? 200 : 20_000 }), 'a/SKILL.md'),
    ).rejects.toMatchObject({ code: 'E_HTTP_FAILED', message: expect.stringContaining(says) })
  })
  it('never stops is read to the limit', async () => {
    const site = await siteOf({
      '/index.json': indexOf({ 'a/SKILL.md': 'Text.' }),
      '/a/SKILL.md': endless,
      [`${discovery}index.json`]: skillsIndex(skill('Text.')),
      [`${discovery}deploy/SKILL.md`]: endless,
    })
    await expect(text(storeOf(site, { url: '/index.json' }), 'a/SKILL.md')).rejects.toMatchObject({
      code: 'E_HTTP_DIGEST',
    })
    expect(await text(storeOf(site), 'deploy/SKILL.md')).toBe('too-large')
  })
  it('redirects is followed on its own origin, and to another one only where that is allowed', async () => {
    const other = await siteOf({ '/SKILL.md': 'Text.' })
    const site = await siteOf({
      '/index.json': indexOf({ 'a/SKILL.md': 'Text.', 'b/SKILL.md': 'Text.', 'c/SKILL.md': 'Text.' }),
      '/b/real': 'Text.',
    })
    const to =
      (location: string): Answer =>
      (_request, response) =>
        void response.writeHead(301, { location }).end()
    site.files
      .set('/a/SKILL.md', to(`${other.origin}/SKILL.md`))
      .set('/b/SKILL.md', to('real'))
      .set('/c/SKILL.md', to('file:///etc/passwd'))
    const headers = { authorization: 'Bearer secret' }
    const strict = storeOf(site, { url: '/index.json', headers })
    expect(await text(strict, 'b/SKILL.md')).toBe('Text.')
    for (const path of ['a/SKILL.md', 'c/SKILL.md'])
      await expect(text(strict, path)).rejects.toMatchObject({
        code: 'E_HTTP_ORIGIN',
        message: expect.stringContaining('redirects to'),
      })
    expect(other.asked).toEqual([])
    expect(await text(storeOf(site, { url: '/index.json', headers, allowOrigins: [other.origin] }), 'a/SKILL.md')).toBe(
      'Text.',
    )
    expect(other.asked.map(({ headers: sent }) => [sent.authorization, sent.cookie])).toEqual([[undefined, undefined]])
    expect(site.asked.every(({ headers: sent }) => sent.authorization === 'Bearer secret')).toBe(true)
  })
  it('sets cookies gets none back', async () => {
    const site = await siteOf({
      '/index.json': indexOf({ 'a/SKILL.md': 'Text.' }),
      '/a/SKILL.md': (_request, response) => void response.writeHead(200, { 'set-cookie': 'a=b' }).end('Text.'),
    })
    const store = storeOf(site, { url: '/index.json' })
    expect([await text(store, 'a/SKILL.md'), await text(store, 'a/SKILL.md')]).toEqual(['Text.', 'Text.'])
    expect(site.asked.filter(({ headers }) => headers.cookie !== undefined)).toEqual([])
  })
  it('is left has no connection any more', async () => {
    const site = await siteOf({ '/index.json': indexOf({ 'a/SKILL.md': 'Text.' }), '/a/SKILL.md': 'Text.' })
    const store = storeOf(site, { url: '/index.json' })
    await text(store, 'a/SKILL.md')
    expect(await site.connections()).toBe(1)
    store.close()
    await expect.poll(() => site.connections()).toBe(0)
  })
})

describe('an address', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    'fc00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
  ])('%s is private', address => {
    expect(isPrivate(address)).toBe(true)
  })
  test.each(['1.1.1.1', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '::ffff:1.1.1.1'])('%s is public', address => {
    expect(isPrivate(address)).toBe(false)
  })
  it('that a name has is checked as it is connected to', async () => {
    const found = await new Promise<unknown>(resolve => publicLookup('localhost', {}, error => resolve(error)))
    expect(found).toMatchObject({
      code: 'E_HTTP_ADDRESS',
      message: expect.stringMatching(/^localhost .*(127\.0\.0\.1|::1), /),
    })
  })
  it('that a public site leads to is refused, however it is written', async () => {
    const asked: string[] = []
    const fetch: HttpStoreOptions['fetch'] = async url => {
      asked.push(url)
      const bytes = indexOf({ 'a/SKILL.md': 'Text.' })
      const location = 'http://0x7f000001:80/latest/meta-data'
      const isIndex = url.endsWith('index.json')
      return {
        status: isIndex ? 200 : 302,
        headers: new Headers(isIndex ? {} : { location }),
        body: new Response(isIndex ? bytes : '').body,
      }
    }
    const store = httpStore({
      url: 'https://acme.example/index.json',
      root: 'site:',
      fetch,
      allowOrigins: ['http://127.0.0.1'],
    })
    await expect(text(store, 'a/SKILL.md')).rejects.toMatchObject({ code: 'E_HTTP_ADDRESS' })
    expect(asked).toEqual(['https://acme.example/index.json', 'https://acme.example/a/SKILL.md'])
  })
})

test('the fetch of the platform can be given', async () => {
  const site = await siteOf({ '/index.json': indexOf({ 'a/SKILL.md': 'Text.' }), '/a/SKILL.md': 'Text.' })
  expect(await text(storeOf(site, { url: '/index.json', fetch }), 'a/SKILL.md')).toBe('Text.')
})

test('a call that is given up ends its request', async () => {
  let ended: Promise<unknown> | undefined
  const controller = new AbortController()
  const site = await siteOf({
    '/index.json': indexOf({ 'a/SKILL.md': 'Text.' }),
    '/a/SKILL.md': (_request, response) => {
      ended = new Promise<unknown>(resolve => response.once('close', () => resolve('ended')))
      controller.abort()
    },
  })
  await expect(
    storeOf(site, { url: '/index.json' }).read('site:/a/SKILL.md', { ...call, signal: controller.signal }),
  ).rejects.toMatchObject({ name: 'AbortError' })
  expect(await ended).toBe('ended')
})

test.each([
  { url: 'acme.example' },
  { url: 'file:///etc' },
  { url: 'https://user:secret@acme.example' },
  { url: 'https://acme.example/#a' },
  { url: 'https://acme.example', timeoutMs: 0 },
])('the options %j are refused', options => {
  expect(() => httpStore(options)).toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
})

test('a download goes into a file, is told of as it comes, and is no larger than allowed', async () => {
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const site = await siteOf({ '/tools.zip': 'x'.repeat(100_000) })
  const to = `${tree.path}/tools.zip`
  const told: (readonly [number, number | undefined])[] = []
  const options = { to, maxBytes: 100_000, signal: call.signal }
  const onBytes = (done: number, total: number | undefined): void => void told.push([done, total])
  expect(await download({ ...options, url: `${site.origin}/tools.zip`, onBytes })).toBe(true)
  expect(readFileSync(to, 'utf8')).toBe('x'.repeat(100_000))
  expect(told.at(-1)?.[0]).toBe(100_000)
  expect(await download({ ...options, url: `${site.origin}/none.zip` })).toBe(false)
  expect(readFileSync(to, 'utf8')).toBe('')
  await expect(download({ ...options, url: `${site.origin}/tools.zip`, maxBytes: 10 })).rejects.toMatchObject({
    code: 'E_HTTP_LIMIT',
  })
})
