import type { CallContext, Command } from '@skills/core'

/** A file of a skill whose size and SHA-256 digest are what the server's list says. */
export interface McpSkillFile {
  readonly bytes: Uint8Array
  readonly mimeType: string | undefined
  /** Not checked: the skill has no digests. Only where `dynamicSkills` lets such skills in. */
  readonly isUnverified: boolean
}

/** The files of a skill besides the one that it begins with. */
export interface McpSkillFiles {
  /** Relative to the skill, with forward slashes. */
  readonly paths: readonly string[]
  /**
   * Asks the server for one file, and checks it.
   * @throws SkillsError `E_FILE_CHANGED` for a path that is not listed, and for content that is not what was listed
   */
  read(path: string, call: CallContext): Promise<McpSkillFile>
}

/** What each command was last given out as: only its files may be read, and only from its server. */
const filesBy = new WeakMap<Command, McpSkillFiles>()

/**
 * The files of a skill that an MCP server serves; undefined for any other command. Nothing is fetched before it is
 * read. See docs/reference/mcp.md, "MCP servers".
 */
export function skillFilesOf(command: Command): McpSkillFiles | undefined {
  return filesBy.get(command)
}

/** Remembers the files of a command, in place of those it had. */
export function keepFiles(command: Command, files: McpSkillFiles): void {
  filesBy.set(command, files)
}
