/** Which version of a program a distribution was checked against, and on which day. */
export interface Checked {
  readonly program: string
  readonly version: string
  /** A day, as `2026-11-22`. */
  readonly on: string
}

const on = '2026-11-22'

/**
 * The distributions that follow a released program, by name: what a table of agents says of each without loading any.
 * A distribution without an entry follows a description, or is this project's own.
 */
export const checkedAgainst = {
  'claude-code': { program: 'Claude Code', version: '2.1.330', on },
  opencode: { program: 'OpenCode', version: '1.18.33', on },
  codex: { program: 'Codex', version: '0.169.0', on },
  'gemini-cli': { program: 'Gemini CLI', version: '0.61.0', on },
  pi: { program: 'pi', version: '0.87.1', on },
  openskills: { program: 'openskills', version: '1.5.0', on },
  'vercel-skills': { program: 'skills', version: '1.7.4', on },
} as const satisfies Readonly<Record<string, Checked>>
