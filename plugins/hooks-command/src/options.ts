import * as s from '@skills/core/schema'
import { SkillsError, type SetupContext } from '@skills/core'

export type HooksContext = SetupContext<'trust' | 'source' | 'gate'>

export const commandHooksOptions = s.options('commandHooks()', {
  /** UTF-16 code units that one hook may add for the model. */
  maxContextChars: s.number().default(10_000),
  /**
   * Milliseconds that a regular expression may take to look at one tool name. One that takes longer counts as matching.
   */
  matchLimitMs: s.number().default(50),
  /** Milliseconds that the hooks of `SessionEnd` have, all together, when the engine closes. */
  closeTimeoutMs: s.number().default(5_000),
  /** The shell: a name on the search path, or an absolute path. */
  program: s.text().default('bash'),
  /** Whether a hook is told of the folder of its skill in `CLAUDE_SKILL_DIR` too. */
  skillFolder: s.flag().default(true),
  /** Milliseconds; `Infinity` for no limit. */
  timeoutMs: s.number().default(60_000),
  /** Of standard output and standard error together. */
  maxOutputBytes: s.number().default(1_048_576),
  /** Milliseconds from SIGTERM to SIGKILL, and from the end of the program to that of what it left behind. */
  graceMs: s.number().default(1_000),
})

export interface CommandHooksOptions extends s.OptionsOf<typeof commandHooksOptions> {}

export type CheckedOptions = ReturnType<typeof commandHooksOptions.read>

/** @throws SkillsError `E_INVALID_OPTION` */
export function checkedOptions(given?: CommandHooksOptions): CheckedOptions {
  const checked = commandHooksOptions.read(given)
  const { program, skillFolder: _, ...numbers } = checked
  for (const [name, value] of Object.entries(numbers)) checkNumber(name, value, name !== 'matchLimitMs')
  if (program === '')
    throw new SkillsError('E_INVALID_OPTION', 'program of the hooks is empty.', {
      hint: 'Name a shell such as "bash".',
    })
  return checked
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
