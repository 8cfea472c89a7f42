import { testRuns } from '@skills/testing/vitest'
import { afterAll, describe } from 'vitest'
import { realPostgres } from '../test/real-postgres.mjs'
import { queuedRuns } from './queued-runs.js'

const server = await realPostgres()
const redis = process.env['SKILLS_REDIS_URL']
const name = (): string => `contract_${crypto.randomUUID().replaceAll('-', '')}`

describe.skipIf(server.missing !== undefined)(`PostgreSQL${server.missing ?? ''}`, () => {
  afterAll(() => server.dispose())
  testRuns('keeps runs on a queue', () => {
    const options = { url: server.url, name: name(), key: 'k'.repeat(32) }
    return { provider: queuedRuns(options), other: queuedRuns(options) }
  })
})

describe.skipIf(redis === undefined)(
  `Redis${redis === undefined ? ' (not run: SKILLS_REDIS_URL says none)' : ''}`,
  () => {
    testRuns('keeps runs on a queue', () => {
      const options = { url: redis, name: name(), key: 'k'.repeat(32) }
      return { provider: queuedRuns(options), other: queuedRuns(options) }
    })
  },
)
