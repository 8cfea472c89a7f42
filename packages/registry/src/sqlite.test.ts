import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { openRegistry } from './open-registry.js'
import { sqliteLibrary } from './sqlite-library.js'
import { skill } from '../test/registry-contract.js'

let tree: TempTree | undefined
afterEach(() => {
  tree?.dispose()
  tree = undefined
})

function folder(): string {
  tree = tempTree({})
  return tree.path
}

const codeOf = async (at: string, create = false): Promise<unknown> =>
  openRegistry({ at, create, patienceMs: 50 }).then(
    async registry => registry.close(),
    (error: { code?: unknown }) => error.code,
  )

test("Node's own SQLite is used if it has one, and otherwise the package", async () => {
  const name: string = isBuiltin('node:sqlite') ? 'node:sqlite' : '@photostructure/sqlite'
  expect((await sqliteLibrary()).DatabaseSync).toBe((await import(name)).DatabaseSync)
})

test('a file that is missing is made only if that is asked for', async () => {
  const path = folder()
  expect(await codeOf(`${path}/registry.db`)).toBe('E_REGISTRY_NOT_FOUND')
  expect(existsSync(`${path}/registry.db`)).toBe(false)
  expect(await codeOf(`${path}/missing/registry.db`, true)).toBe('E_REGISTRY_READ_ONLY')
  expect(await codeOf(`${path}/registry.db`, true)).toBeUndefined()
  expect(await codeOf(`${path}/registry.db`)).toBeUndefined()
})

test('another file, another database and a damaged registry are not opened', async () => {
  const path = folder()
  writeFileSync(`${path}/text.db`, 'not a database\n'.repeat(1_000))
  const { DatabaseSync } = await sqliteLibrary()
  const other = new DatabaseSync(`${path}/other.db`)
  other.exec('create table a (b)')
  other.close()
  for (const create of [true, false]) {
    expect(await codeOf(`${path}/text.db`, create)).toBe('E_REGISTRY_DAMAGED')
    expect(await codeOf(`${path}/other.db`, create)).toBe('E_REGISTRY_DAMAGED')
  }
  const registry = await openRegistry({ at: `${path}/registry.db`, create: true })
  await registry.publish(Array.from({ length: 50 }, (_, at) => skill(`skill-${at}`, `Does ${at}.`)))
  await registry.close()
  const bytes = readFileSync(`${path}/registry.db`)
  bytes.fill(0x5a, 4096)
  writeFileSync(`${path}/registry.db`, bytes)
  await expect(
    openRegistry({ at: `${path}/registry.db` }).then(async damaged => damaged.search('does', { limit: 5 })),
  ).rejects.toMatchObject({ code: 'E_REGISTRY_DAMAGED' })
})

test('a registry of a later version is not opened', async () => {
  const at = `${folder()}/registry.db`
  await codeOf(at, true)
  const { DatabaseSync } = await sqliteLibrary()
  const raw = new DatabaseSync(at)
  raw.exec('pragma user_version = 99')
  raw.close()
  expect(await codeOf(at)).toBe('E_REGISTRY_VERSION')
})

test('who writes waits for another process for a while, and who reads does not wait', async () => {
  const at = `${folder()}/registry.db`
  const registry = await openRegistry({ at, create: true, patienceMs: 50 })
  await registry.publish([skill('deploy', 'Ships it.')])
  const { DatabaseSync } = await sqliteLibrary()
  const other = new DatabaseSync(at)
  other.exec('begin immediate')
  await expect(registry.publish([skill('notes', 'Writes.')])).rejects.toMatchObject({ code: 'E_REGISTRY_BUSY' })
  expect((await registry.search('ships', { limit: 5 })).length).toBe(1)
  other.exec('rollback')
  other.close()
  expect(await registry.publish([skill('notes', 'Writes.')])).toMatchObject([{ digest: expect.any(String) }])
  await registry.close()
})

test('a process that is killed at any point leaves whole versions and nothing else', async () => {
  const path = folder()
  const at = `${path}/registry.db`
  // What is on the disk now is what a killed process would leave.
  let copies = 0
  const kill = (): number => {
    for (const end of ['', '-wal']) if (existsSync(at + end)) cpSync(at + end, `${path}/copy-${copies}.db${end}`)
    return copies++
  }
  const registry = await openRegistry({ at, create: true, now: kill })
  const batches = [0, 1, 2, 3].map(batch =>
    Array.from({ length: 5 }, (_, each) => skill(`skill-${each}`, `Does ${batch} and ${each}.`)),
  )
  for (const batch of batches) await registry.publish(batch)
  await registry.close()
  expect(copies).toBe(20)
  for (let copy = 0; copy < copies; copy++) {
    const left = await openRegistry({ at: `${path}/copy-${copy}.db` })
    const done = Math.floor(copy / 5)
    const { versions } = await left.page({ limit: 100 })
    expect(versions.map(({ description }) => description)).toEqual(
      (batches[done - 1] ?? []).map((_one, each) => `Does ${done - 1} and ${each}.`),
    )
    expect(await left.count()).toBe(versions.length)
    expect((await left.search('does', { limit: 100 })).length).toBe(versions.length)
    await left.close()
  }
})
