/** One command of a line that a person typed. */
export interface SlashCall {
  readonly name: string
  /** Text after the first white space, unchanged. */
  readonly args: string
}

/** Rules of a distribution for splitting a line that a person typed. */
export interface SlashRules {
  /** Character that ends a name: any white space (default), or a space only. */
  readonly separator?: 'white-space' | 'space' | undefined
  /** Most commands on one line. Default: 6. */
  readonly most?: number | undefined
  /** True if white space around the arguments is removed. Default: false. */
  readonly trims?: boolean | undefined
  /**
   * True if a line is text if no command has its name and the name has other characters than ASCII letters, digits and
   * `:_-`, such as a path. Default: false.
   */
  readonly leavesPaths?: boolean | undefined
}

const separated = { 'white-space': /^\/(?!\/)(\S+)(?:\s([^]*))?$/, space: /^\/(?!\/)([^ ]+)(?: ([^]*))?$/ } as const

/**
 * Splits `/name rest of line` into calls. Returns none for any other text. Up to six commands may follow each other;
 * the last one gets the arguments. A line that begins with `//` is text. See docs/reference/invocation.md, "Invocation".
 * @param isName returns true if a command of this name may follow another; otherwise the word belongs to the arguments
 */
export function parseSlash(
  line: string,
  isName: (name: string) => boolean,
  { separator = 'white-space', most = 6, trims = false }: SlashRules = {},
): readonly SlashCall[] {
  const call = separated[separator]
  const calls: SlashCall[] = []
  for (
    let found = call.exec(line);
    found !== null && calls.length < most;
    found = call.exec(found[2]?.trimStart() ?? '')
  ) {
    const [, name = '', args = ''] = found
    if (calls.length > 0 && !isName(name)) break
    calls.push({ name, args })
  }
  return calls.map(({ name, args }, at) => ({ name, args: at < calls.length - 1 ? '' : trims ? args.trim() : args }))
}
