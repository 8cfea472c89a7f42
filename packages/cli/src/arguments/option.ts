// How an option is written in the command table: `--fix`, `-h, --help`, `--source <name>`, `--allow <rule>...`.

/** What may be typed for it: `-h` and `--help`. */
export function flagsOf(option: string): readonly string[] {
  return option.replace(/ <.*/, '').split(', ')
}

/** The one of them that it goes by; a flag that none of the options has is left as it is. */
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
