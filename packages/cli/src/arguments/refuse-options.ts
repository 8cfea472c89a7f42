import { UsageError } from './usage-error.js'
import type { GlobalFlag, Invocation } from './invocation.js'

/**
 * Options that say which skills there are, or how they are looked for. The surroundings, `--cwd` and `--home`, are not
 * among them: scripts give them to every command.
 */
export const lookingFlags = ['--distribution', '--add-dir', '--plugin-dir', '--marketplace', '--source-limit'] as const

/**
 * Refuses options that mean nothing beside what else was asked for: the caller expects each to count.
 * @param why the beginning of a sentence that says what counts instead
 * @throws UsageError that names the first of them that was given
 */
export function refuseOptions({ has }: Pick<Invocation, 'has'>, flags: readonly GlobalFlag[], why: string): void {
  const flag = flags.find(has)
  if (flag !== undefined) throw new UsageError(`${why}, so ${flag} means nothing here: leave it out.`)
}
