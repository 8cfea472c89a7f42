import { shownName, type Diagnostic } from '@skills/core'
import { oddityOf } from '@skills/core/internal'
import { unsafeCharacter } from '@skills/skill-md/internal'

/**
 * Returns true if a file makes its folder a skill, by the loader's rule: letter case is ignored. Any other file is a
 * legacy command, which is named by the file; the standard has no rules for it.
 */
export function isSkillFile(path: string): boolean {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase() === 'skill.md'
}

/**
 * Returns problems with the place and the name of a skill file.
 * @param path absolute, with forward slashes
 */
export function checkPlace(path: string): readonly Diagnostic[] {
  if (!isSkillFile(path)) return []
  const [parent = '', folder = '', file = ''] = path.split('/').slice(-3)
  const found: Diagnostic[] = []
  const hidden = unsafeCharacter(folder)
  if (hidden !== undefined) {
    found.push({
      severity: 'error',
      type: 'validation',
      code: 'unsafe-name',
      message: `The name of its folder holds the invisible character ${hidden}.`,
      hint: 'Rename the folder: with this character, two different names can look the same.',
    })
  }
  const oddity = hidden === undefined ? oddityOf(folder) : undefined
  if (oddity !== undefined) {
    found.push({
      severity: 'warning',
      type: 'validation',
      code: 'misleading-name',
      message: `The name of its folder, ${shownName(folder)}, ${oddity}.`,
      hint: 'Rename the folder: a skill with a misleading name is not listed for any model.',
    })
  }
  if (file !== 'SKILL.md') {
    found.push({
      severity: 'warning',
      type: 'validation',
      code: 'other-case',
      message: `The file is called ${file} and should be called SKILL.md.`,
      hint: 'Rename the file to SKILL.md: other tools look only for SKILL.md, and on some file systems the name in another case is a different file.',
    })
  }
  if (folder === 'skills' && parent.startsWith('.')) {
    found.push({
      severity: 'warning',
      type: 'validation',
      code: 'skill-at-root',
      message: 'The file is directly in the skills folder, so it is not loaded.',
      hint: 'Move the file into a folder that has the name of the skill.',
    })
  }
  return found
}
