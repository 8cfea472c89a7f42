import * as s from '@skills/core/schema'
import { defineProvider, loadResult, SkillsError, type Command, type Provider } from '@skills/core'
import type { LocalCommand, LocalUiCommand } from '@skills/core'

const shared = {
  aliases: [],
  hasUserSpecifiedDescription: true,
  source: 'builtin',
  loadedFrom: 'builtin',
  userInvocable: true,
  isHidden: false,
  isEnabled: () => true,
} as const

// Their implementations are loaded when they are invoked, because most programs only list them.

const help: LocalCommand = {
  ...shared,
  type: 'local',
  name: 'help',
  displayName: 'help',
  description: 'Lists the commands you can invoke, or tells about one.',
  argumentHint: '[name]',
  async call(args, ctx) {
    const [{ helpText }, catalog] = await Promise.all([import('./builtin/help-text.js'), ctx.catalog()])
    return { text: helpText(args, catalog) }
  },
}

const skills: LocalUiCommand = {
  ...shared,
  type: 'local-ui',
  name: 'skills',
  displayName: 'skills',
  description: 'Shows every skill, where it comes from and whether it is in use.',
  async call(_args, ctx) {
    const [{ skillsView }, catalog] = await Promise.all([import('./builtin/skills-view.js'), ctx.catalog()])
    await ctx.render(skillsView(catalog))
  },
}

/** Commands of the engine itself, by name. */
const ownCommands: readonly Command[] = [help, skills]

const builtinSourceOptions = s.options('builtinSource()', {
  /** Further commands of the host. One with the name of ours replaces it. */
  commands: s.list(s.typed<Command>('a command')).default([]),
  /** Names of our commands to leave out. */
  without: s.list(s.text()).default([]),
})

export interface BuiltinSourceOptions extends s.OptionsOf<typeof builtinSourceOptions> {}

/**
 * Makes the source `builtin`: `/help` and `/skills`, and the commands that a host adds. See docs/reference/bundled.md,
 * "Built-in commands".
 * @throws SkillsError `E_INVALID_OPTION` if `without` names a command that does not exist
 */
export function builtinSource(given?: BuiltinSourceOptions): Provider<'source'> {
  const { commands, without } = builtinSourceOptions.read(given)
  const unknown = without.find(name => ownCommands.every(command => command.name !== name))
  if (unknown !== undefined) {
    throw new SkillsError('E_INVALID_OPTION', `There is no built-in command "${unknown}" to leave out.`, {
      hint: `The built-in commands are ${ownCommands.map(({ name }) => name).join(' and ')}.`,
    })
  }
  const taken = new Set([...without, ...commands.map(({ name }) => name)])
  const result = loadResult({ commands: [...ownCommands.filter(({ name }) => !taken.has(name)), ...commands] })
  return defineProvider({
    kind: 'source',
    id: 'builtin',
    setup: () => ({ source: 'builtin', list: () => result, refresh: () => undefined }),
  })
}
