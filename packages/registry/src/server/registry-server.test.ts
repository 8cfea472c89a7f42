import { request as httpRequest } from 'node:http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, onTestFinished, test } from 'vitest'
import { tempTree } from '@skills/testing'
import { skill } from '../../test/registry-contract.js'
import { openRegistry } from '../open-registry.js'
import { sha256 } from '../site.js'
import { registryServer, type RegistryServerOptions } from './registry-server.js'
import type { NewVersion } from '../registry-types.js'

const script = { path: 'scripts/run.sh', bytes: Buffer.from('#!/bin/sh\n'), isExecutable: true }
const deploy = skill('deploy', 'Ships <b>it</b>.', { label: '1.0.0', publisher: 'me' })
const usual: readonly NewVersion[] = [
  { ...deploy, files: [...deploy.files, script], powers: { level: 'low', findings: [] } },
  skill('notes', 'Writes.', { provenance: { source: './skills', path: 'notes' } }),
  skill('notes', 'Writes too.', { namespace: 'zeta' }),
]

// oxlint-disable-next-line typescript/no-explicit-any -- an answer, whose form the test of the document checks
type Json = any

/** Serves a registry with some skills. */
async function served(options: Partial<RegistryServerOptions> = {}) {
  const tree = tempTree({})
  const registry = await openRegistry({ at: `${tree.path}/registry.db`, create: true, now: () => 1_000 })
  await registry.publish(usual)
  const server = registryServer({ registry, ...options })
  const url = await server.listen({ port: 0 })
  onTestFinished(async () => {
    await server.close()
    await registry.close()
    tree.dispose()
  })
  const get = (path: string, init?: RequestInit) => fetch(new URL(path, url), init)
  const json = async (path: string): Promise<Json> => (await get(path)).json()
  return { registry, server, url, get, json }
}

/** Sends a request that fetch() does not. */
async function sent(url: string, path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const request = httpRequest({ hostname, port, path, method, headers }, response => {
      response.resume()
      resolve(response.statusCode)
    })
    request.once('error', reject).end()
  })
}

const places: Readonly<Record<string, string>> = {
  namespace: 'acme',
  name: 'deploy',
  version: '1.0.0',
  q: 'ship',
  limit: '2',
  after: 'acme/a',
}

test('the document names everything that is served, and every answer is as it says', async () => {
  const { json, get } = await served()
  const document = await json('/v1/openapi.json')
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
  ajv.addSchema({ $id: 'document', ...document })
  const kinds: string[] = []
  for (const [path, { get: operation }] of Object.entries<Json>(document.paths)) {
    const query = new URLSearchParams()
    let place = path
    for (const { in: where, name } of operation.parameters)
      if (where === 'path') place = place.replace(`{${name}}`, places[name] ?? '')
      else query.set(name, places[name] ?? '')
    const answer = await get(`${place}?${query}`)
    expect([place, answer.status]).toEqual([place, 200])
    const [type, { schema }] = Object.entries<Json>(operation.responses[200].content)[0] ?? ['', {}]
    expect(answer.headers.get('content-type')?.split(';')[0]).toBe(type)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    kinds.push(type)
    if (schema === undefined) continue
    const isFit = ajv.compile({ $ref: `document${schema.$ref}` })
    expect([place, isFit(await answer.json()), isFit.errors]).toEqual([place, true, null])
  }
  expect(kinds.length).toBe(10)
  const isError = ajv.compile({ $ref: 'document#/components/schemas/Error' })
  expect(isError(await json('/v1/skills/acme/none'))).toBe(true)
  // A schema that takes everything would show nothing.
  expect(isError({ error: { code: 'E_REGISTRY' } })).toBe(false)
})

test('skills are found, paged and shown with their versions', async () => {
  const { json, registry } = await served()
  await registry.publish([skill('deploy', 'Ships more.')])
  await registry.yank({ namespace: 'acme', name: 'deploy' }, 'latest', true)
  expect(await json('/v1/search?q=ship')).toMatchObject({
    query: 'ship',
    results: [{ namespace: 'acme', name: 'deploy', label: '1.0.0', score: expect.any(Number) }],
  })
  expect((await json('/v1/search?q=write&namespace=zeta')).results).toMatchObject([{ namespace: 'zeta' }])
  const first = await json('/v1/skills?limit=2')
  expect([first.skills.map((one: Json) => one.name), first.next]).toEqual([['deploy', 'notes'], 'acme/notes'])
  expect(await json(`/v1/skills?after=${first.next}`)).toMatchObject({ skills: [{ namespace: 'zeta' }] })
  expect(await json('/v1/skills/acme/deploy')).toMatchObject({
    latest: { label: '1.0.0', publisher: 'me', powers: { level: 'low' }, tags: ['latest'], files: [{}, {}] },
    versions: [{ isYanked: true }, { isYanked: false, publishedAt: '1970-01-01T00:00:01.000Z' }],
  })
})

test('an index names what is served, until the skills change', async () => {
  const { get, json, registry } = await served()
  const at = '/.well-known/agent-skills/index.json'
  const { skills } = await json(at)
  // A site has each name once.
  expect(skills.map(({ name, type }: Json) => [name, type])).toEqual([
    ['deploy', 'archive'],
    ['notes', 'skill-md'],
  ])
  expect((await json(`/zeta${at}`)).skills).toMatchObject([{ name: 'notes', description: 'Writes too.' }])
  for (const [from, index] of [
    [at, await json(at)],
    [`/zeta${at}`, await json(`/zeta${at}`)],
  ])
    for (const { url, digest } of index.skills) {
      const bytes = await (await get(new URL(url, `http://x${from}`).pathname)).arrayBuffer()
      expect(`sha256:${sha256(new Uint8Array(bytes))}`).toBe(digest)
    }
  await registry.yank({ namespace: 'zeta', name: 'notes' }, 'latest', true)
  expect((await get(`/zeta${at}`)).status).toBe(404)
  await registry.publish([skill('more', 'More.')])
  expect((await json(at)).skills.length).toBe(3)
})

