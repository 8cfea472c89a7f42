import {
  createSkills,
  loadResult,
  promptCommand,
  type CatalogEntry,
  type Command,
  type Gate,
  type LoadParts,
  type Override,
  type PromptCommand,
  type Skills,
} from '@skills/core'
import { invocationKinds, type Outcome } from '@skills/invocation'
import type { Permission, PermissionDecision } from '@skills/rules'
import { fakeHost } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { formatterKind, type EnginePort, type Formatter, type Listing } from '../src/skill-tool.js'
import type { ModelQuestion, ModelRequest } from '../src/skill-tool/engine-port.js'

export function skill(name: string, parts: Partial<PromptCommand> = {}): PromptCommand {
  return promptCommand({
    name,
    source: 'user',
    description: `Does ${name}.`,
    load: () => ({ template: `Do ${name}.` }),
    ...parts,
  })
}

/** Makes a command of the host's own, which no model may invoke. */
export function local(name: string): Command {
  return {
    type: 'local',
    name,
    displayName: name,
    aliases: [],
    description: name,
    hasUserSpecifiedDescription: true,
    source: 'builtin',
    loadedFrom: 'builtin',
    userInvocable: true,
    isHidden: false,
    isEnabled: () => true,
    call: () => undefined,
  }
}

export interface Loaded extends LoadParts {
  readonly overrides?: Readonly<Record<string, Override>>
  readonly formatter?: Formatter
  readonly gate?: Gate
  /** Default: no permission provider. */
  readonly permission?: Permission
}

/** Starts an engine over these commands. */
export function engineOver({ overrides = {}, formatter, gate, permission, ...parts }: Loaded): Skills {
  const skills = createSkills({
    host: fakeHost(),
    onDiagnostic: () => {},
    kinds: [...invocationKinds, formatterKind],
    overrides,
    plugins: [
      { kind: 'source', id: 'user', setup: () => ({ source: 'user', list: () => loadResult(parts) }) },
      ...(gate === undefined ? [] : [{ kind: 'gate', id: 'condition', setup: () => gate } as const]),
      ...(permission === undefined ? [] : [{ kind: 'permission', id: 'rules', setup: () => permission } as const]),
      ...(formatter === undefined ? [] : [{ kind: 'formatter', id: 'names', setup: () => formatter } as const]),
    ],
  })
  onTestFinished(() => skills.close())
  return skills
}

export interface Port extends EnginePort {
  readonly questions: readonly ModelQuestion[]
  readonly requests: readonly ModelRequest[]
}

export const allowed: PermissionDecision = {
  behavior: 'allow',
  message: 'Yes.',
  decisionReason: { type: 'rule', rule: 'Skill' },
}

/** Makes a port that allows everything and does nothing, unless a test overrides parts of it. */
export function portOver(loaded: Loaded, parts: Partial<EnginePort> & { readonly outcome?: Outcome } = {}): Port {
  const skills = engineOver(loaded)
  const questions: ModelQuestion[] = []
  const requests: ModelRequest[] = []
  const { outcome, ...rest } = parts
  return {
    questions,
    requests,
    catalog: options => skills.catalog(options),
    listing: () => Promise.resolve(listingOf([])),
    permission(question) {
      questions.push(question)
      return Promise.resolve(allowed)
    },
    invoke(request) {
      requests.push(request)
      return Promise.resolve(
        outcome ?? { data: { success: true, commandName: request.name, status: 'inline' }, newMessages: [] },
      )
    },
    ...rest,
  }
}

/** Makes a listing of names, and of others that were left out. */
export function listingOf(names: readonly string[], omitted: readonly string[] = []): Listing {
  const entries = names.map(name => ({ name, text: `- ${name}: Does ${name}.`, shown: 'whole' }) as const)
  const text = [...entries.map(entry => entry.text), ...(omitted.length > 0 ? [`(${omitted.length} more)`] : [])].join(
    '\n',
  )
  return { text, entries, omitted, truncated: [], budgetChars: 8000, usedChars: text.length }
}

/** Makes a formatter that lists names as the catalog has them. */
export function namesFormatter(most = Infinity): Formatter {
  let last: { readonly names: string; readonly listing: Listing } | undefined
  return {
    format(entries: readonly CatalogEntry[]) {
      const all = entries.map(({ name }) => name)
      const names = all.join()
      if (last?.names !== names) last = { names, listing: listingOf(all.slice(0, most), all.slice(most)) }
      return last.listing
    },
  }
}
