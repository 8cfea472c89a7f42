import { SkillsError, type SetupContext } from '@skills/core'
import type { RunLimits } from '@skills/process-group'

export type HooksContext = SetupContext<'trust' | 'source' | 'gate'>

export interface CommandHooksOptions extends Partial<RunLimits> {
  /** UTF-16 code units that one hook may add for the model. Default: 10,000. */
  readonly maxContextChars?: number
  /**
   * Milliseconds that a regular expression may take to look at one tool name. One that takes longer counts as matching.
   * Default: 50.
   */
  readonly matchLimitMs?: number
  /** Milliseconds that the hooks of `SessionEnd` have, all together, when the engine closes. Default: 5,000. */
  readonly closeTimeoutMs?: number
  /** The shell: a name on the search path, or an absolute path. Default: `bash`. */
  readonly program?: string
  /** Whether a hook is told of the folder of its skill in `CLAUDE_SKILL_DIR` too. Default: true. */
  readonly skillFolder?: boolean
}

/** @throws SkillsError `E_INVALID_OPTION` */
export function checkedOptions({
  timeoutMs = 60_000,
  maxOutputBytes = 1_048_576,
  graceMs = 1_000,
  maxContextChars = 10_000,
  matchLimitMs = 50,
  closeTimeoutMs = 5_000,
  program = 'bash',
  skillFolder = true,
}: CommandHooksOptions): Required<CommandHooksOptions> {
  const numbers = { timeoutMs, maxOutputBytes, graceMs, maxContextChars, matchLimitMs, closeTimeoutMs }
  for (const [name, value] of Object.entries(numbers)) checkNumber(name, value, name !== 'matchLimitMs')
  if (program === '')
    throw new SkillsError('E_INVALID_OPTION', 'program of the hooks is empty.', {
      hint: 'Name a shell such as "bash".',
    })
  return { ...numbers, program, skillFolder }
}

/** A timer cannot wait for longer than 2³¹ − 1 milliseconds: it would not wait at all. */
function checkNumber(name: string, value: number, mayBeInfinite: boolean): void {
  if ((mayBeInfinite && value === Infinity) || isTime(value)) return
  throw new SkillsError('E_INVALID_OPTION', `${name} of the hooks is ${String(value)}.`, {
    hint: `Give a whole number from 1 to 2,147,483,647${mayBeInfinite ? ', or Infinity' : ''}.`,
  })
}

function isTime(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value < 2 ** 31
}
