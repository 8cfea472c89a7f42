import { sourceContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { sqliteFixture, without } from './sqlite-fixture.js'

testContract('a source over an SQLite database', sourceContract(sqliteFixture, { without }))
