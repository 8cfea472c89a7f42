// Notation of options in the command table: `--fix`, `-h, --help`, `--source <name>`, `--allow <rule>...`.

/** Returns the flags that can be typed for an option, such as `-h` and `--help`. */
export function flagsOf(option: string): readonly string[] {
  return option.replace(/ <.*/, '').split(', ')
}

/** Returns the long flag of the option that a flag belongs to. Returns an unknown flag unchanged. */
export function longFlag(options: readonly string[], flag: string): string {
  return (
    options
      .map(flagsOf)
      .find(flags => flags.includes(flag))
      ?.at(-1) ?? flag
  )
}

export function takesValue(option: string): boolean {
  return option.includes('<')
}

export function isRepeatable(option: string): boolean {
  return option.endsWith('...')
}
