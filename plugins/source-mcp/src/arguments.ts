import { SkillsError } from '@skills/core'
import { oneLine } from '@skills/invocation/skill-tool'
import { splitArguments } from '@skills/expansion'

/** Description of a prompt's argument that its server gives. */
export interface PromptArgument {
  readonly name: string
  readonly isRequired: boolean
}

/** Formats arguments as `<language> [focus]`. */
export function argumentHint(declared: readonly PromptArgument[]): string | undefined {
  return declared.length === 0
    ? undefined
    : declared.map(({ name, isRequired }) => (isRequired ? `<${oneLine(name)}>` : `[${oneLine(name)}]`)).join(' ')
}

/**
 * Assigns the typed words to the arguments in order. The last argument gets all remaining words.
 * @throws SkillsError `E_INVALID_OPTION` with the name of a required argument that is missing
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
  // An argument can have any name, even `__proto__`.
  const named = given.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]))
  return Object.fromEntries(named)
}
