import * as s from '@skills/core/schema'
import type { PromptCommand } from '@skills/core'

/** Trust in a source. `folder`: a command of the source is trusted if its folder is trusted. */
export type SourceTrust = 'trusted' | 'folder' | 'untrusted'

export const standingOptions = {
  /**
   * Trust in a distribution's own sources; ours can be named too. Default: none, and an unknown source is untrusted.
   */
  sources: s.record(
    s.either(s.oneOf('trusted', 'folder', 'untrusted'), s.fn<(command: PromptCommand) => SourceTrust>()),
  ),
  /**
   * Decides whether the host vouches for a plugin that neither the user nor an administrator named. Never asked about
   * one that a project named, since a project can give its plugin any name. Default: no.
   */
  isNamed: s.fn<(pluginName: string, command: PromptCommand) => boolean>(),
}

export type StandingOptions = s.GivenOf<typeof standingOptions>

const ours: NonNullable<StandingOptions['sources']> = {
  managed: 'trusted',
  user: 'trusted',
  bundled: 'trusted',
  builtin: 'trusted',
  project: 'folder',
  additional: 'folder',
}

/**
 * Returns the trust that a command has because of its source. A command from a server is always `remote`, whatever the
 * options are.
 */
export function standingOf(
  command: PromptCommand,
  { sources = {}, isNamed = () => false }: StandingOptions,
): SourceTrust | 'remote' {
  const { source, loadedFrom, pluginName } = command
  if (source === 'mcp' || loadedFrom === 'mcp') return 'remote'
  const given = [sources, ours].find(table => Object.hasOwn(table, source))
  if (given !== undefined) {
    const standing = given[source]
    return (typeof standing === 'function' ? standing(command) : standing) ?? 'untrusted'
  }
  if (source !== 'plugin' || pluginName === undefined) return 'untrusted'
  switch (namedBy(command)) {
    case 'managed':
    case 'user':
      return 'trusted'
    case 'project':
      return 'untrusted'
    default:
      return isNamed(pluginName, command) === true ? 'trusted' : 'untrusted'
  }
}

/** Returns whose configuration names the plugin of a command, according to its source. */
export function namedBy(command: PromptCommand): unknown {
  if (!('plugin' in command) || typeof command.plugin !== 'object' || command.plugin === null) return undefined
  return 'from' in command.plugin ? command.plugin.from : undefined
}
