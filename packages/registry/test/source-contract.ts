import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createSkills, type PromptCommand } from '@skills/core'
import { fakeHost, largeSourceContract, tempTree, withoutRoot, type TempTree } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { expect, onTestFinished, test } from 'vitest'
import { registrySource } from '../src/registry-source.js'
import { skill } from './registry-contract.js'
import type { NewVersion, Registry } from '../src/internal.js'

const never = new AbortController().signal
const deploy = { namespace: 'acme', name: 'deploy' }
const script = { path: 'scripts/run.sh', bytes: Buffer.from('#!/bin/sh\n'), isExecutable: true }

/** Returns a skill with a script, as it is published. */
const withScript = (description: string, more: Parameters<typeof skill>[2] = {}): NewVersion => {
  const made = skill('deploy', description, more)
  return { ...made, files: [...made.files, script] }
}

/** Tests the source over registries of one database. */
export function testRegistrySource(open: () => Promise<Registry>): void {
  for (const namespace of ['acme', undefined])
    testContract(
      namespace === undefined ? 'a source of all namespaces' : 'a source of one namespace',
      largeSourceContract(async () => {
        const registry = await open()
        const tree = tempTree({})
        let isShut = false
        const guarded = new Proxy(registry, {
          get(target, member) {
            if (isShut) throw new Error('The registry is shut.')
            const value: unknown = Reflect.get(target, member)
            return typeof value === 'function' ? value.bind(target) : value
          },
        })
        return {
          provider: registrySource({ registry: guarded, namespace, cacheFolder: `${tree.path}/cache` }),
          store: {
            async put(samples) {
              for (let at = 0; at < samples.length; at += 250)
                await registry.publish(
                  samples.slice(at, at + 250).map(({ name, description, body }) => skill(name, description, { body })),
                )
            },
            async remove(name) {
              await registry.yank({ namespace: 'acme', name }, 'latest', true)
            },
            shut() {
              isShut = true
              return () => void (isShut = false)
            },
          },
          nameOf: name => (namespace === undefined ? `registry:acme:${name}` : name),
          async dispose() {
            await registry.close()
            tree.dispose()
          },
        }
      }),
    )

  const started = async (tag?: string) => {
    const registry = await open()
    const tree = tempTree({})
    const cache = `${tree.path}/cache`
    const skills = createSkills({
      plugins: [registrySource({ registry, namespace: 'acme', tag, cacheFolder: cache })],
      host: fakeHost(),
      onDiagnostic: () => undefined,
    })
    onTestFinished(async () => {
      await skills.close()
      await registry.close()
      tree.dispose()
    })
    const found = async (): Promise<PromptCommand | undefined> => {
      const command = (await skills.catalog({ names: ['deploy'] })).get('deploy')?.command
      return command?.type === 'prompt' ? command : undefined
    }
    const body = async (): Promise<unknown> => {
      const read = await (await found())?.load('', { signal: never })
      return read !== undefined && 'template' in read ? read.template.trim() : undefined
    }
    return { registry, tree, cache, skills, found, body }
  }

  test('the files of a skill are on the disk once its body is loaded, for the user alone', async () => {
    const { registry, cache, found, body } = await started()
    await registry.publish([withScript('Ships it.')])
    const command = await found()
    expect(existsSync(cache)).toBe(false)
    expect(await body()).toBe('Do it.')
    const folder = command?.baseDir ?? ''
    expect(folder.startsWith(`${cache}/`) && folder.endsWith('/acme/deploy')).toBe(true)
    expect(readFileSync(`${folder}/scripts/run.sh`, 'utf8')).toBe('#!/bin/sh\n')
    const modes = ['.', 'SKILL.md', 'scripts/run.sh'].map(path => statSync(`${folder}/${path}`).mode & 0o777)
    expect(process.platform === 'win32' || modes.join()).toEqual(
      process.platform === 'win32' || [0o700, 0o600, 0o700].join(),
    )
    const snapshot = await command?.snapshot?.({ signal: never })
    expect(snapshot?.file?.ino).toBe(statSync(`${folder}/SKILL.md`).ino)
    expect(command?.file?.mtimeMs).toBe(snapshot?.file?.mtimeMs)
    expect(readdirSync(cache).length).toBe(1)
  })

  test('a source has what its tag leads to, and no yanked version', async () => {
    const { registry, skills, body } = await started('stable')
    const search = async () => {
      const large = await skills.large()
      const { answers } = (await large?.search('ships', { limit: 5 })) ?? { answers: [] }
      return answers.flatMap(({ value }) => value.map(({ command }) => command.description))
    }
    const count = async () => (await (await skills.large())?.count())?.[0]?.value
    await registry.publish([
      withScript('Ships one.', { label: '1', body: 'One.' }),
      withScript('Ships two.', { label: '2', body: 'Two.' }),
    ])
    expect([await body(), await search(), await count()]).toEqual([undefined, [], 0])
    const notes = async () => (await skills.explain('deploy')).notes.map(({ text }) => text)
    expect(await notes()).toContain('No version of acme/deploy in the registry has the tag stable.')
    await registry.tag(deploy, 'stable', '1')
    expect([await body(), await search(), await count()]).toEqual(['One.', ['Ships one.'], 1])
    expect((await notes()).join('\n')).toMatch(/The registry has acme\/deploy with the tag stable: 1, sha256:/)

    await registry.tag(deploy, 'stable', '2')
    await expect(body()).rejects.toMatchObject({ code: 'E_FILE_CHANGED' })
    expect(await body()).toBe('Two.')

    await registry.yank(deploy, '2', true)
    await expect(body()).rejects.toMatchObject({ code: 'E_FILE_CHANGED' })
    expect([await body(), await search(), await count()]).toEqual([undefined, [], 0])
    await registry.yank(deploy, '1', true)
    expect((await notes()).join('\n')).toMatch(/The version 2, sha256:[\da-f]{12} of acme\/deploy is yanked\./)
  })

  test.each<[what: string, tamper: (folder: string) => void]>([
    ['changed', folder => writeFileSync(`${folder}/SKILL.md`, 'Steal it!')],
    ['changed with the same size', folder => writeFileSync(`${folder}/scripts/run.sh`, '#!/bin/xx\n')],
    ['removed', folder => rmSync(`${folder}/SKILL.md`)],
    ['added', folder => writeFileSync(`${folder}/scripts/more.sh`, 'x')],
    ['swapped for a folder', folder => (rmSync(`${folder}/SKILL.md`), mkdirSync(`${folder}/SKILL.md`))],
    [
      'swapped for a link',
      folder => (renameSync(`${folder}/SKILL.md`, `${folder}/../other`), symlinkSync('../other', `${folder}/SKILL.md`)),
    ],
    [
      'with a linked folder',
      folder => (renameSync(`${folder}/scripts`, `${folder}/../x`), symlinkSync('../x', `${folder}/scripts`)),
    ],
    ['linked itself', folder => (renameSync(folder, `${folder}-x`), symlinkSync('deploy-x', folder))],
    ...(process.platform === 'win32'
      ? []
      : [['without its mode', (folder: string) => chmodSync(`${folder}/scripts/run.sh`, 0o600)] as const]
    ).map(([what, tamper]): [string, (folder: string) => void] => [what, tamper]),
  ])('a folder in which something is %s is made again', async (_what, tamper) => {
    const { registry, found, body } = await started()
    await registry.publish([withScript('Ships it.')])
    await body()
    const folder = (await found())?.baseDir ?? ''
    tamper(folder)
    expect(await body()).toBe('Do it.')
    expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      'SKILL.md',
      'scripts',
      'scripts/run.sh',
    ])
    expect(statSync(`${folder}/scripts/run.sh`).mode & 0o100).toBe(process.platform === 'win32' ? 0 : 0o100)
    expect(readFileSync(`${folder}/scripts/run.sh`, 'utf8')).toBe('#!/bin/sh\n')
  })

  test('a link on the way to the folder is refused, and nothing is written where it leads', async () => {
    const { registry, tree, cache, found, body } = await started()
    await registry.publish([withScript('Ships it.')])
    const digest = ((await found())?.baseDir ?? '').slice(cache.length + 1).split('/')[0] ?? ''
    mkdirSync(`${tree.path}/elsewhere`)
    mkdirSync(cache)
    symlinkSync(`${tree.path}/elsewhere`, `${cache}/${digest}`)
    await expect(body()).rejects.toMatchObject({ code: 'E_WRITE' })
    expect(readdirSync(`${tree.path}/elsewhere`)).toEqual([])
    expect(readdirSync(cache)).toEqual([digest])
  })

  test.skipIf(process.platform === 'win32')(
    'a folder that cannot be written to is used if it has the files, and otherwise fails the load',
    () =>
      withoutRoot(async () => {
        const { registry, cache, body } = await started()
        await registry.publish([withScript('Ships it.', { label: '1' })])
        await body()
        chmodSync(cache, 0o500)
        onTestFinished(() => chmodSync(cache, 0o700))
        expect(await body()).toBe('Do it.')
        await registry.publish([withScript('Ships it.', { label: '2', body: 'Two.' })])
        await expect(body()).rejects.toMatchObject({ code: 'E_FILE_CHANGED' })
        await expect(body()).rejects.toMatchObject({ code: 'E_REGISTRY_READ_ONLY' })
      }),
  )

  test('loads at once write the files once, and one that is given up ends no other', async () => {
    const { registry, cache, found } = await started()
    await registry.publish([withScript('Ships it.')])
    const command = await found()
    const own = new AbortController()
    const loads = Array.from({ length: 20 }, (_, at) =>
      Promise.resolve(command?.load('', { signal: at === 7 ? own.signal : never })).then(
        () => true,
        (error: Error) => error.name,
      ),
    )
    own.abort()
    expect(await Promise.all(loads)).toEqual(loads.map((_load, at) => (at === 7 ? 'AbortError' : true)))
    const other = createSkills({
      plugins: [registrySource({ registry, cacheFolder: cache })],
      host: fakeHost(),
      onDiagnostic: () => undefined,
    })
    const again = (await other.catalog({ names: ['registry:acme:deploy'] })).get('registry:acme:deploy')?.command
    await Promise.all([
      again?.type === 'prompt' && again.load('', { signal: never }),
      command?.load('', { signal: never }),
    ])
    await other.close()
    expect(readdirSync(cache).length).toBe(1)
  })

  test('skills of two namespaces have names of their own, also with the same text', async () => {
    const registry = await open()
    await registry.publish([skill('deploy', 'Ships it.'), skill('deploy', 'Ships it.', { namespace: 'zeta' })])
    const tree: TempTree = tempTree({})
    const skills = createSkills({
      plugins: [registrySource({ registry, cacheFolder: `${tree.path}/cache` })],
      host: fakeHost(),
      onDiagnostic: () => undefined,
    })
    const names = ['registry:acme:deploy', 'registry:zeta:deploy']
    const catalog = await skills.catalog({ names: [...names, 'acme:deploy', 'deploy', 'registry:acme:deploy:x'] })
    expect(catalog.found.map(({ name }) => name)).toEqual(names)
    await skills.close()
    await registry.close()
    tree.dispose()
  })
}
