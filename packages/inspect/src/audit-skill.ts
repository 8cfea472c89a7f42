import { isAbortError, messageOf, type MaybePromise, type PromptCommand } from '@skills/core'
import { mayEmbedCommand } from '@skills/invocation/internal'
import { parseHead } from '@skills/skill-md'
import { readWholeFile } from '@skills/files'
import { auditFields } from './audit-fields.js'
import { auditFolder } from './audit-folder.js'
import { auditPadding } from './audit-padding.js'
import { auditCommands, type AgentRules, type EmbeddedRules } from './audit-commands.js'
import { auditText } from './audit-text.js'
import { auditLevels, type AuditFinding } from './audit-finding.js'
import { bodyOf } from './body-of.js'

export interface AuditOptions {
  readonly signal?: AbortSignal | undefined
  /**
   * Rules for embedded commands, as in `@skills/expansion/shell`; `false`: no command is embedded, for a host without
   * such an expander. Default: its own rules.
   */
  readonly embedded?: EmbeddedRules | undefined
  /**
   * Returns the agents that get the skill, in place of `embedded`: a command that one of them would run is a finding. A
   * finding that not all of those that run commands have says which agents it is about. Called only for a text that may
   * embed a command.
   */
  readonly agents?: (() => MaybePromise<readonly AgentRules[]>) | undefined
}

/**
 * Returns findings about everything that a skill can do, each with a level for how far it reaches. Covers embedded
 * commands, hooks, tools that are used without asking, programs and links beside the skill, addresses, invisible
 * characters, size, and every change to the agent. Examines the fields in effect. Runs nothing and follows no link. A
 * file that cannot be read is the finding `not-audited`. See docs/reference/lint.md, "Audit".
 * @returns highest level first, then by line
 * @throws AbortError if the signal aborts
 */
export async function auditSkill(
  command: PromptCommand,
  { signal, embedded = {}, agents }: AuditOptions = {},
): Promise<readonly AuditFinding[]> {
  const { filePath, baseDir, shell } = command
  const own = await readText(command, signal ?? new AbortController().signal)
  const placed = (finding: Omit<AuditFinding, 'path'>): AuditFinding => ({ ...finding, path: filePath })
  const found =
    'problem' in own
      ? [
          placed({
            level: 'high',
            code: 'not-audited',
            message: `The text of the skill could not be read: ${own.problem}`,
          }),
          ...auditFields(command, undefined, []).map(placed),
        ]
      : [
          ...auditFields(command, own.isFile ? own.text : undefined, own.keys),
          ...auditCommands(own.text, own.bodyStart, await rulesFor(own.text, embedded, agents), shell),
          ...auditText(own.text, own.bodyStart),
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

async function rulesFor(
  text: string,
  embedded: EmbeddedRules,
  agents: AuditOptions['agents'],
): Promise<readonly AgentRules[]> {
  if (agents === undefined) return [{ name: '', embedded }]
  return mayEmbedCommand(text) ? agents() : []
}

interface OwnText {
  readonly text: string
  readonly bodyStart: number
  /** Keys of the frontmatter. */
  readonly keys: readonly string[]
  readonly isFile: boolean
}

/**
 * Reads the skill's file, which must still be the one that was listed; without a file, the text that the command gives.
 */
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
