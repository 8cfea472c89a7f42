import { isAbsolute, relative } from 'node:path'
import { isAbortError, messageOf, type Catalog, type PromptCommand } from '@skills/core'
import { embeddedIn, type EmbeddedRules } from './embedded-in.js'

/** What the skills in a folder could do once it is trusted. */
export interface WouldRun {
  readonly skills: number
  readonly withCommands: readonly string[]
  /** Embedded commands of all of them. */
  readonly commands: number
  readonly withHooks: readonly string[]
  readonly withAllowedTools: readonly string[]
  /** Every tool that any of them allows itself, each once. */
  readonly allowedTools: readonly string[]
  /** Those whose text could not be read now, each with the reason. */
  readonly unread: readonly { readonly name: string; readonly reason: string }[]
}

/**
 * Looks at every skill that lies in a folder, reading its text.
 * @param folder absolute
 * @param rules what counts as an embedded command
 */
export async function whatWouldRun(folder: string, catalog: Catalog, rules: EmbeddedRules, signal: AbortSignal): Promise<WouldRun> {
  const commands = everyPrompt(catalog).filter(({ filePath }) => filePath !== undefined && isIn(filePath, folder))
  const withCommands: string[] = []
  const unread: { name: string; reason: string }[] = []
  let count = 0
  for (const command of commands) {
    try {
      const body = await command.load('', { signal })
      const embedded = embeddedIn(body, command, rules)
      count += embedded.length
      if (embedded.length > 0) withCommands.push(command.name)
    } catch (error) {
      if (isAbortError(error)) throw error
      unread.push({ name: command.name, reason: messageOf(error) })
    }
  }
  const withAllowedTools = commands.filter(({ allowedTools }) => allowedTools.length > 0)
  return {
    skills: commands.length, withCommands, commands: count, unread,
    withHooks: commands.filter(({ hooks }) => hooks !== undefined && hooks !== null).map(({ name }) => name),
    withAllowedTools: withAllowedTools.map(({ name }) => name),
    allowedTools: [...new Set(withAllowedTools.flatMap(({ allowedTools }) => allowedTools))],
  }
}

/** Those too that lost their name or are switched off: trust is not for today alone. */
function everyPrompt({ entries, collisions, disabled }: Catalog): readonly PromptCommand[] {
  const all = new Set([...entries.map(({ command }) => command), ...collisions.map(({ loser }) => loser.command), ...disabled.map(({ command }) => command)])
  return [...all].filter(command => command.type === 'prompt')
}

function isIn(path: string, folder: string): boolean {
  const below = relative(folder, path)
  return below !== '' && !below.startsWith('..') && !isAbsolute(below)
}
