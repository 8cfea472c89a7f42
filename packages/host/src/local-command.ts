import { defineProvider, loadResult, type LocalCommand, type Provider } from '@skills/core'

/**
 * A command of the host's own that runs in its process, such as `/compact`, for `openSkills({ commands })`. It is for
 * people alone.
 *
 *     localCommand({ name: 'clear', description: 'Clears the screen.', call: () => ({ text: '' }) })
 *
 * @param parts.call gives text for the person, nothing, or that the model is not to be asked
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

/** Commands of the host; one that has the name of a built-in one comes before it. */
export function hostCommands(commands: readonly LocalCommand[]): Provider<'source'> {
  const result = loadResult({ commands })
  return defineProvider({
    kind: 'source',
    id: 'host',
    order: -1,
    setup: () => ({ source: 'builtin', list: () => result, refresh: () => undefined }),
  })
}
