import { closestNames, SkillsError } from '@skills/core'

/** What is said of a name that is neither wanted nor in the lock, with those of `known` that are close to it. */
export function unknownSkill(name: string, known: readonly string[]): SkillsError {
  return new SkillsError('E_INSTALL_NOT_FOUND', `No skill ${JSON.stringify(name)} is installed here.`, {
    hint: hintOf(name, known),
  })
}

/** The closest of some names, or all of them. */
export function hintOf(name: string, known: readonly string[]): string {
  const close = closestNames(name, known)
  return close.length > 0
    ? `Did you mean ${close.join(' or ')}?`
    : known.length === 0
      ? 'There are none.'
      : `There are ${known.slice(0, 20).join(', ')}.`
}
