import { expect, test } from 'vitest'
import { skill } from '../test/asking.js'
import { explainDecision } from './explain-decision.js'

const call = { signal: new AbortController().signal }

async function explained(message: string): Promise<string | undefined> {
  const explain = explainDecision(
    { check: () => ({ behavior: 'ask', message, decisionReason: { type: 'default' } }) },
    { use: () => ({ first: async () => undefined, each: async () => [], ids: [] }) as never },
  )
  return (await explain('a', skill('a'), call))[0]?.text
}

test('a question is explained by what it adds in parentheses', async () => {
  expect(await explained('Execute skill: a (it (really) changed)')).toMatch(/"a", .*: it \(really\) changed\.$/)
  expect(await explained('Execute skill: a (b) c')).toBe(
    'When a model invokes "a", a person is asked: no rule covers it.',
  )
})

test('and in time in proportion to it, however many open', async () => {
  const timeOf = async (length: number): Promise<number> => {
    const begun = process.cpuUsage().user / 1000
    await explained('('.repeat(length))
    return process.cpuUsage().user / 1000 - begun
  }
  const short = await timeOf(2_000)
  // Quadratic time would take ten thousand times as long for a hundred times the length.
  expect(await timeOf(200_000)).toBeLessThan(1_000 * Math.max(short, 1))
})
