import type { Diagnostic } from '@skills/core'

/** Characters with which one name can pass for another: control, bidirectional, invisible and tag characters. */
// oxlint-disable-next-line no-control-regex -- these are the characters to be found
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u

/** What is wrong with where a skill file lies and how it is called. Absolute path, forward slashes. */
export function checkPlace(path: string): readonly Diagnostic[] {
  const [parent = '', folder = '', file = ''] = path.split('/').slice(-3)
  const found: Diagnostic[] = []
  const hidden = unsafe.exec(folder)?.[0].codePointAt(0)
  if (hidden !== undefined) {
    found.push({
      severity: 'error', type: 'validation', code: 'unsafe-name',
      message: `The name of its folder holds the invisible character U+${hidden.toString(16).toUpperCase().padStart(4, '0')}.`,
      hint: 'Rename the folder: with such a character one name can pass for another.',
    })
  }
  if (file !== 'SKILL.md') {
    found.push({
      severity: 'warning', type: 'validation', code: 'other-case', message: `The file is called ${file} and should be called SKILL.md.`,
      hint: 'Rename it: other tools do not find it, and on some file systems it is another file.',
    })
  }
  if (folder === 'skills' && parent.startsWith('.')) {
    found.push({
      severity: 'warning', type: 'validation', code: 'skill-at-root', message: 'It lies directly in the skills folder and is not loaded.',
      hint: 'Give it a folder of its own, named like the skill.',
    })
  }
  return found
}
