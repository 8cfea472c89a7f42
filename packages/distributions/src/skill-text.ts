import { firstUnsafeField } from '@skills/invocation'
import { findEmbeddedCommands } from '@skills/expansion'
import { isAbortError, messageOf, type PromptCommand } from '@skills/core'
import type { Distribution } from './distribution.js'

const fields = [
  ['allowedTools', 'allows itself'],
  ['disallowedTools', 'takes away'],
  ['hooks', 'hooks'],
  ['model', 'model'],
  ['effort', 'effort'],
  ['context', 'runs as'],
  ['agent', 'agent'],
  ['background', 'in the background'],
  ['shell', 'shell'],
  ['onShellError', 'when a command fails'],
] as const satisfies readonly (readonly [keyof PromptCommand, string])[]

/** What is so without them. */
const usual: Readonly<Record<string, unknown>> = { context: 'inline', shell: 'bash' }

function isSet(value: unknown, field: string): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === usual[field]) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * What a skill does besides being read, for a person: each embedded command, hooks, and every field that asks for
 * permission. Undefined for one that is only to be read.
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
      ...fields.flatMap(([field, words]) =>
        isSet(command[field], field) ? [`${words}: ${wordsOf(command[field])}`] : [],
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
