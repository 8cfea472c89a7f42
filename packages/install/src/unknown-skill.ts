import { closestNames, SkillsError } from '@skills/core'

/** Makes the error for a name that is neither wanted nor in the lock, with the closest names from `known`. */
export function unknownSkill(name: string, known: readonly string[]): SkillsError {
  return new SkillsError('E_INSTALL_NOT_FOUND', `No skill ${JSON.stringify(name)} is installed here.`, {
    hint: hintOf(name, known),
  })
}

/** Returns a hint with the closest of some names, or all of them. */
export function hintOf(name: string, known: readonly string[]): string {
  const close = closestNames(name, known)
  return close.length > 0
    ? `Did you mean ${close.join(' or ')}?`
    : known.length === 0
      ? 'No skills are installed here.'
      : `There are ${known.slice(0, 20).join(', ')}.`
}
