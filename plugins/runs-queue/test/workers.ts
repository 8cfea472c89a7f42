import {
  createSkills,
  defineProvider,
  isAbortError,
  loadResult,
  systemClock,
  type LoadParts,
  type Plugin,
  type PromptBody,
  type Skills,
} from '@skills/core'
import { invocationKinds, type Invocation, type Tracer, type Trust } from '@skills/invocation'
import { expanderKind } from '@skills/expansion'
import { runsKind, type RunRecord, type RunSpec } from '@skills/runs'
import type { HeldRun, RunJob } from '@skills/runs/internal'
import { memoryState, stateKind } from '@skills/state'
import { fakeHost } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { openQueuedRuns, queuedRuns, startWorker, type OpenedRuns } from '../src/index.js'
import { memoryRuns, openMemoryRuns, type MemoryServer } from './memory-queue.js'
import type { WorkerOptions } from '@skills/runs/internal'

/** Values that a worker gets for a run. */
export interface Work {
  readonly invocation: Invocation
  readonly held: HeldRun
  readonly body: PromptBody
}

export interface Setting extends WorkerOptions {
  readonly commands?: LoadParts['commands']
  /** Returns the result of the run. */
  readonly does?: ((work: Work) => Promise<string> | string) | undefined
  readonly judge?: Trust['judge']
  readonly refuses?: Trust['refuses']
  readonly more?: readonly Plugin[]
  readonly tracer?: Tracer
}

/** Workers of one queue in this process. */
export interface Workers {
  readonly runs: OpenedRuns
  /** Errors that their workers reported. */
  readonly errors: string[]
  submit(id: string, job?: RunJob, more?: Partial<RunSpec>): Promise<RunRecord>
  start(setting?: Setting): Promise<Skills>
}

let queues = 0
/** Key of every host of these queues. */
export const key = 'a key that every host of a test has.'

/**
 * @param server URL of a server, or one in memory
 * @param clock clock of the process that submits runs
 */
export function workersOf(server: string | MemoryServer, clock = systemClock): Workers {
  const name = `workers_${process.pid}_${(queues += 1)}`
  const host = fakeHost({ clock })
  const runs =
    typeof server === 'string'
      ? openQueuedRuns(host, { url: server, name, key })
      : openMemoryRuns(server, host, name, key)
  onTestFinished(() => runs.close())
  const errors: string[] = []
  return {
    runs,
    errors,
    submit: (id, job, more) => runs.submit({ ...specOf(id), ...(job && { job }), ...more }),
    async start({ commands = [], does = () => 'Done.', judge, refuses, more = [], tracer, ...options } = {}) {
      const fork = defineProvider({
        kind: 'executor',
        id: 'fork',
        wants: ['runs'],
        setup: ctx => ({
          async execute(invocation) {
            const kept = await ctx.use('runs').first(one => one)
            const held = await kept?.take(invocation.run ?? '')
            if (held === undefined) throw new Error('There are no runs.')
            try {
              const result = await does({ invocation, held, body: invocation.body })
              await held.end({ state: 'done', result })
            } catch (error) {
              if (isAbortError(error)) await held.end({ state: 'cancelled' })
              else await held.end({ state: 'failed', error: { message: String(error) } })
            }
            return { data: { success: true, commandName: '', status: 'forked' }, newMessages: [] }
          },
        }),
      })
      const skills = createSkills({
        host: fakeHost({ clock: systemClock }),
        kinds: [...invocationKinds, expanderKind, stateKind, runsKind],
        onDiagnostic: () => {},
        plugins: [
          defineProvider({
            kind: 'source',
            id: 'own',
            setup: () => ({ source: 'user', list: () => loadResult({ commands }) }),
          }),
          defineProvider({
            kind: 'trust',
            id: 'trust',
            setup: () => ({
              judge: judge ?? (() => ({ level: 'trusted', isApproved: true })),
              ...(refuses && { refuses }),
            }),
          }),
          defineProvider({
            kind: 'permission',
            id: 'rules',
            setup: () => ({
              check: () => ({ behavior: 'ask', message: 'No rule.', decisionReason: { type: 'default' } }),
            }),
          }),
          memoryState(),
          fork,
          typeof server === 'string' ? queuedRuns({ url: server, name, key }) : memoryRuns(server, name, key),
          ...(tracer === undefined ? [] : [defineProvider({ kind: 'tracer', id: 'traces', setup: () => tracer })]),
          ...more,
        ],
      })
      const worker = await startWorker(skills, {
        lockMs: 2_000,
        drainMs: 5_000,
        onError: ({ message }) => void errors.push(message),
        ...options,
      })
      onTestFinished(() => worker.close())
      return skills
    },
  }
}

export function specOf(id: string): RunSpec {
  return {
    id,
    skill: { name: 'work', source: 'user', digest: 'a1' },
    args: id,
    caller: 'user',
    agent: 'general-purpose',
    tools: { without: [] },
    limits: { maxSteps: 5, ms: 60_000 },
    session: 's',
    depth: 0,
    isBackground: true,
  }
}