test('a client that has an answer gets it only if it is another one now', async () => {
  const { get, registry } = await served()
  for (const path of ['/v1/skills/acme/deploy/versions/latest/archive', '/v1/skills', '/v1/search?q=ship']) {
    const etag = (await get(path)).headers.get('etag') ?? ''
    const again = await get(path, { headers: { 'if-none-match': `"x", W/${etag}` } })
    expect([path, again.status, await again.text()]).toEqual([path, 304, ''])
    await registry.publish([skill('deploy', `Ships by ${path}.`)])
    expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(200)
  }
})

test.each([
  ['/v1/skills/acme/none', 404, 'E_REGISTRY_NOT_FOUND'],
  ['/v1/skills/acme/deploy/versions/9', 404, 'E_REGISTRY_NOT_FOUND'],
  ['/v1/skills/acme/deploy/versions/9/archive', 404, 'E_REGISTRY_NOT_FOUND'],
  ['/v1/skills/acme/%2e%2e%2fdeploy', 404, 'E_REGISTRY_REQUEST'],
  ['/v1/skills/acme/%ff', 404, 'E_REGISTRY_REQUEST'],
  ['/v1/skills/a:b/c', 404, 'E_REGISTRY_REQUEST'],
  ['/none/.well-known/agent-skills/index.json', 404, 'E_REGISTRY_NOT_FOUND'],
  ['/v1/search', 400, 'E_REGISTRY_REQUEST'],
  ['/v1/search?q=x&limit=201', 400, 'E_REGISTRY_REQUEST'],
  ['/v1/skills?limit=-1', 400, 'E_REGISTRY_REQUEST'],
  [`/v1/search?q=${'x'.repeat(5000)}`, 414, 'E_REGISTRY_REQUEST'],
  ['/', 404, 'E_REGISTRY_REQUEST'],
])('%s is refused with %i', async (path, status, code) => {
  const { get } = await served()
  const answer = await get(path)
  expect([answer.status, await answer.json()]).toMatchObject([status, { error: { code, hint: expect.any(String) } }])
})

test('other methods, bodies and host names are refused', async () => {
  const { url, get } = await served()
  expect((await get('/v1/skills', { method: 'HEAD' })).status).toBe(200)
  const put = await get('/v1/skills', { method: 'DELETE' })
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET'])
  expect(await sent(url, '/v1/health', { 'transfer-encoding': 'chunked' })).toBe(400)
  expect(await sent(url, '/v1/health', { host: 'evil.example' })).toBe(403)
  expect(await sent(url, '/v1/health', { host: 'localhost:1' })).toBe(200)
})

test.each([`'; drop table skill; --`, '"ship" OR *', 'NEAR(a b)', '{heads}: ^x', '%', '\\'])(
  'the query %s is words',
  async query => {
    const { get, registry } = await served()
    const answer = await get(`/v1/search?q=${encodeURIComponent(query)}&namespace=${encodeURIComponent(query)}`)
    expect([answer.status, await answer.json()]).toEqual([200, { query, results: [] }])
    expect((await get(`/v1/skills?after=${encodeURIComponent(query)}`)).status).toBe(200)
    expect(await registry.count()).toBe(3)
  },
)

test('a client that asks for too much is told when to ask again, and no other', async () => {
  const { get } = await served({ requestsPerSecond: 1 })
  const asked = async (client: string) => {
    const answer = await get('/v1/health', { headers: { 'x-forwarded-for': `8.8.8.8, ${client}` } })
    return [answer.status, answer.headers.get('retry-after')]
  }
  for (let at = 0; at < 5; at++) expect(await asked('192.0.2.1')).toEqual([200, null])
  expect(await asked('192.0.2.1')).toEqual([429, '1'])
  expect(await asked('192.0.2.2')).toEqual([200, null])
})

test('a fault of the server is reported, and not shown', async () => {
  const problems: unknown[] = []
  const { registry } = await served()
  const broken = new Proxy(registry, {
    get: (of, name) =>
      name === 'count' ? async () => Promise.reject(new Error('/srv/secret.db')) : Reflect.get(of, name),
  })
  const server = registryServer({ registry: broken, onProblem: error => problems.push(error) })
  const answer = await fetch(`${await server.listen({ port: 0 })}v1/health`)
  expect([answer.status, (await answer.text()).includes('secret'), problems.length]).toEqual([500, false, 1])
  await server.close()
})

test('the server ends when requests have their answers', async () => {
  const { registry } = await served()
  let release = (): void => {}
  const waits = new Promise<void>(resolve => (release = resolve))
  let begun = (): void => {}
  const began = new Promise<void>(resolve => (begun = resolve))
  const slow = new Proxy(registry, {
    get: (of, name) =>
      name === 'count'
        ? async () => {
            begun()
            await waits
            return 7
          }
        : Reflect.get(of, name),
  })
  const server = registryServer({ registry: slow, graceMs: 60_000 })
  const url = await server.listen({ port: 0 })
  const answer = fetch(`${url}v1/health`)
  await began
  const closed = server.close()
  await expect(fetch(`${url}v1/health`)).rejects.toThrow('fetch failed')
  release()
  expect(await (await answer).json()).toEqual({ status: 'ok', skills: 7 })
  await closed
})
