import { askingValues } from '@skills/core/fields'
import { firstUnsafeField } from '@skills/invocation'
import { findEmbeddedCommands } from '@skills/expansion'
import { isAbortError, messageOf, type PromptCommand } from '@skills/core'
import type { Distribution } from './distribution.js'

function isSet(value: unknown, otherwise: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === otherwise) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Lists for a person what a skill does besides being read: each embedded command, hooks, and every field that needs
 * permission. Undefined if the skill does nothing else.
 */
export async function skillText(
  command: PromptCommand,
  shell: Distribution['shell'],
  signal: AbortSignal | undefined,
): Promise<{ readonly text: string } | { readonly reason: string } | undefined> {
  try {
    const body = await command.load('', { signal: signal ?? new AbortController().signal })
    const embedded =
      shell === false || !('template' in body)
        ? []
        : findEmbeddedCommands(body.template, { ...shell, shell: command.shell })
    const lines = [
      ...embedded.map(({ script }) => `runs: ${script}`),
      ...askingValues(command).flatMap(({ asked, value, otherwise }) =>
        isSet(value, otherwise) ? [`${asked}: ${wordsOf(value)}`] : [],
      ),
    ]
    const other = firstUnsafeField(command)
    if (lines.length === 0 && other !== undefined) lines.push(`sets: ${other}`)
    return lines.length > 0 ? { text: lines.join('\n') } : undefined
  } catch (error) {
    if (isAbortError(error)) throw error
    return { reason: messageOf(error) }
  }
}
