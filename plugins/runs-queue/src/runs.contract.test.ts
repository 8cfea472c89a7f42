import { testRuns } from '@skills/testing/vitest'
import type { Provider } from '@skills/core'
import { afterAll, describe } from 'vitest'
import { realPostgres } from '../test/real-postgres.mjs'
import { memoryRuns, MemoryServer } from '../test/memory-queue.js'
import { realRedis } from '../test/real-redis.mjs'
import { queuedRuns } from './queued-runs.js'

const server = await realPostgres()
const redis = await realRedis()
const name = (): string => `contract_${crypto.randomUUID().replaceAll('-', '')}`

describe('memory', () => {
  testRuns('keeps runs on a queue', () => {
    const memory = new MemoryServer()
    const provider = (): Provider<'runs'> => memoryRuns(memory, 'memory', 'k'.repeat(32))
    return { provider: provider(), other: provider() }
  })
})

describe.skipIf(server.missing !== undefined)(`PostgreSQL${server.missing ?? ''}`, () => {
  afterAll(() => server.dispose())
  testRuns('keeps runs on a queue', () => {
    const options = { url: server.url, name: name(), key: 'k'.repeat(32) }
    return { provider: queuedRuns(options), other: queuedRuns(options) }
  })
})

describe.skipIf(redis.missing !== undefined)(`Redis${redis.missing ?? ''}`, () => {
  afterAll(() => redis.dispose())
  testRuns('keeps runs on a queue', () => {
    const options = { url: redis.url, name: name(), key: 'k'.repeat(32) }
    return { provider: queuedRuns(options), other: queuedRuns(options) }
  })
})
