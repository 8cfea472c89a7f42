import { UsageError } from './usage-error.js'
import type { GlobalFlag, Invocation } from './invocation.js'

/**
 * Options that say which skills exist or how to search for them. `--cwd` and `--home` are not among them, because
 * scripts pass these to every command.
 */
export const lookingFlags = ['--distribution', '--add-dir', '--plugin-dir', '--marketplace', '--source-limit'] as const

/**
 * Rejects options that have no effect in combination with the others, because the caller expects every option to have
 * an effect.
 * @param why first clause of the message: what the command does with the other options
 * @throws UsageError that names the first such option that was given
 */
export function refuseOptions({ has }: Pick<Invocation, 'has'>, flags: readonly GlobalFlag[], why: string): void {
  const flag = flags.find(has)
  if (flag !== undefined) throw new UsageError(`${why}, so ${flag} has no effect here: leave it out.`)
}
