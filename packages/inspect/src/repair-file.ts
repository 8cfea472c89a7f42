import { isDeepStrictEqual } from 'node:util'
import { repairDocument } from '@skills/skill-md'
import { checkBytes, type Checked, type CheckOptions } from './check-file.js'
import { closedText, decodedText, respelled, respellingsOf, textCodes } from './repair-text.js'
import { replaceFile } from './replace-file.js'
import type { Diagnostic } from '@skills/core'

export interface Repaired {
  /** Diagnostics that still apply to the file. */
  readonly diagnostics: readonly Diagnostic[]
  /** Warnings that no longer apply; empty if the file was not changed. */
  readonly fixed: readonly Diagnostic[]
}

/** Returns true if a file can be repaired, as far as that is told without writing it. */
export async function canBeRepaired(path: string, checked: Checked, options: CheckOptions): Promise<boolean> {
  if (checked.content?.parsed.repaired !== undefined) return true
  return mayBeRepaired(checked) && (await repairedText(path, checked, options)) !== undefined
}

function mayBeRepaired({ diagnostics, content }: Checked): boolean {
  return (
    content?.parsed.repaired !== undefined ||
    diagnostics.some(({ code }) => code === 'misspelt-field' || textCodes.includes(code))
  )
}

/**
 * Returns the repaired text of a file, and the diagnostics that still apply then: with the repairs that the reader
 * makes in memory anyway, in UTF-8, with a closed frontmatter, and with misspelt fields under their names. Undefined if
 * the file needs no repair. Returns a diagnostic if the repaired text would be read differently.
 */
export async function repairedText(
  path: string,
  checked: Checked,
  options: CheckOptions,
): Promise<{ readonly text: string; readonly after: readonly Diagnostic[] } | Diagnostic | undefined> {
  const { content, unread } = checked
  if (!mayBeRepaired(checked)) return undefined
  const respellings = content === undefined ? [] : respellingsOf(content.parsed.data, options.fields)
  const readable = content?.text ?? (unread && readableText(unread.bytes))
  if (readable === undefined) return undefined
  const repaired = (await repairDocument(readable)) ?? readable
  const text = respellings.length === 0 ? repaired : ((await respelled(repaired, respellings)) ?? repaired)
  if (content !== undefined && text === content.text) return undefined
  const after = await checkBytes(path, Buffer.from(text), options)
  if (content === undefined)
    // Without a single field, the frontmatter was probably no frontmatter.
    return after.parsed !== undefined && Object.keys(after.parsed.data).length > 0
      ? { text, after: after.diagnostics }
      : undefined
  const names = new Map(text === repaired ? [] : respellings.map(({ key, field }) => [key, field]))
  const data = Object.fromEntries(
    Object.entries(content.parsed.data).map(([key, value]) => [names.get(key) ?? key, value]),
  )
  const body = content.text.slice(charsBefore(content.bytes, content.parsed.bodyStart))
  if (after.parsed !== undefined && isDeepStrictEqual({ ...after.parsed.data }, data) && text.endsWith(body))
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

/** Returns the text of a file that is not read, in UTF-8 and with a closed frontmatter; undefined if that is no help. */
function readableText(bytes: Uint8Array): string | undefined {
  const text = decodedText(bytes)
  return text === undefined ? undefined : (closedText(text) ?? text)
}

/** Writes the repairs of {@link repairedText} into the file. Does not touch a file that needs no repair. */
export async function repairFile(path: string, checked: Checked, options: CheckOptions): Promise<Repaired> {
  const { diagnostics } = checked
  const identity = (checked.content ?? checked.unread)?.identity
  const untouched: Repaired = { diagnostics, fixed: [] }
  const repaired = await repairedText(path, checked, options)
  if (identity === undefined || repaired === undefined) return untouched
  if (!('text' in repaired)) return { ...untouched, diagnostics: [...diagnostics, repaired] }
  const { text, after } = repaired
  const bytes = Buffer.from(text)
  const failure = replaceFile(identity, bytes)
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
