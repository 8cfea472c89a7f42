import { afterAll, describe, expect, test } from 'vitest'
import pg from 'pg'
import { realPostgres } from '../../../plugins/runs-queue/test/real-postgres.mjs'
import { testRegistry } from '../test/registry-contract.js'
import { openRegistry } from './open-registry.js'

const server = await realPostgres()

const sent = async (statement: string): Promise<void> => {
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Removes the registry of the test before. */
const emptied = async (): Promise<string> => {
  await sent('drop schema if exists skills_registry cascade')
  return server.url
}

describe.skipIf(server.missing !== undefined)(`PostgreSQL${server.missing ?? ''}`, () => {
  afterAll(() => server.dispose())

  testRegistry(
    'keeps a registry',
    async () => {
      const at = await emptied()
      return () => openRegistry({ at, create: true, now: () => 1_000 })
    },
    { manyVersions: 200 },
  )

  test('a database without a registry, and one of a later version, are not opened', async () => {
    const at = await emptied()
    await expect(openRegistry({ at })).rejects.toMatchObject({ code: 'E_REGISTRY_NOT_FOUND' })
    await (await openRegistry({ at, create: true })).close()
    await sent('insert into skills_registry.migration values (99)')
    await expect(openRegistry({ at })).rejects.toMatchObject({ code: 'E_REGISTRY_VERSION' })
    const away = 'postgres://postgres@127.0.0.1:1/none'
    await expect(openRegistry({ at: away })).rejects.toMatchObject({ code: 'E_REGISTRY' })
  })
})
