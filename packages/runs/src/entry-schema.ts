import * as z from 'zod/mini'
import { runStates, runVersion } from './run.js'

const text = z.string()
const maybe = z.optional(text)
const count = z.number()
const kind = z.enum(['model', 'tool', 'own'])
const holder = z.looseObject({ name: text })
const error = z.optional(z.looseObject({ code: maybe, message: text }))
const usage = z.optional(z.looseObject({}))
const question = z.looseObject({
  id: text,
  kind: z.enum(['permission', 'repeat']),
  tool: text,
  content: text,
  message: text,
})
const spec = {
  id: text,
  skill: z.looseObject({ name: text, source: text, path: maybe, digest: text, text: maybe }),
  args: text,
  caller: z.enum(['user', 'model']),
  agent: text,
  model: maybe,
  effort: z.optional(z.union([text, count])),
  tools: z.looseObject({ only: z.optional(z.array(text)), without: z.array(text) }),
  limits: z.looseObject({ maxSteps: count, ms: count }),
  session: text,
  parentId: maybe,
  toolUseId: maybe,
  depth: count,
  isBackground: z.boolean(),
  job: z.optional(
    z.looseObject({
      priority: z.optional(count),
      delayMs: z.optional(count),
      attempts: z.optional(count),
      backoffMs: z.optional(count),
      deadlineMs: z.optional(count),
      tenant: maybe,
    }),
  ),
  trace: z.optional(z.record(text, text)),
}
const held = { at: count, epoch: count }
const step = { ...held, key: text, kind, digest: text }

/** One line of a journal, as this version writes it; what a later one adds to a line is kept. */
export const entrySchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('queued'), at: count, version: z.literal(runVersion), spec: z.looseObject(spec) }),
  z.looseObject({ type: z.literal('taken'), ...held, holder }),
  z.looseObject({ type: z.literal('begun'), ...step, idempotent: z.boolean(), title: maybe }),
  z.looseObject({ type: z.literal('finished'), ...step }),
  z.looseObject({ type: z.literal('asked'), ...held, question }),
  z.looseObject({ type: z.enum(['parked', 'restarted']), ...held }),
  z.looseObject({ type: z.literal('released'), ...held, reason: text }),
  z.looseObject({
    type: z.literal('ended'),
    ...held,
    state: z.enum(['done', 'failed', 'cancelled']),
    result: maybe,
    usage,
    error,
  }),
  z.looseObject({ type: z.literal('answered'), at: count, question: text, answer: z.enum(['allow', 'deny']) }),
  z.looseObject({ type: z.literal('cancelling'), at: count, reason: maybe }),
  z.looseObject({ type: z.literal('retried'), at: count, isFresh: z.boolean() }),
  z.looseObject({ type: z.literal('delivered'), at: count, session: text }),
])

/** A run as JSON Schema. The file is imported on use: the library takes tens of milliseconds to load. */
export const schema: Readonly<Record<string, unknown>> = {
  ...z.toJSONSchema(
    z.object({
      ...spec,
      version: z.literal(runVersion),
      state: z.enum(runStates),
      epoch: count,
      holder: z.optional(holder),
      question: z.optional(question),
      isCancelling: z.boolean(),
      progress: z.object({ steps: count, calls: count, last: maybe }),
      result: maybe,
      usage,
      error,
      delivered: maybe,
      queuedAt: count,
      startedAt: z.optional(count),
      endedAt: z.optional(count),
      entries: count,
    }),
  ),
}
