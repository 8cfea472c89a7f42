import { readdirSync } from 'node:fs'
import { messageOf, type Note } from '@skills/core'
import { statOf, systemCode } from '@skills/fs'

/** Why a root has no skill of this name, as far as a look at the places it would be in can tell. */
export function explainAbsence(root: string, name: string, walk: 'flat' | 'deep'): readonly Note[] {
  // A name is one folder; anything else would lead the look elsewhere.
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name)) return []
  const notes: Note[] = []
  const note = (path: string, text: string): void => void notes.push({ path, text })
  const folder = `${root}/${name}`
  const stats = statOf(folder)
  if (stats?.isDirectory() === true) {
    try {
      note(folder, lookInto(folder, readdirSync(folder), walk))
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      note(folder, `The folder ${folder} cannot be looked into: ${messageOf(error)}`)
    }
  }
  for (const file of [`${folder}.md`, `${folder}.markdown`]) {
    if (statOf(file)?.isFile() === true) note(file, `${file} is a file of its own; a skill is a folder: move it to ${folder}/SKILL.md.`)
  }
  for (const hidden of [`${root}/.${name}`, `${root}/node_modules/${name}`]) {
    if (statOf(`${hidden}/SKILL.md`) !== undefined) note(hidden, `${hidden} has a SKILL.md, but hidden folders and node_modules are not searched.`)
  }
  return notes
}

function lookInto(folder: string, names: readonly string[], walk: 'flat' | 'deep'): string {
  if (names.includes('SKILL.md')) return `${folder} has a SKILL.md that gave no skill; look at its errors.`
  const near = names.filter(name => /^skills?(\.|$)/i.test(name))
  if (near.length > 0) return `${folder} has no SKILL.md, but ${near.join(', ')}; rename it.`
  if (names.length === 0) return `${folder} is empty; a skill needs a SKILL.md in it.`
  return walk === 'deep' ? `${folder} has no SKILL.md of its own; it is only searched for skills in its folders.` : `${folder} has no SKILL.md.`
}
