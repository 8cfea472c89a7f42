import { afterAll, describe, expect, test } from 'vitest'
import pg from 'pg'
import { proxyTo } from '../../../plugins/runs-queue/test/proxy.js'
import { realPostgres } from '../../../plugins/runs-queue/test/real-postgres.mjs'
import { skill, testRegistry } from '../test/registry-contract.js'
import { testRegistrySource } from '../test/source-contract.js'
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
    async () => {
      const at = await emptied()
      return () => openRegistry({ at, create: true, now: () => 1_000 })
    },
    { manyVersions: 200 },
  )

  testRegistrySource(async () => openRegistry({ at: await emptied(), create: true }))

  test.each(['cut', 'silent'] as const)(
    'a connection that is %s while it is used fails its call, and the next call has another one',
    async how => {
      const url = new URL(await emptied())
      const proxy = await proxyTo(Number(url.port))
      url.port = String(proxy.port)
      const registry = await openRegistry({ at: url.href, create: true, answerMs: 1_000 })
      expect(await registry.count()).toBe(0)
      if (how === 'cut') proxy.cutAt('insert into skill')
      else proxy.stall()
      await expect(registry.publish([skill('deploy', 'Ships it.')])).rejects.toMatchObject({ code: 'E_REGISTRY' })
      expect(proxy.left).toBe(0)
      expect(await registry.publish([skill('deploy', 'Ships it.')])).toMatchObject([{ digest: expect.any(String) }])
      await registry.close()
    },
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
