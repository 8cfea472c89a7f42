import {
  createSkills,
  defineProvider,
  loadResult,
  promptCommand,
  type CatalogEntry,
  type Clock,
  type Diagnostic,
  type Plugin,
  type PromptCommand,
  type PromptCommandParts,
  type Skills,
  type SkillsOptions,
} from '@skills/core'
import { fakeClock, fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { Invoker, invocationKinds, type InvokerOptions, type Trust, type TrustVerdict } from '@skills/invocation'
import type { Permission, PermissionDecision, PermissionRequest } from '@skills/rules'
import { onTestFinished } from 'vitest'
import { permissionRules, type PermissionRules, type PermissionRulesOptions } from '../src/index.js'

export function temporary(entries: TreeEntries = {}): TempTree {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

/** Makes a skill with a field that needs permission, unless a test says otherwise. */
export function skill(name: string, parts: Partial<PromptCommandParts> = {}): PromptCommand {
  return promptCommand({
    name,
    source: 'user',
    description: 'Does it.',
    model: 'large',
    load: () => ({ template: 'Do it.' }),
    ...parts,
  })
}

export function entryOf(command: PromptCommand, parts: Partial<CatalogEntry> = {}): CatalogEntry {
  return { name: command.name, command, provider: 'test', override: 'on', isQualified: false, ...parts }
}

/** Makes a request to invoke a skill, or to use a tool for it. */
export function requestFor(entry: CatalogEntry | string, parts: Partial<PermissionRequest> = {}): PermissionRequest {
  const given = typeof entry === 'string' ? entryOf(skill(entry)) : entry
  return { tool: 'Skill', content: given.name, entry: given, trust: 'trusted', caller: 'model', args: '', ...parts }
}

export function script(content: string, parts: Partial<PermissionRequest> = {}): PermissionRequest {
  return requestFor('deploy', { tool: 'Bash', content, ...parts })
}

export interface Asking {
  readonly rules: PermissionRules
  readonly told: readonly Omit<Diagnostic, 'provider'>[]
  readonly permission: Permission
  check(request: PermissionRequest, signal?: AbortSignal): Promise<PermissionDecision>
}

export interface AskingOptions extends PermissionRulesOptions {
  readonly trust?: Trust['judge']
  readonly clock?: Clock
}

const approving: TrustVerdict = { level: 'trusted', isApproved: true }

/** Sets the provider up as an engine does, but without an engine. By default every skill is trusted and approved. */
export async function asking({
  trust = () => approving,
  clock = fakeClock(Date.now() + 60_000),
  ...options
}: AskingOptions = {}): Promise<Asking> {
  const rules = permissionRules(options)
  const told: Omit<Diagnostic, 'provider'>[] = []
  const never = new AbortController().signal
  const unused = (): never => {
    throw new Error('Permissions have no use for this.')
  }
  const permission = await rules.setup({
    signal: never,
    host: fakeHost({ clock }),
    report: diagnostic => told.push(diagnostic),
    hook: unused,
    effect: unused,
    invalidate: unused,
    use: () => ({
      ids: ['test'],
      each: unused,
      first: async ask => ask({ judge: trust } as never, { id: 'test', signal: never }),
    }),
  })
  return { rules, told, permission, check: async (request, signal = never) => permission.check(request, { signal }) }
}

/** Returns a decision in short form: the behaviour, and the rule that decides if one does. */
export async function shortly(asked: Asking, request: PermissionRequest): Promise<string> {
  const {
    behavior,
    decisionReason: { type, rule },
  } = await asked.check(request)
  return [behavior, rule ?? (type === 'default' ? undefined : type)].filter(part => part !== undefined).join(' ')
}

export function trustProvider(judge: Trust['judge'] = () => approving): Plugin {
  return defineProvider({ kind: 'trust', id: 'test-trust', setup: () => ({ judge }) })
}

export interface Engine {
  readonly skills: Skills
  readonly invoker: Invoker
  readonly told: Diagnostic[]
}

/** Makes an engine of some skills, whose executor returns the body as a message. */
export function engine(
  commands: readonly PromptCommand[],
  plugins: readonly Plugin[],
  { onAsk, ...options }: Partial<SkillsOptions> & InvokerOptions = {},
): Engine {
  const told: Diagnostic[] = []
  const skills = createSkills({
    host: fakeHost({ clock: fakeClock(Date.now() + 60_000) }),
    plugins: [
      defineProvider({
        kind: 'source',
        id: 'test',
        setup: () => ({ source: 'user', list: () => loadResult({ commands }) }),
      }),
      defineProvider({
        kind: 'executor',
        id: 'inline',
        setup: () => ({
          execute: ({ entry, body }) => ({
            data: { success: true, commandName: entry.name, status: 'inline' },
            newMessages: [{ type: 'user', content: 'template' in body ? body.template : body.blocks }],
          }),
        }),
      }),
      ...plugins,
    ],
    kinds: invocationKinds,
    onDiagnostic: diagnostic => told.push(diagnostic),
    ...options,
  })
  onTestFinished(() => skills.close())
  return { skills, invoker: new Invoker(skills, { onAsk }), told }
}
