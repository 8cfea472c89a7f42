/** Variables that make bash run code before its first command, replace a command, or change how it reads the script. */
const ofBash = /^(?:BASH_FUNC_.*|BASH_ENV|BASH_COMPAT|BASHOPTS|SHELLOPTS|PS4)$/s
/** Variables that start a POSIX shell's own files. Other programs use these names for purposes of their own. */
const ofShells = /^(?:ENV|POSIXLY_CORRECT)$/

/**
 * Removes the variables that make a shell run something else than it is given: exported functions, start-up files and
 * options of bash. The variables that a person sets for programs stay, such as `PATH` and `LD_LIBRARY_PATH`.
 * @param isScript true if a shell is started for a script whose text was checked: `ENV` and `POSIXLY_CORRECT` are
 *   removed too
 */
export function withoutShellStartup(
  env: Readonly<Record<string, string | undefined>>,
  isScript: boolean,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !ofBash.test(name) && !(isScript && ofShells.test(name))),
  )
}
