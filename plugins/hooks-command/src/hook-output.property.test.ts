import fc from 'fast-check'
import { expect, test } from 'vitest'
import { skillHookEvents, type HookVerdict } from '@skills/invocation'
import { isSettled, joinedVerdict } from './joined-verdict.js'
import { readOutput } from './hook-output.js'

const event = fc.constantFrom(...skillHookEvents)
const value = fc.oneof(fc.jsonValue(), fc.constantFrom('block', 'deny', 'allow', 'approve', 'ask', true, false, null))
const ownKeys = [
  'hookEventName',
  'permissionDecision',
  'permissionDecisionReason',
  'additionalContext',
  'updatedInput',
  '__proto__',
]
const own = fc.dictionary(fc.oneof(fc.constantFrom(...ownKeys), fc.string()), value)
const keys = [
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'decision',
  'reason',
  'hookSpecificOutput',
  'constructor',
  '__proto__',
]
const said = fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), fc.oneof(value, own))

test('any output of a hook is understood as nothing, as less than before, or as text; and what is not understood is kept', () => {
  fc.assert(
    fc.property(event, said, (name, given) => {
      const { verdict, unheeded } = readOutput(name, given, 50, false)
      expect(
        Object.keys(verdict).filter(
          key => !['block', 'reason', 'ask', 'stop', 'context', 'messages', 'others'].includes(key),
        ),
      ).toEqual([])
      expect([verdict.block, verdict.ask, verdict.stop].filter(one => one !== undefined && one !== true)).toEqual([])
      expect((verdict.reason ?? '').trim() !== '').toBe(verdict.block === true || verdict.stop === true)
      expect(verdict.ask === true && verdict.block !== true).toBe(false)
      for (const text of [verdict.context, verdict.reason, ...(verdict.messages ?? [])])
        expect(text ?? '').not.toMatch(/(?![\n\t])\p{Cc}/u)
      expect((verdict.context ?? '').length).toBeLessThanOrEqual(52)
      const [others = {}] = verdict.others ?? []
      expect(unheeded.length > 0).toBe(verdict.others !== undefined)
      for (const key of Object.keys(given).filter(one => !keys.includes(one))) expect(others[key]).toEqual(given[key])
    }),
  )
})

const text = fc.string({ minLength: 1 })
const verdicts: fc.Arbitrary<HookVerdict> = fc
  .record(
    {
      block: fc.constant(true as const),
      reason: text,
      ask: fc.constant(true as const),
      stop: fc.constant(true as const),
      context: text,
      messages: fc.array(text, { minLength: 1 }),
    },
    { requiredKeys: [] },
  )
  .map(({ ask, block, reason, ...rest }) => ({
    ...rest,
    ...(block && { block, reason: reason ?? 'No.', ...(ask && !rest.stop && { ask }) }),
  }))

test('together hooks allow nothing that one of them is against, and lose no text', () => {
  fc.assert(
    fc.property(event, fc.array(verdicts), (name, all) => {
      const heard: HookVerdict[] = []
      let together: HookVerdict = {}
      for (const one of all) {
        heard.push(one)
        together = joinedVerdict(together, one)
        if (isSettled(name, one)) break
      }
      const against = all.filter(one => one.block === true && one.ask !== true)
      const asks = heard.some(one => one.block === true)
      expect(together.block === true || together.stop === true).toBe(asks || heard.some(one => one.stop === true))
      // The question goes to a person only if every objecting hook would leave it to one.
      expect(together.ask === true && against.length > 0).toBe(false)
      expect(together.messages ?? []).toEqual(heard.flatMap(one => one.messages ?? []))
      expect(together.context ?? '').toBe(heard.flatMap(one => one.context ?? []).join('\n'))
    }),
  )
})
