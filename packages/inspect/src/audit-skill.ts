import { isAbortError, messageOf, type PromptCommand } from '@skills/core'
import { parseHead } from '@skills/skill-md'
import { readWholeFile } from '@skills/files'
import { auditFields } from './audit-fields.js'
import { auditFolder } from './audit-folder.js'
import { auditPadding } from './audit-padding.js'
import { auditText } from './audit-text.js'
import { auditLevels, type AuditFinding } from './audit-finding.js'
import { bodyOf } from './body-of.js'
import type { FindCommandsOptions } from '@skills/expansion/internal'

export interface AuditOptions {
  readonly signal?: AbortSignal | undefined
  /**
   * What counts as an embedded command, as in `@skills/expansion/shell`; `false`: nothing does, where no such expander
   * is. Default: as it has it.
   */
  readonly embedded?: Pick<FindCommandsOptions, 'fences' | 'inline' | 'escapes'> | false | undefined
}

/**
 * What a skill can do, and how far that reaches: the commands it embeds, hooks, tools that are used without asking,
 * programs and links beside it, addresses, invisible characters, size, and what it changes. The fields are those in
 * effect. Nothing is run, and no link is followed. What cannot be looked at is a finding, `not-audited`. See
 * docs/reference/lint.md, "Audit".
 * @returns the highest level first, then by line
 * @throws AbortError when the signal aborts
 */
export async function auditSkill(
  command: PromptCommand,
  { signal, embedded = {} }: AuditOptions = {},
): Promise<readonly AuditFinding[]> {
  const { filePath, baseDir, shell } = command
  const own = await readText(command, signal ?? new AbortController().signal)
  const placed = (finding: Omit<AuditFinding, 'path'>): AuditFinding => ({ ...finding, path: filePath })
  const found =
    'problem' in own
      ? [
          placed({ level: 'high', code: 'not-audited', message: `Its text could not be read: ${own.problem}` }),
          ...auditFields(command, undefined, []).map(placed),
        ]
      : [
          ...auditFields(command, own.isFile ? own.text : undefined, own.keys),
          ...auditText(own.text, own.bodyStart, embedded && { ...embedded, shell }),
          ...auditPadding(own.text, 'its own'),
        ].map(placed)
  if (baseDir !== undefined) for (const one of await auditFolder(baseDir, filePath, signal)) found.push(one)
  const rank = ({ level }: AuditFinding): number => auditLevels.indexOf(level)
  return found.toSorted(
    (a, b) =>
      rank(b) - rank(a) ||
      Number(a.path !== filePath) - Number(b.path !== filePath) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  )
}

interface OwnText {
  readonly text: string
  readonly bodyStart: number
  /** Of the frontmatter. */
  readonly keys: readonly string[]
  readonly isFile: boolean
}

/** The skill's file, if it still is the one that was listed; else what the command gives. */
async function readText(command: PromptCommand, signal: AbortSignal): Promise<OwnText | { readonly problem: string }> {
  const { filePath, file } = command
  if (filePath === undefined) return givenText(command, signal)
  const read = await readWholeFile(filePath, { signal, within: file === undefined ? undefined : [file.realPath] })
  if (read === undefined) return { problem: `${filePath} is gone.` }
  if ('problem' in read) return { problem: read.problem.message }
  const parsed = await parseHead(read.bytes, { whole: true })
  if ('needMore' in parsed) throw new TypeError('A whole file cannot need more.')
  const text = read.bytes.toString('utf8')
  if (!parsed.ok) return { problem: parsed.diagnostics.map(({ message }) => message).join(' ') }
  return {
    text,
    bodyStart: read.bytes.toString('utf8', 0, parsed.bodyStart).length,
    keys: Object.keys(parsed.data),
    isFile: true,
  }
}

async function givenText(command: PromptCommand, signal: AbortSignal): Promise<OwnText | { readonly problem: string }> {
  try {
    return { text: await bodyOf(command, signal), bodyStart: 0, keys: [], isFile: false }
  } catch (error) {
    if (isAbortError(error)) throw error
    return { problem: messageOf(error) }
  }
}
