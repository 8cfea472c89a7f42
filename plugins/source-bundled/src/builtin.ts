import * as s from '@skills/core/schema'
import { defineProvider, loadResult, SkillsError, type Command, type Provider } from '@skills/core'
import { ownCommands } from './builtin/own-commands.js'

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
      hint: `There are ${ownCommands.map(({ name }) => name).join(' and ')}.`,
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
