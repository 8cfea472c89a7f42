/** Levels of findings, lowest first. See docs/reference/lint.md, "Audit". */
export const auditLevels = ['info', 'low', 'medium', 'high'] as const

export type AuditLevel = (typeof auditLevels)[number]

/** Codes of findings, each with its subject. The levels of each code are in docs/reference/lint.md, "Audit". */
export const auditCodes = {
  'embedded-command': 'a command that the body runs when the skill is invoked',
  'remote-code': 'an embedded command that runs code from the network',
  hook: 'a hook, which runs at an event',
  'allowed-tool': 'a tool that is used without asking',
  'any-command': 'a tool of which every command is allowed without asking',
  'any-tool': 'every tool allowed without asking',
  'hidden-character': 'text that a reader does not see, or sees in another order',
  'misleading-name': 'a name that a reader can mistake for another name, or for other text',
  'link-outside': 'a link beside the skill that leads out of its folder',
  'dangling-link': 'a link beside the skill that leads to nothing',
  script: 'a program beside the skill',
  'opaque-file': 'a file beside the skill that is not text',
  'padded-file': 'text in a place where a reader would not see it',
  url: "an address in the skill's text",
  'unusual-url': 'an address that hides to whom it belongs',
  size: 'a long text, or many or large files',
  override: 'a model, an effort or another setting that the skill changes',
  fork: 'work outside of the conversation',
  invocation: 'a limit on who can invoke the skill, or on its tools',
  needs: 'requirements of the skill on the machine',
  'not-audited': 'a file or folder that could not be examined',
} as const

export type AuditCode = keyof typeof auditCodes

export interface AuditFinding {
  readonly level: AuditLevel
  readonly code: AuditCode
  /** One sentence. It quotes text as written: the caller must make it printable. */
  readonly message: string
  /** File with the finding, absolute, with forward slashes; undefined for a command without a file. */
  readonly path?: string | undefined
  /** Counts from 1; columns are in UTF-16 code units. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** Agents that it is about. Undefined: all that get the skill. */
  readonly agents?: readonly string[] | undefined
  /** Text that was found, such as the whole command. */
  readonly text?: string | undefined
}

/** Finding that has no file yet. */
export type Unplaced = Omit<AuditFinding, 'path'>

/** Returns the highest level of some findings, or undefined if there are none. */
export function highestLevel(findings: readonly Pick<AuditFinding, 'level'>[]): AuditLevel | undefined {
  return auditLevels.findLast(level => findings.some(finding => finding.level === level))
}

/** Returns true if a level is at least as high as another. */
export function reachesLevel(level: AuditLevel | undefined, other: AuditLevel): boolean {
  return level !== undefined && auditLevels.indexOf(level) >= auditLevels.indexOf(other)
}

export interface AuditedSkill {
  /** Name by which it is invoked. */
  readonly name: string
  readonly source: string
  /** Path of its file; undefined for a command without one. */
  readonly path: string | undefined
  /** Highest level of the findings; undefined if there are none. */
  readonly level: AuditLevel | undefined
  /** Highest level first. */
  readonly findings: readonly AuditFinding[]
}
