import type { CallContext, Command } from '@skills/core'

/** File of a skill whose size and SHA-256 digest match the server's list. */
export interface McpSkillFile {
  readonly bytes: Uint8Array
  readonly mimeType: string | undefined
  /** True if it was not checked, because the skill has no digests. Only possible with `dynamicSkills`. */
  readonly isUnverified: boolean
}

/** Files of a skill besides its `SKILL.md`. */
export interface McpSkillFiles {
  /** Paths relative to the skill, with forward slashes. */
  readonly paths: readonly string[]
  /**
   * Requests one file from the server, and checks it.
   * @throws SkillsError `E_FILE_CHANGED` for a path that is not listed, and for content that does not match the list
   */
  read(path: string, call: CallContext): Promise<McpSkillFile>
}

/** Files of each command. Only these may be read, and only from the command's server. */
const filesBy = new WeakMap<Command, McpSkillFiles>()

/**
 * Returns the files of a skill that an MCP server serves. Undefined for any other command. A file is fetched only when
 * it is read. See docs/reference/mcp.md, "MCP servers".
 */
export function skillFilesOf(command: Command): McpSkillFiles | undefined {
  return filesBy.get(command)
}

/** Stores the files of a command, and replaces earlier files. */
export function keepFiles(command: Command, files: McpSkillFiles): void {
  filesBy.set(command, files)
}
