import type { CatalogEntry, Command } from '@skills/core'

/** Sources whose skills are trusted with their folder. */
const sourcesOfFolders = ['project', 'additional', 'configuration']

/**
 * Returns true if a command is trusted as soon as its folder is trusted: its source is one that trusts by folder, and
 * the command does not belong to a plugin.
 */
export function isOfFolder(command: Command): boolean {
  return command.type === 'prompt' && sourcesOfFolders.includes(command.source) && pluginFolderOf(command) === undefined
}

/** Returns true if a skill would be trusted together with the project's folder. */
export function isOfProject({ command, provider }: Pick<CatalogEntry, 'command' | 'provider'>): boolean {
  return isOfFolder(command) && !provider.startsWith('user')
}

/** Returns the folder of the plugin that a command belongs to, as its source reports it. */
export function pluginFolderOf(command: Command): string | undefined {
  if (!('plugin' in command) || typeof command.plugin !== 'object' || command.plugin === null) return undefined
  return 'path' in command.plugin && typeof command.plugin.path === 'string' ? command.plugin.path : undefined
}
