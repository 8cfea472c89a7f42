import { SkillsError } from '@skills/core'
import { oneLine } from '@skills/invocation/skill-tool'
import { splitArguments } from '@skills/expansion'

/** An argument of a prompt, as its server describes it. */
export interface PromptArgument {
  readonly name: string
  readonly isRequired: boolean
}

/** As `<language> [focus]`. */
export function argumentHint(declared: readonly PromptArgument[]): string | undefined {
  return declared.length === 0
    ? undefined
    : declared.map(({ name, isRequired }) => (isRequired ? `<${oneLine(name)}>` : `[${oneLine(name)}]`)).join(' ')
}

/**
 * The words of what was typed by the names of the arguments, in their order; the last takes all words that are left.
 * @throws SkillsError `E_INVALID_OPTION` for an argument that is required and missing, by its name
 */
export function namedArguments(
  command: string,
  declared: readonly PromptArgument[],
  args: string,
): Readonly<Record<string, string>> {
  const words = splitArguments(args)
  const last = declared.length - 1
  const given = declared.map(({ name }, at) => ({
    name,
    value: at === last && words.length > last ? words.slice(at).join(' ') : words[at],
  }))
  const missing = declared
    .filter(({ isRequired }, at) => isRequired && given[at]?.value === undefined)
    .map(({ name }) => `"${oneLine(name)}"`)
  if (missing.length > 0) {
    throw new SkillsError(
      'E_INVALID_OPTION',
      `"${command}" needs the argument ${missing.join(' and the argument ')}.`,
      { hint: `Invoke it as: ${command} ${argumentHint(declared) ?? ''}` },
    )
  }
  // Any text may be the name of an argument, `__proto__` too.
  const named = given.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]))
  return Object.fromEntries(named)
}
