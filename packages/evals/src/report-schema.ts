import type { Schema } from '@cfworker/json-schema'

const string: Schema = { type: 'string' }
const number: Schema = { type: 'number' }
const boolean: Schema = { type: 'boolean' }
const strings: Schema = { type: 'array', items: string }

/** Schema of an object with all of these properties. Further ones are allowed, because later versions may add some. */
const object = (
  properties: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema => ({ type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } })
const listOf = (items: Schema): Schema => ({ type: 'array', items })
const oneOf = (...all: readonly string[]): Schema => ({ enum: [...all] })

const share = object({ successes: number, trials: number, rate: number, low: number, high: number })
const difference = object({ difference: number, low: number, high: number })

const part: Schema = {
  anyOf: [
    object({ type: oneOf('text', 'reasoning'), text: string }),
    object({ type: oneOf('tool-call'), toolName: string }),
    object({ type: oneOf('tool-result'), toolName: string, output: { type: 'object' } }),
    { ...object({ type: string }), not: object({ type: oneOf('text', 'reasoning', 'tool-call', 'tool-result') }) },
  ],
}
const message = object({ role: string, content: { anyOf: [string, listOf(part)] } })
const trial = object({ trial: number, end: string, steps: number, transcript: listOf(message) }, { problem: string })

const query = object({
  id: string,
  query: string,
  shouldTrigger: boolean,
  passed: boolean,
  invoked: { type: 'object', additionalProperties: number },
  trials: listOf(trial),
})
const triggered = object({ name: string, right: share, recall: share, precision: share, queries: listOf(query) })

const task = object({
  id: string,
  prompt: string,
  notAllowed: strings,
  assertions: listOf(object({ what: string, with: share, without: share })),
  trials: listOf({ allOf: [trial, object({ isWith: boolean })] }),
})
const helped = object({ name: string, with: share, without: share, invoked: share, difference, tasks: listOf(task) })

const change = object({ skill: string, level: string, verdict: string, isBelow: boolean })

/**
 * Schema of the parts of a report that are shown. Without this check, the view of a file that is not a report would be
 * blank.
 */
export const reportSchema: Schema = object(
  { version: { const: 1 }, model: string, stale: listOf(object({ skill: string, id: string })) },
  {
    triggers: object({ skills: listOf(triggered) }),
    outcomes: object({ skills: listOf(helped) }),
    against: object({ name: string, verdict: string, own: share, other: share }),
    comparison: object({ changes: listOf(change) }),
  },
)
