import { checkStandard } from '@skills/skill-md'
import { unsafeCharacter } from '@skills/skill-md/internal'

/** Most Unicode characters that the open standard allows in a name. */
const longest = 64

export interface NameProblem {
  /** Sentence that says which rule the name breaks. */
  readonly message: string
  /** Nearest valid name, if there is one. */
  readonly nearest?: string | undefined
}

/**
 * Returns the reason why the open Agent Skills standard would not accept a name, by the same rules as lint: lower-case
 * letters and digits of any script, single hyphens between them, at most 64 characters. Returns undefined if the name
 * is valid.
 */
export function checkSkillName(name: string): NameProblem | undefined {
  const message = breach(name)
  if (message === undefined) return undefined
  const nearest = nearestTo(name)
  return breach(nearest) === undefined ? { message, nearest } : { message }
}

function breach(name: string): string | undefined {
  const [problem] = checkStandard({ name }, { folderName: name, bodyLines: 0 }).filter(({ field }) => field === 'name')
  if (problem !== undefined) return problem.message
  // Some filler characters count as letters but are invisible.
  const hidden = unsafeCharacter(name)
  if (hidden !== undefined) return `\`${name}\` holds the invisible character ${hidden}.`
  return name === name.normalize('NFKC') ? undefined : `\`${name}\` has characters that look like other characters.`
}

function nearestTo(name: string): string {
  const words = name
    .normalize('NFKC')
    .replace(/([\p{Ll}\p{Nd}])(?=\p{Lu})/gu, '$1-')
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[^\p{L}\p{Nd}]+/gu, '-')
    .normalize('NFKC')
  return [...words.replace(/^-|-$/g, '')].slice(0, longest).join('').replace(/-$/, '')
}
