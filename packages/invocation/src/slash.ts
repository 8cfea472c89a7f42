/** One of the commands that a person typed on a line. */
export interface SlashCall {
  readonly name: string
  /** Verbatim, behind the first white space. */
  readonly args: string
}

/** How a line is taken apart where a distribution has other rules. */
export interface SlashRules {
  /** What ends a name: any white space (default), or a space alone. */
  readonly separator?: 'white-space' | 'space' | undefined
  /** How many commands may stand before each other. Default: 6. */
  readonly most?: number | undefined
}

const separated = { 'white-space': /^\/(\S+)(?:\s([^]*))?$/, space: /^\/([^ ]+)(?: ([^]*))?$/ } as const

/**
 * Takes `/name rest of line` apart; empty for any other text. Up to six commands may stand before each other, and the
 * last has the arguments. See docs/reference/invocation.md, "Invocation".
 * @param isName whether a command of this name may follow another; anything else that begins with a slash is an
 *   argument
 */
export function parseSlash(
  line: string,
  isName: (name: string) => boolean,
  { separator = 'white-space', most = 6 }: SlashRules = {},
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
  return calls.map((one, at) => (at === calls.length - 1 ? one : { ...one, args: '' }))
}
