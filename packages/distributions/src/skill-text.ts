import { askingValues } from '@skills/core/fields'
import { firstUnsafeField } from '@skills/invocation'
import { findEmbeddedCommands } from '@skills/expansion'
import { findScriptsOfAnyDialect } from '@skills/expansion/internal'
import { readWholeFile } from '@skills/files'
import { parseFrontmatter, readFields } from '@skills/skill-md'
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

/** Returns a line for each field that needs permission, with its value. */
function fieldLines(command: object): readonly string[] {
  return askingValues(command).flatMap(({ asked, value, otherwise }) =>
    isSet(value, otherwise) ? [`${asked}: ${wordsOf(value)}`] : [],
  )
}

/** Returns the lines of all fields that a skill's file declares, also of those that this distribution does not read. */
async function declaredLines(
  { filePath, file }: PromptCommand,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (filePath === undefined || file === undefined) return []
  const read = await readWholeFile(filePath, { within: [file.realPath], signal })
  if (read === undefined || 'problem' in read) return []
  const parsed = await parseFrontmatter(read.bytes)
  return parsed.ok ? fieldLines(readFields(parsed.data).fields) : []
}

/**
 * Lists for a person what a skill does besides being read: each embedded command, hooks, and every field that needs
 * permission. Trust counts for every distribution, so what only another one runs or reads is listed too. Undefined if
 * the skill does nothing else.
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
    const own = embedded.map(({ script }) => script)
    const lines = [...own.map(script => `runs: ${script}`), ...fieldLines(command)]
    const other = firstUnsafeField(command)
    if (lines.length === 0 && other !== undefined) lines.push(`sets: ${other}`)
    if ('template' in body)
      for (const script of findScriptsOfAnyDialect(body.template, command.shell))
        if (!own.includes(script)) lines.push(`runs with other agents: ${script}`)
    for (const line of await declaredLines(command, signal))
      if (!lines.includes(line)) lines.push(`counts with other agents: ${line}`)
    return lines.length > 0 ? { text: lines.join('\n') } : undefined
  } catch (error) {
    if (isAbortError(error)) throw error
    return { reason: messageOf(error) }
  }
}
