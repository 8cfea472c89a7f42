import { isDeepStrictEqual } from 'node:util'
import { repairDocument } from '@skills/skill-md'
import { checkBytes, type Checked, type CheckOptions } from './check-file.js'
import { replaceFile } from './replace-file.js'
import type { Diagnostic } from '@skills/core'

export interface Repaired {
  /** Diagnostics that still apply to the file. */
  readonly diagnostics: readonly Diagnostic[]
  /** Warnings that no longer apply; empty if the file was not changed. */
  readonly fixed: readonly Diagnostic[]
}

/**
 * Returns the text of a file with the repairs that the reader makes in memory anyway, and the diagnostics that still
 * apply then. Undefined if the file needs no repair. Returns a diagnostic if the repaired text would be read
 * differently.
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
  // A text that would be read differently is never written.
  return {
    severity: 'warning',
    type: 'parse',
    code: 'not-repaired',
    path,
    message: 'The repair was not written, because the repaired file would be read differently from the original.',
    hint: 'Correct the lines above by hand.',
  }
}

/**
 * Writes the repairs that the reader makes in memory anyway into the file. Does not touch a file that needs no repair.
 */
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

/** Converts an offset in bytes to one in the text. A byte order mark counts in both. */
function charsBefore(bytes: Buffer, offset: number): number {
  return bytes.toString('utf8', 0, offset).length
}

/** Returns a key for a finding that does not depend on its line. */
function kindOf({ code, field }: Diagnostic): string {
  return `${code}:${field ?? ''}`
}
