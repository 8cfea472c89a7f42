import assert from 'node:assert/strict'
import { runContract, sourceContract } from '@skills/testing'
import { sqliteFixture, without } from './sqlite-fixture.js'

const outcomes = await runContract(sourceContract(sqliteFixture, { without }))
for (const { name, outcome, message } of outcomes)
  console.log(`${outcome}  ${name}${message === undefined ? '' : `  ${message}`}`)

assert.deepEqual(
  outcomes.filter(({ outcome }) => outcome === 'failed'),
  [],
)
assert.deepEqual(
  outcomes.filter(({ outcome }) => outcome === 'skipped').map(({ name }) => name),
  ['unreadable', 'endless', 'hung', 'abort-list', 'abort-stalled', 'refresh-nothing', 'refresh-path'],
)
console.log('As expected.')
