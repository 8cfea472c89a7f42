/** What bash runs, or puts in the place of a command, before it reads the first one; and how it reads that. */
const ofBash = /^(?:BASH_FUNC_.*|BASH_ENV|BASH_COMPAT|BASHOPTS|SHELLOPTS|PS4)$/s
/** Other shells read `ENV`, and other programs have uses of their own for these. */
const ofShells = /^(?:ENV|POSIXLY_CORRECT)$/

/**
 * Leaves out of an environment what makes a shell run something else than it is given: exported functions, start-up
 * files and options of bash. What a person sets for programs stays, such as `PATH` and `LD_LIBRARY_PATH`.
 * @param isScript whether a shell is started for a script that was judged by its text: then `ENV` and
 *   `POSIXLY_CORRECT` are left out too
 */
export function withoutShellStartup(
  env: Readonly<Record<string, string | undefined>>,
  isScript: boolean,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !ofBash.test(name) && !(isScript && ofShells.test(name))),
  )
}
