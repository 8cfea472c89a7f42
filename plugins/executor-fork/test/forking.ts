import {
  createSkills,
  defineProvider,
  loadResult,
  promptCommand,
  type Diagnostic,
  type Plugin,
  type PromptCommand,
  type Skills,
  type Host,
} from '@skills/core'
import {
  invocationKinds,
  Invoker,
  type ForkEnd,
  type InvokeRequest,
  type Outcome,
  type Runner,
  type RunRequest,
  type Trust,
} from '@skills/invocation'
import type { OnAsk, PermissionDecision, PermissionRequest } from '@skills/rules'
import { runsKind } from '@skills/runs'
import { memoryState, stateKind } from '@skills/state'
import { expanderKind } from '@skills/expansion'
import { fakeClock, fakeHost, type FakeClock } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { forkExecutor, type ForkExecutorOptions } from '../src/index.js'

export interface Setting extends ForkExecutorOptions {
  readonly commands?: readonly PromptCommand[]
  readonly run?: Runner['run'] | undefined
  readonly keepsSteps?: boolean
  readonly check?: (request: PermissionRequest) => PermissionDecision | Promise<PermissionDecision>
  readonly judge?: Trust['judge']
  readonly agrees?: Trust['agrees']
  readonly host?: Partial<Host>
  readonly more?: readonly Plugin[]
  readonly onAsk?: OnAsk
}

export interface Forking {
  readonly skills: Skills
  readonly invoker: Invoker
  readonly clock: FakeClock
  readonly told: Diagnostic[]
  /** Requests to the runner. */
  readonly requests: RunRequest[]
  readonly ended: ForkEnd[]
  readonly progress: unknown[]
  /** Requests to the permission provider. */
  readonly asked: PermissionRequest[]
  readonly state: ReturnType<typeof memoryState>
  invoke(name?: string, request?: Partial<InvokeRequest>): Promise<Outcome>
}

export const allowed: PermissionDecision = { behavior: 'allow', message: 'Yes.', decisionReason: { type: 'default' } }
export const denied: PermissionDecision = { behavior: 'deny', message: 'No.', decisionReason: { type: 'default' } }

export function skill(more: Partial<PromptCommand> = {}): PromptCommand {
  return promptCommand({
    name: 'review',
    source: 'user',
    context: 'fork',
    load: () => ({ template: 'Look at @.' }),
    ...more,
  })
}

/** Makes an engine whose forks are run by a function. Its expander replaces `@` by the arguments. */
export function forking({
  commands = [skill()],
  run = () => ({ text: 'All is well.' }),
  keepsSteps = true,
  check = () => allowed,
  judge = () => ({ level: 'trusted', isApproved: true }),
  agrees,
  host,
  more = [],
  onAsk,
  ...options
}: Setting = {}): Forking {
  const clock = fakeClock()
  const told: Diagnostic[] = []
  const requests: RunRequest[] = []
  const asked: PermissionRequest[] = []
  const state = memoryState()
  const skills = createSkills({
    host: fakeHost({ clock, ...host }),
    kinds: [...invocationKinds, expanderKind, stateKind, runsKind],
    onDiagnostic: diagnostic => told.push(diagnostic),
    plugins: [
      defineProvider({
        kind: 'source',
        id: 'source',
        setup: () => ({ source: 'user', list: () => loadResult({ commands }) }),
      }),
      defineProvider({ kind: 'trust', id: 'trust', setup: () => ({ judge, ...(agrees && { agrees }) }) }),
      defineProvider({
        kind: 'expander',
        id: 'args',
        setup: () => ({ claims: '@', lex: (_text, at) => ({ end: at + 1 }), evaluate: (_token, { args }) => args }),
      }),
      defineProvider({
        kind: 'permission',
        id: 'rules',
        setup: () => ({
          check(request) {
            asked.push(request)
            return check(request)
          },
        }),
      }),
      defineProvider({
        kind: 'runner',
        id: 'scripted',
        setup: () => ({
          keepsSteps,
          run(request, call) {
            requests.push(request)
            return run(request, call)
          },
        }),
      }),
      state,
      forkExecutor(options),
      ...more,
    ],
  })
  onTestFinished(() => skills.close())
  const ended: ForkEnd[] = []
  const progress: unknown[] = []
  skills.hook('fork:ended', end => void ended.push(end))
  skills.hook('invocation:progress', ({ event }) => void progress.push(event))
  const invoker = new Invoker(skills, { onAsk })
  return {
    skills,
    invoker,
    clock,
    told,
    requests,
    ended,
    progress,
    asked,
    state,
    invoke: (name = commands[0]?.name ?? '', request) => invoker.invoke({ name, caller: 'model', ...request }),
  }
}

/** Makes a runner that ends only when it is aborted, and counts its running calls. */
export function hanging(): {
  readonly run: Runner['run']
  readonly atWork: () => number
  readonly begun: (count: number) => Promise<void>
} {
  let working = 0
  const waiters: { readonly count: number; readonly resolve: () => void }[] = []
  return {
    atWork: () => working,
    begun: count =>
      working >= count
        ? Promise.resolve()
        : new Promise(resolve => {
            waiters.push({ count, resolve })
          }),
    run: (_request, { signal }) =>
      new Promise((_, reject) => {
        const stop = (): void => reject(new DOMException('Stopped.', 'AbortError'))
        if (signal.aborted) return stop()
        working += 1
        for (const { count, resolve } of waiters) if (working >= count) resolve()
        signal.addEventListener(
          'abort',
          () => {
            working -= 1
            stop()
          },
          { once: true },
        )
      }),
  }
}

/** Waits one turn of the event loop, after which every listener was called. */
export function turn(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve)
  })
}
