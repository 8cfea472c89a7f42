import { chmodSync } from 'node:fs'
import {
  promptCommand,
  type Diagnostic,
  type Host,
  type Note,
  type PromptCommand,
  type PromptCommandParts,
  type SetupContext,
} from '@skills/core'
import type { TrustVerdict } from '@skills/invocation'
import { memoryState, type State } from '@skills/state'
import { fakeClock, fakeHost, tempTree, type FakeClock, type TempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { trust, trustFolder, type TrustOptions } from '../src/index.js'

export const never: AbortSignal = new AbortController().signal
export const isRoot = process.getuid?.() === 0
export const isPosix = process.platform !== 'win32'

/** Makes a temporary tree that other users may enter. It is removed at the end of the test. */
export function temporary(entries: TreeEntries = {}): TempTree {
  const tree = tempTree(entries)
  chmodSync(tree.path, 0o755)
  onTestFinished(() => tree.dispose())
  return tree
}

export interface Judged {
  readonly tree: TempTree
  /** Project around the working folder, `home/app` in the tree. */
  readonly project: string
  readonly host: Host
  readonly clock: FakeClock
  readonly state: State
  readonly told: readonly Diagnostic[]
  /** Makes the command of `<project>/.claude/skills/deploy`, changed by `parts`. */
  command(parts?: Partial<PromptCommandParts>): PromptCommand
  judge(
    command?: PromptCommand,
    asksApproval?: boolean,
    signal?: AbortSignal,
    approved?: unknown,
  ): Promise<TrustVerdict>
  refuses(command?: PromptCommand): Promise<string | undefined>
  approve(command?: PromptCommand, signal?: AbortSignal): Promise<unknown>
  approveOnce(command?: PromptCommand): Promise<unknown>
  notes(command: PromptCommand): Promise<readonly Note[]>
  /** Trusts a folder, the project by default. */
  trust(folder?: string): Promise<unknown>
}

/** Sets up the provider over a tree with a project in it, without an engine. */
export async function judged(
  entries: TreeEntries = {},
  options: TrustOptions = {},
  { state = memoryState().state }: { readonly state?: State } = {},
): Promise<Judged> {
  const tree = temporary({
    'home/app/.git': { dir: true },
    'home/app/.claude/skills/deploy/SKILL.md': 'Deploy.',
    ...entries,
  })
  const project = `${tree.path}/home/app`
  const clock = fakeClock()
  const host = fakeHost({
    cwd: project,
    home: `${tree.path}/home`,
    uid: process.getuid?.(),
    clock,
    platform: process.platform,
  })
  const told: Diagnostic[] = []
  const unused = (): never => {
    throw new Error('Trust has no use for this.')
  }
  const context: SetupContext<'state' | 'executor'> = {
    signal: never,
    host,
    report: diagnostic => void told.push(diagnostic),
    hook: unused,
    effect: unused,
    invalidate: unused,
    use: kind => ({
      ids: kind === 'state' ? ['memory'] : [],
      each: kind === 'state' ? unused : async () => [],
      first: async (ask, { signal = never } = {}) => ask(state as never, { id: 'memory', signal }),
    }),
  }
  const provider = await trust(options).setup(context)
  const command = (parts: Partial<PromptCommandParts> = {}): PromptCommand => {
    const baseDir = 'baseDir' in parts ? parts.baseDir : `${project}/.claude/skills/deploy`
    return promptCommand({
      name: 'deploy',
      source: 'project',
      load: () => ({ template: '' }),
      baseDir,
      ...(baseDir !== undefined && { filePath: `${baseDir}/SKILL.md` }),
      ...parts,
    })
  }
  return {
    tree,
    project,
    host,
    clock,
    state,
    told,
    command,
    judge: async (given = command(), asksApproval = false, signal = never, approved = undefined) =>
      provider.judge(given, asksApproval, { signal, ...(typeof approved === 'string' && { approved }) }),
    refuses: async (given = command()) => provider.refuses?.(given, { signal: never }),
    approveOnce: async (given = command()) => provider.approve?.(given, { signal: never, once: true }),
    approve: async (given = command(), signal = never) => provider.approve?.(given, { signal }),
    notes: async given =>
      'explain' in provider && typeof provider.explain === 'function'
        ? provider.explain(given.name, given, { signal: never })
        : [],
    trust: (folder = project) => trustFolder(state, folder, host),
  }
}
