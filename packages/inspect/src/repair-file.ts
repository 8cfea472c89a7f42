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

/** Writes the repairs that reading a file makes anyway. A file that needs none is not touched. */
export async function repairFile(
  path: string,
  { diagnostics, content }: Checked,
  options: CheckOptions,
): Promise<Repaired> {
  const untouched: Repaired = { diagnostics, fixed: [] }
  if (content?.parsed.repaired === undefined) return untouched
  const text = await repairDocument(content.text)
  if (text === undefined || text === content.text) return untouched
  const bytes = Buffer.from(text)
  const after = await checkBytes(path, bytes, options)
  const body = content.text.slice(charsBefore(content.bytes, content.parsed.bodyStart))
  if (
    after.parsed === undefined ||
    !isDeepStrictEqual(after.parsed.data, content.parsed.data) ||
    !text.endsWith(body)
  ) {
    // Never write what would be read as something else.
    const refusal: Diagnostic = {
      severity: 'warning',
      type: 'parse',
      code: 'not-repaired',
      path,
      message: 'Its repair would be read differently, so it was not written.',
      hint: 'Correct the lines above by hand.',
    }
    return { ...untouched, diagnostics: [...diagnostics, refusal] }
  }
  const failure = await replaceFile(content.identity, bytes)
  if (failure !== undefined) return { ...untouched, diagnostics: [...diagnostics, { ...failure, path }] }
  const left = new Map<string, number>()
  for (const one of after.diagnostics) left.set(kindOf(one), (left.get(kindOf(one)) ?? 0) + 1)
  const fixed = diagnostics.filter(one => {
    const count = left.get(kindOf(one)) ?? 0
    left.set(kindOf(one), count - 1)
    return count <= 0
  })
  return { diagnostics: after.diagnostics, fixed }
}

/** Where an offset of bytes lies in the text, a byte order mark counting in both. */
function charsBefore(bytes: Buffer, offset: number): number {
  return bytes.toString('utf8', 0, offset).length
}

/** What a finding is, wherever it has moved to. */
function kindOf({ code, field }: Diagnostic): string {
  return `${code}:${field ?? ''}`
}
