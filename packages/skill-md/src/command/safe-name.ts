import type { Diagnostic } from '@skills/core'

const plain = /^[\w:-]+$/

/**
 * Returns true if a name has only the characters that nearly all names have. Such a name passes every other check, so
 * the slower checks are not needed.
 */
export function isPlainName(name: string): boolean {
  return plain.test(name)
}

/**
 * Control, bidirectional, invisible and tag characters, with which a name can look like another one. The variation
 * selectors of emoji are allowed.
 */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]|(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/u

/** Returns the first character that a name must not contain, in the form `U+202E`, or undefined if there is none. */
export function unsafeCharacter(name: string): string | undefined {
  if (isPlainName(name)) return undefined
  const found = unsafe.exec(name)?.[0].codePointAt(0)
  return found === undefined ? undefined : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Returns true if an author's name cannot be mistaken for anything but a name. */
export function isSafeName(name: string): boolean {
  return (
    isPlainName(name) ||
    (unsafeCharacter(name) === undefined && name.trim() !== '' && !/[/\\]/.test(name) && name !== '..' && name !== '.')
  )
}

/**
 * Returns problems with a skill's names. An invisible character in the folder's name, by which the skill is invoked, is
 * an error. An author's name that could be mistaken for a path or another name is a warning, and is not used.
 */
export function checkNames(folder: string, displayName: string, aliases: readonly string[]): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  const hidden = unsafeCharacter(folder)
  if (hidden !== undefined) {
    found.push({
      severity: 'error',
      type: 'validation',
      code: 'unsafe-name',
      message: `The folder name "${printableName(folder)}" holds the invisible character ${hidden}.`,
      hint: 'Rename the folder: with this character, two different names can look the same.',
    })
  }
  if (isPlainName(displayName) && aliases.length === 0) return found
  const refuse = (field: string, name: string, consequence: string, hint: string): void => {
    if (isSafeName(name)) return
    const invisible = unsafeCharacter(name)
    const what = invisible === undefined ? 'is not a name but a path' : `holds the invisible character ${invisible}`
    found.push({
      severity: 'warning',
      type: 'validation',
      code: 'unsafe-name',
      field,
      message: `The ${field === 'aliases' ? 'alias' : field} "${printableName(name)}" ${what}; ${consequence}.`,
      hint,
    })
  }
  if (displayName !== folder)
    refuse('name', displayName, "the folder's name is used", `Write name: ${printableName(folder)}`)
  for (const alias of aliases) refuse('aliases', alias, 'the alias is not used', 'Remove the alias, or write a name.')
  return found
}

/** Returns a name that can be printed, with unsafe characters replaced by their numbers. */
export function printableName(name: string): string {
  let printable = name
  for (let code = unsafeCharacter(printable); code !== undefined; code = unsafeCharacter(printable))
    printable = printable.replace(unsafe, () => `<${code}>`)
  return printable
}
