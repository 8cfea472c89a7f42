import * as z from 'zod/mini'
import { runError } from './run-error.js'
import { runStates, runVersion, type RunEntry } from './run.js'

const text = z.string()
const maybe = z.optional(text)
const count = z.number()
/** Name that a queue stores beside the run, to count the runs of one tenant. */
const isName = 'it has to be a text of at most 1,024 characters, without control characters'
const name = z.optional(z.string(isName).check(z.maxLength(1024, isName), z.regex(/^[^\p{Cc}\p{Cs}]*$/u, isName)))
const ms = z.optional(z.number().check(z.nonnegative(), z.lte(Number.MAX_SAFE_INTEGER)))
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
  model: name,
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
      // Limit of BullMQ.
      priority: z.optional(z.int().check(z.gte(0), z.lte(2 ** 21))),
      delayMs: ms,
      attempts: z.optional(z.int().check(z.gte(1))),
      backoffMs: ms,
      deadlineMs: ms,
      tenant: name,
    }),
  ),
  trace: z.optional(z.record(text, text)),
}
const held = { at: count, epoch: count }
const step = { ...held, key: text, kind, digest: text }

/** Line of a journal in this version. Fields that a later version adds are kept. */
const entrySchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('queued'), at: count, version: z.literal(runVersion), spec: z.looseObject(spec) }),
  z.looseObject({ type: z.literal('taken'), ...held, holder }),
  z.looseObject({ type: z.literal('begun'), ...step, idempotent: z.boolean(), title: maybe }),
  z.looseObject({ type: z.literal('finished'), ...step }),
  z.looseObject({ type: z.literal('asked'), ...held, question }),
  z.looseObject({ type: z.enum(['parked', 'restarted']), ...held }),
  z.looseObject({ type: z.literal('released'), ...held, reason: text, isFailure: z.optional(z.boolean()) }),
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

/**
 * Checks an entry before it is written. Returns the entry in the form in which it will be read, or the problem.
 * @param decoded the decoded line
 */
export function checkedEntry(decoded: object | undefined): { readonly entry: RunEntry } | { readonly problem: string } {
  const read = entrySchema.safeParse(decoded)
  if (read.success) return { entry: read.data as RunEntry }
  const [{ path = [], message } = { message: 'it is not an entry' }] = read.error.issues
  return { problem: `${path.length === 0 ? 'an entry' : JSON.stringify(path.join('.'))} is wrong (${message})` }
}

/**
 * Returns the entry of a line. Throws `E_RUN_JOURNAL` if the line cannot be read, is not the expected entry, or was
 * written by a later version.
 * @param decoded the decoded line; undefined if it is not a JSON object
 * @param what names the journal in the message
 * @param number number of the line, from 0
 */
export function readEntry(decoded: object | undefined, what: string, number: number): RunEntry {
  const version: unknown = number === 0 && decoded !== undefined ? Reflect.get(decoded, 'version') : undefined
  if (typeof version === 'number' && version > runVersion)
    throw runError(
      'E_RUN_JOURNAL',
      `${what} was written by a later version of this program (its version is ${version}), so this version leaves the run unchanged.`,
      'Update this program.',
    )
  const checked = checkedEntry(decoded)
  if (decoded !== undefined && 'entry' in checked && Reflect.get(decoded, 'n') === number) return checked.entry
  throw runError(
    'E_RUN_JOURNAL',
    `${what} is damaged: its line ${number + 1} is ${decoded === undefined ? 'not a JSON object' : 'not the entry that belongs there'}. The run is not continued, and the journal is not changed.`,
    'Look at what the run has done so far, and start a new run if that is safe.',
  )
}

/**
 * JSON Schema of a run. This file is imported only when it is used, because the library takes tens of milliseconds to
 * load.
 */
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
      failures: z.optional(count),
      delivered: maybe,
      queuedAt: count,
      startedAt: z.optional(count),
      endedAt: z.optional(count),
      entries: count,
    }),
  ),
}
