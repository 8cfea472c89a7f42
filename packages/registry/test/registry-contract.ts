import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchIndex } from '@skills/invocation/skill-tool'
import type { NewVersion, Registry } from '../src/internal.js'

/** Skill of a test. */
export function skill(
  name: string,
  description: string,
  more: Partial<NewVersion> & { body?: string } = {},
): NewVersion {
  const { body = 'Do it.', ...rest } = more
  const text = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}\n`
  return { namespace: 'acme', name, files: [{ path: 'SKILL.md', bytes: Buffer.from(text) }], ...rest }
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: { code?: unknown }) => error.code,
  )

const deploy = { namespace: 'acme', name: 'deploy' }

/**
 * Tests that every database keeps a registry in the same way. Call it inside of a `describe` that names the database.
 * @param open opens the same new registry each time that the returned function is called
 * @param options.manyVersions versions of one skill, at least 100
 */
export function testRegistry(
  open: () => Promise<() => Promise<Registry>>,
  { manyVersions }: { readonly manyVersions: number },
): void {
  const withRegistry = async (use: (registry: Registry, again: () => Promise<Registry>) => Promise<void>) => {
    const again = await open()
    const registry = await again()
    try {
      await use(registry, again)
    } finally {
      await registry.close()
    }
  }
  const codes = async (registry: Registry, ...versions: readonly NewVersion[]): Promise<readonly unknown[]> =>
    (await registry.publish(versions)).map(({ error }) => (error as { code?: unknown } | undefined)?.code)

  describe('keeps a registry, which', () => {
    test('keeps everything of a version', () =>
      withRegistry(async (registry, again) => {
        const powers = { level: 'low' as const, findings: [] }
        const provenance = { source: './skills', path: 'deploy' }
        const script = { path: 'scripts/run.sh', bytes: Buffer.from('#!/bin/sh\n'), isExecutable: true }
        const given = skill('deploy', 'Ships it.', { label: '1.0.0', powers, provenance, publisher: 'me' })
        const [published] = await registry.publish([{ ...given, files: [...given.files, script] }])
        const other = await again()
        const found = await other.find(deploy)
        expect(found).toMatchObject({
          ...deploy,
          digest: published?.digest,
          label: '1.0.0',
          description: 'Ships it.',
          powers,
          provenance,
          publisher: 'me',
          isYanked: false,
          tags: ['latest'],
          publishedAt: 1_000,
        })
        expect(found?.digest).toMatch(/^sha256:[\da-f]{64}$/)
        expect(found?.files.map(({ path, isExecutable, bytes }) => [path, isExecutable, bytes])).toEqual([
          ['SKILL.md', false, given.files[0]?.bytes.length],
          ['scripts/run.sh', true, 10],
        ])
        expect(Buffer.from((await other.file(found?.files[1]?.digest ?? '')) ?? []).toString()).toBe('#!/bin/sh\n')
        expect(found?.text).toContain('Ships it.')
        expect(await other.file('0'.repeat(64))).toBeUndefined()
        await other.close()
      }))

    test('finds a version by digest, label and tag, and the last published one otherwise', () =>
      withRegistry(async registry => {
        const [first, second] = await registry.publish([
          skill('deploy', 'One.', { label: '1.0.0' }),
          skill('deploy', 'Two.', { label: '2.0.0' }),
        ])
        await registry.tag(deploy, 'stable', '1.0.0')
        const described = async (version?: string) => (await registry.find(deploy, version))?.description
        expect(await described()).toBe('Two.')
        expect(await described('1.0.0')).toBe('One.')
        expect(await described('stable')).toBe('One.')
        expect(await described(first?.digest)).toBe('One.')
        expect(await described(second?.digest?.slice(7, 19))).toBe('Two.')
        expect(await described('3.0.0')).toBeUndefined()
        expect(await registry.find({ namespace: 'other', name: 'deploy' })).toBeUndefined()
        expect((await registry.versions(deploy)).map(({ label, tags }) => [label, tags])).toEqual([
          ['2.0.0', ['latest']],
          ['1.0.0', ['stable']],
        ])
        expect(await registry.digests([deploy, { namespace: 'acme', name: 'x' }])).toEqual([second?.digest, undefined])
        await registry.tag(deploy, 'latest', '1.0.0')
        expect(await described()).toBe('One.')
        expect((await registry.search('one', { limit: 5 })).length).toBe(1)
        expect((await registry.search('two', { limit: 5 })).length).toBe(0)
      }))

    test('refuses what it has, and what cannot be published, and nothing else', () =>
      withRegistry(async registry => {
        const file = (path: string) => ({ files: [...skill('x', 'X.').files, { path, bytes: Buffer.from('x') }] })
        expect(
          await codes(
            registry,
            skill('deploy', 'One.', { label: '1' }),
            skill('deploy', 'One.'),
            skill('deploy', 'Two.', { label: '1' }),
            skill('Deploy', 'Other case.'),
            skill('dep1oy', 'A digit for a letter.'),
            skill('deploy', 'Elsewhere.', { namespace: 'other' }),
            skill('deploy', 'Alike.', { namespace: 'Acme' }),
            skill('x', 'X.', { namespace: '../x' }),
            skill('../x', 'X.'),
            skill('x', 'X.', file('../out')),
            skill('x', 'X.', file('/etc/passwd')),
            skill('x', 'X.', file('a//b')),
            skill('x', 'X.', file('skill.MD')),
            skill('x', 'X.', { files: [{ path: 'README.md', bytes: Buffer.from('x') }] }),
            skill('x', 'X.', { files: [{ path: 'SKILL.md', bytes: Buffer.from([0, 1, 2, 0]) }] }),
            skill('x', 'X.', { label: 'a b' }),
            skill('x', 'X.', { files: [{ path: 'SKILL.md', bytes: Buffer.alloc(17 * 1024 * 1024, 'x') }] }),
            skill('y', 'Good.'),
          ),
        ).toEqual([
          undefined,
          'E_REGISTRY_EXISTS',
          'E_REGISTRY_EXISTS',
          'E_REGISTRY_NAME',
          'E_REGISTRY_NAME',
          undefined,
          'E_REGISTRY_NAME',
          'E_REGISTRY_NAME',
          'E_REGISTRY_NAME',
          'E_REGISTRY_SKILL',
          'E_REGISTRY_SKILL',
          'E_REGISTRY_SKILL',
          'E_REGISTRY_SKILL',
          'E_REGISTRY_SKILL',
          'E_REGISTRY_SKILL',
          'E_REGISTRY_SKILL',
          'E_REGISTRY_LIMIT',
          undefined,
        ])
        expect(await registry.count()).toBe(3)
        expect((await registry.page({ limit: 9 })).versions.map(one => `${one.namespace}/${one.name}`)).toEqual([
          'acme/deploy',
          'acme/y',
          'other/deploy',
        ])
        expect(await codeOf(registry.tag(deploy, 'stable', '9'))).toBe('E_REGISTRY_NOT_FOUND')
        expect(await codeOf(registry.tag(deploy, '1.0', '1'))).toBe('E_REGISTRY_NAME')
        expect(await codeOf(registry.yank({ ...deploy, name: 'z' }, 'latest', true))).toBe('E_REGISTRY_NOT_FOUND')
      }))

    test('finds a yanked version only for who asks for it', () =>
      withRegistry(async registry => {
        await registry.publish([skill('deploy', 'One.', { label: '1' }), skill('deploy', 'Two.', { label: '2' })])
        expect((await registry.yank(deploy, '2', true)).isYanked).toBe(true)
        expect((await registry.find(deploy))?.label).toBe('1')
        expect((await registry.find(deploy, '2'))?.isYanked).toBe(true)
        await registry.yank(deploy, '1', true)
        expect(await registry.find(deploy)).toBeUndefined()
        expect(await registry.count()).toBe(0)
        expect(await registry.page({ limit: 5 })).toEqual({ versions: [] })
        expect(await registry.search('one', { limit: 5 })).toEqual([])
        expect(await registry.search('deploy', { limit: 5 })).toEqual([])
        await registry.yank(deploy, '1', false)
        expect((await registry.search('one', { limit: 5 })).map(({ version }) => version.label)).toEqual(['1'])
        expect(await registry.count()).toBe(1)
      }))

    test('pages through all skills by name', () =>
      withRegistry(async registry => {
        const names = Array.from({ length: 25 }, (_, at) => `skill-${String(at).padStart(2, '0')}`)
        await registry.publish(names.map(name => skill(name, `Does ${name}.`)).toReversed())
        const seen: string[] = []
        let after: string | undefined
        do {
          const page = await registry.page({ limit: 10, after })
          seen.push(...page.versions.map(({ name }) => name))
          after = page.next
        } while (after !== undefined)
        expect(seen).toEqual(names)
      }))

    test('has parts by namespace and by tag, without what is yanked', () =>
      withRegistry(async registry => {
        await registry.publish([
          skill('deploy', 'One.', { label: '1' }),
          skill('deploy', 'Two.', { label: '2' }),
          skill('notes', 'Writes.'),
          skill('deploy', 'Elsewhere.', { namespace: 'acme1' }),
        ])
        await registry.tag(deploy, 'stable', '1')
        const part = async (of: { readonly prefix?: string; readonly tag?: string }) => [
          await registry.count(of),
          (await registry.page({ limit: 9, ...of })).versions.map(({ description }) => description),
        ]
        // The names are ordered as a source has them, with a colon.
        expect(await part({})).toEqual([3, ['Elsewhere.', 'Two.', 'Writes.']])
        expect(await part({ prefix: 'acme/' })).toEqual([2, ['Two.', 'Writes.']])
        expect(await part({ tag: 'stable' })).toEqual([1, ['One.']])
        expect(await part({ prefix: 'acme1/', tag: 'stable' })).toEqual([0, []])
        await registry.yank(deploy, '1', true)
        expect(await part({ tag: 'stable' })).toEqual([0, []])
        expect(await codeOf(registry.tag(deploy, 'latest', '1'))).toBe('E_REGISTRY_NOT_FOUND')
      }))

    test('removes what no one can get', () =>
      withRegistry(async registry => {
        await registry.publish([1, 2, 3, 4].map(at => skill('deploy', `Version ${at}.`, { label: `${at}` })))
        await registry.tag(deploy, 'stable', '1')
        await registry.yank(deploy, '2', true)
        expect(await registry.gc()).toEqual({ versions: 1, files: 1 })
        expect(await registry.gc({ keep: 1 })).toEqual({ versions: 1, files: 1 })
        expect((await registry.versions(deploy)).map(({ label }) => label)).toEqual(['4', '1'])
        expect(await registry.gc({ keep: 1 })).toEqual({ versions: 0, files: 0 })
        expect((await registry.search('version', { limit: 5 })).length).toBe(1)
      }))

    test('lets one of two win that publish the same version at once', () =>
      withRegistry(async (registry, again) => {
        const other = await again()
        const same = Array.from({ length: 20 }, (_, at) => skill(`skill-${at}`, `Does ${at}.`))
        const results = await Promise.all([registry.publish(same), other.publish(same)])
        for (const at of same.keys()) {
          const both = results.map(result => result[at]?.error as { code?: unknown } | undefined)
          expect(both.filter(error => error === undefined).length).toBe(1)
          expect(both.find(error => error !== undefined)?.code).toBe('E_REGISTRY_EXISTS')
        }
        expect(await registry.count()).toBe(20)
        await other.close()
      }))

    test('keeps very many versions of a skill, of which one is found', { timeout: 120_000 }, () =>
      withRegistry(async registry => {
        for (let from = 0; from < manyVersions; from += 100)
          await registry.publish(Array.from({ length: 100 }, (_, at) => skill('deploy', `Version ${from + at}.`)))
        expect(await registry.count()).toBe(1)
        const descriptions = async (query: string) =>
          (await registry.search(query, { limit: 5 })).map(({ version }) => version.description)
        expect(await descriptions('version')).toEqual([`Version ${manyVersions - 1}.`])
        expect(await descriptions(String(manyVersions - 2))).toEqual([])
      }),
    )

    test.each([
      `'; drop table skill; --`,
      '"deploy" OR *',
      'NEAR(deploy notes)',
      'name:deploy AND (NOT x)',
      'deploy*',
      '{heads}: ^deploy',
      `deploy' | !'notes' & :*`,
      '\\',
      '%_?1',
      '\0\ud800',
    ])('takes %j as words', query =>
      withRegistry(async registry => {
        await registry.publish([skill('deploy', 'Ships it.'), skill('notes', 'Writes.')])
        const names = (await registry.search(query, { limit: 5 })).map(({ version }) => version.name)
        expect(names.includes('deploy')).toBe(query.includes('deploy'))
        expect(await registry.count()).toBe(2)
      }),
    )

    test('searches one namespace alone', () =>
      withRegistry(async registry => {
        await registry.publish([skill('deploy', 'Ships.'), skill('deploy', 'Ships too.', { namespace: 'zeta' })])
        const found = async (prefix: string) =>
          (await registry.search('deploy', { limit: 5, prefix })).map(({ version }) => version.namespace)
        expect(await found('zeta/')).toEqual(['zeta'])
        expect(await found('acme/d')).toEqual(['acme'])
        expect(await found('nobody/')).toEqual([])
      }))

    test('ranks as an index in memory does', () =>
      withRegistry(async registry => {
        const words = ['deploy', 'deploying', 'release', 'notes', '部署应用', 'c++', 'gitCommit', 'Versión', 'report']
        const some = (most: number) =>
          fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most }).map(list => list.join(' '))
        const [all] = fc.sample(
          fc.array(fc.record({ description: some(6), body: some(12) }), { minLength: 40, maxLength: 40 }),
          1,
        )
        const texts = (all ?? []).map((one, at) => ({ ...one, name: `s-${String(at).padStart(2, '0')}` }))
        await registry.publish(texts.map(({ name, description, body }) => skill(name, description, { body })))
        const index = await searchIndex(texts.map(one => ({ ...one, body: `\n${one.body}\n` })))
        for (const query of [...words, 'releasing a report', 'relaese', 's-07', '署', 'dep', 'gitcomit', 'c++ notes'])
          expect(
            (await registry.search(query, { limit: 200 })).map(({ version }) => version.name),
            query,
          ).toEqual(index.search(query, 200).map(({ at }) => texts[at]?.name))
      }))
  })
}
