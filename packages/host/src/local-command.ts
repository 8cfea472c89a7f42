import { defineProvider, loadResult, type LocalCommand, type Provider } from '@skills/core'

/**
 * Makes a command of the host that runs in its process, such as `/compact`, for `openSkills({ commands })`. Only people
 * can run it.
 *
 *     localCommand({ name: 'clear', description: 'Clears the screen.', call: () => ({ text: '' }) })
 *
 * @param parts.call returns text for the person, or nothing; it can also say that the model is not asked
 */
export function localCommand(
  parts: Pick<LocalCommand, 'name' | 'description' | 'call'> & Partial<LocalCommand>,
): LocalCommand {
  return {
    type: 'local',
    displayName: parts.name,
    aliases: [],
    hasUserSpecifiedDescription: true,
    source: 'builtin',
    loadedFrom: 'builtin',
    userInvocable: true,
    isHidden: false,
    isEnabled: () => true,
    ...parts,
  }
}

/** Makes the source of the host's commands. They take precedence over built-in ones of the same name. */
export function hostCommands(commands: readonly LocalCommand[]): Provider<'source'> {
  const result = loadResult({ commands })
  return defineProvider({
    kind: 'source',
    id: 'host',
    order: -1,
    setup: () => ({ source: 'builtin', list: () => result, refresh: () => undefined }),
  })
}
