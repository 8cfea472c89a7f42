import {
  createSkills,
  defineProvider,
  loadResult,
  type Catalog,
  type Command,
  type Diagnostic,
  type LoadParts,
  type LocalCommand,
  type LocalUiCommand,
  type Plugin,
  type PromptCommand,
  type Skills,
  type SkillsOptions,
  type View,
} from '@skills/core'
import { fakeHost } from '@skills/testing'
import { onTestFinished } from 'vitest'

/** Makes a user skill with a description. */
export function skill(name: string, more: Partial<PromptCommand> = {}): PromptCommand {
  return {
    type: 'prompt',
    name,
    displayName: name,
    aliases: [],
    description: `About ${name}.`,
    hasUserSpecifiedDescription: true,
    source: 'user',
    loadedFrom: 'skills',
    userInvocable: true,
    isHidden: false,
    isEnabled: () => true,
    argumentNames: [],
    contentLength: 0,
    allowedTools: [],
    disallowedTools: [],
    context: 'inline',
    paths: [],
    shell: 'bash',
    requires: [],
    disableModelInvocation: false,
    isSkill: true,
    progressMessage: 'loading',
    metadata: {},
    load: () => ({ template: '' }),
    ...more,
  }
}

export function local(name: string, more: Partial<LocalCommand> = {}): LocalCommand {
  return {
    type: 'local',
    name,
    displayName: name,
    aliases: [],
    description: `Does ${name}.`,
    hasUserSpecifiedDescription: true,
    source: 'builtin',
    loadedFrom: 'builtin',
    userInvocable: true,
    isHidden: false,
    isEnabled: () => true,
    call: () => undefined,
    ...more,
  }
}

/** Makes a source that returns these commands. */
export function giving(id: string, parts: LoadParts): Plugin {
  return defineProvider({ kind: 'source', id, setup: () => ({ source: id, list: () => loadResult(parts) }) })
}

export function engine(
  plugins: readonly Plugin[],
  options: Partial<SkillsOptions> = {},
): Skills & { readonly told: readonly Diagnostic[] } {
  const told: Diagnostic[] = []
  const skills = createSkills({
    host: fakeHost(),
    plugins,
    onDiagnostic: diagnostic => told.push(diagnostic),
    ...options,
  })
  onTestFinished(() => skills.close())
  return { ...skills, told }
}

const { signal } = new AbortController()

/** Returns the answer of a local command. */
export async function textOf(skills: Skills, name: string, args = ''): Promise<string> {
  const command = commandOf(await skills.catalog(), name)
  if (command.type !== 'local') throw new TypeError(`${name} is no local command.`)
  const outcome = await (command satisfies LocalCommand).call(args, { signal, catalog: () => skills.catalog() })
  return outcome !== undefined && 'text' in outcome ? outcome.text : ''
}

/** Returns the view of a local-ui command. */
export async function viewOf(skills: Skills, name: string): Promise<View> {
  const command = commandOf(await skills.catalog(), name)
  if (command.type !== 'local-ui') throw new TypeError(`${name} has nothing to show.`)
  let shown: View | undefined
  await (command satisfies LocalUiCommand).call('', {
    signal,
    catalog: () => skills.catalog(),
    render: async view => void (shown = view),
  })
  if (shown === undefined) throw new TypeError(`${name} showed nothing.`)
  return shown
}

function commandOf(catalog: Catalog, name: string): Command {
  return catalog.require(name).command
}
