import { existsSync, readdirSync, readFileSync } from 'node:fs'
import {
  createSkills,
  defineProvider,
  loadResult,
  promptCommand,
  type Diagnostic,
  type Host,
  type Plugin,
  type PromptCommand,
  type Skills,
  type Source,
} from '@skills/core'
import {
  decide,
  invocationKinds,
  Invoker,
  registerHooks,
  type HookPayload,
  type HookSource,
  type HookVerdict,
  type SkillHookEvent,
} from '@skills/invocation'
import type { TrustLevel } from '@skills/rules'
import { fakeClock, fakeHost, tempTree, type FakeClock, type TempTree } from '@skills/testing'
import { expect, onTestFinished, vi } from 'vitest'
import { commandHooks, type CommandHooksOptions } from '../src/index.js'

export interface Given extends CommandHooksOptions {
  readonly tree?: TempTree
  readonly host?: Partial<Host>
  readonly plugins?: readonly Plugin[]
  /** Commands with hooks that plugins have from the start of a session. */
  readonly fromStart?: readonly PromptCommand[]
  readonly trustOf?: (command: PromptCommand) => TrustLevel
  /** Decides whether a command is approved, if asked. Default: it needs no approval. */
  readonly isApproved?: (command: PromptCommand) => boolean
}

export interface Bench {
  readonly tree: TempTree
  readonly clock: FakeClock
  readonly skills: Skills
  readonly told: Diagnostic[]
  invoke(name: string, agentId?: string): Promise<unknown>
  ask(event: SkillHookEvent, payload?: HookPayload, signal?: AbortSignal): Promise<HookVerdict>
  /** Returns the lines of a file in the tree, which hooks write; none if it does not exist. */
  lines(file: string): readonly string[]
}

export function skill(name: string, declared: unknown, more: Partial<PromptCommand> = {}): PromptCommand {
  return promptCommand({ name, source: 'user', hooks: declared, load: () => ({ template: name }), ...more })
}

/** Declares hooks of one event, for every tool. */
export function hooks(event: string, ...commands: readonly string[]): Record<string, unknown> {
  return { [event]: [{ hooks: commands.map(command => ({ type: 'command', command })) }] }
}

/** Makes an engine with hooks. Invoking a skill registers them, and fails if its template is `fail`. */
export function engine(
  commands: readonly PromptCommand[],
  {
    tree = tempTree(),
    host = {},
    plugins = [],
    fromStart = [],
    trustOf = () => 'trusted',
    isApproved,
    ...options
  }: Given = {},
): Bench {
  const clock = fakeClock()
  const told: Diagnostic[] = []
  const source: Source & HookSource = { source: 'user', list: () => loadResult({ commands }), hooks: () => fromStart }
  const skills = createSkills({
    kinds: invocationKinds,
    onDiagnostic: diagnostic => told.push(diagnostic),
    host: fakeHost({ cwd: tree.path, clock, env: { PATH: process.env['PATH'] }, sessionId: 's-1', ...host }),
    plugins: [
      defineProvider({ kind: 'source', id: 'source', setup: () => source }),
      defineProvider({
        kind: 'trust',
        id: 'trust',
        setup: () => ({
          judge: (command, asks) => ({
            level: trustOf(command),
            isApproved: isApproved === undefined || (asks && isApproved(command)),
          }),
        }),
      }),
      defineProvider({
        kind: 'permission',
        id: 'all',
        setup: () => ({ check: () => ({ behavior: 'allow', message: 'Yes', decisionReason: { type: 'default' } }) }),
      }),
      defineProvider({
        kind: 'executor',
        id: 'inline',
        wants: ['hooks'],
        setup: ctx => ({
          async execute(invocation, { signal }) {
            const undo = await registerHooks(ctx.use('hooks'), invocation, { signal })
            if ('template' in invocation.body && invocation.body.template === 'fail') {
              undo()
              throw new Error('It failed.')
            }
            return { data: { success: true, commandName: invocation.command.name, status: 'inline' }, newMessages: [] }
          },
        }),
      }),
      commandHooks(options),
      ...plugins,
    ],
  })
  onTestFinished(async () => {
    await skills.close()
    tree.dispose()
  })
  const invoker = new Invoker(skills)
  return {
    tree,
    clock,
    skills,
    told,
    invoke: (name, agentId) => invoker.invoke({ name, caller: 'model', agentId }),
    ask: (event, payload = {}, signal) => decide(skills, event, payload, { signal }),
    lines: file =>
      existsSync(`${tree.path}/${file}`) ? readFileSync(`${tree.path}/${file}`, 'utf8').trimEnd().split('\n') : [],
  }
}

/** Waits until no process of a group is left, apart from zombies. */
export async function expectGroupGone(group: string | undefined): Promise<void> {
  expect(group).toMatch(/^\d+$/)
  await vi.waitFor(() => expect(membersOf(group)).toEqual([]), { timeout: 10_000, interval: 5 })
}

function membersOf(group: string | undefined): readonly string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(id => {
      const [state, , member] = statusOf(id)
      return member === group && state !== 'Z' && state !== 'X'
    })
}

/** Returns state, parent and group of a process; nothing if it is gone. */
function statusOf(id: string): readonly string[] {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return []
    throw error
  }
}
