import { isDeepStrictEqual } from 'node:util'
import { repairDocument } from '@skills/skill-md'
import { checkBytes, type Checked, type CheckOptions } from './check-file.js'
import { replaceFile } from './replace-file.js'
import type { Diagnostic } from '@skills/core'

export interface Repaired {
  /** What is still to be said of the file. */
  readonly diagnostics: readonly Diagnostic[]
  /** Warnings that no longer hold; empty when the file was left alone. */
  readonly fixed: readonly Diagnostic[]
}

/**
 * A file's text with the repairs that reading it makes anyway, and what is to be said of it then; undefined where it
 * needs none. A diagnostic where the repaired text would be read as something else.
 */
export async function repairedText(
  path: string,
  { content }: Checked,
  options: CheckOptions,
): Promise<{ readonly text: string; readonly after: readonly Diagnostic[] } | Diagnostic | undefined> {
  if (content?.parsed.repaired === undefined) return undefined
  const text = await repairDocument(content.text)
  if (text === undefined || text === content.text) return undefined
  const after = await checkBytes(path, Buffer.from(text), options)
  const body = content.text.slice(charsBefore(content.bytes, content.parsed.bodyStart))
  if (after.parsed !== undefined && isDeepStrictEqual(after.parsed.data, content.parsed.data) && text.endsWith(body))
    return { text, after: after.diagnostics }
  // Never write what would be read as something else.
  return {
    severity: 'warning',
    type: 'parse',
    code: 'not-repaired',
    path,
    message: 'Its repair would be read differently, so it was not written.',
    hint: 'Correct the lines above by hand.',
  }
}

/** Writes the repairs that reading a file makes anyway. A file that needs none is not touched. */
export async function repairFile(path: string, checked: Checked, options: CheckOptions): Promise<Repaired> {
  const { diagnostics, content } = checked
  const untouched: Repaired = { diagnostics, fixed: [] }
  const repaired = await repairedText(path, checked, options)
  if (content === undefined || repaired === undefined) return untouched
  if (!('text' in repaired)) return { ...untouched, diagnostics: [...diagnostics, repaired] }
  const { text, after } = repaired
  const bytes = Buffer.from(text)
  const failure = replaceFile(content.identity, bytes)
  if (failure !== undefined) return { ...untouched, diagnostics: [...diagnostics, { ...failure, path }] }
  const left = new Map<string, number>()
  for (const one of after) left.set(kindOf(one), (left.get(kindOf(one)) ?? 0) + 1)
  const fixed = diagnostics.filter(one => {
    const count = left.get(kindOf(one)) ?? 0
    left.set(kindOf(one), count - 1)
    return count <= 0
  })
  return { diagnostics: after, fixed }
}

/** Where an offset of bytes lies in the text, a byte order mark counting in both. */
function charsBefore(bytes: Buffer, offset: number): number {
  return bytes.toString('utf8', 0, offset).length
}

/** What a finding is, wherever it has moved to. */
function kindOf({ code, field }: Diagnostic): string {
  return `${code}:${field ?? ''}`
}
