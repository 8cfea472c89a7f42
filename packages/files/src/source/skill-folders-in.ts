import { readdirSync } from 'node:fs'
import { followLink, realPathOf, statOf } from '../real-path.js'
import { unlessRefused } from '../problem.js'

/** Entries of a folder that are looked at: one with more of them was not made by hand. */
const mostEntries = 5_000

/**
 * Where the skills lie of a folder that no manifest describes: in its folder `skills`, or in itself where folders of
 * its own are skills; and in hidden folders of that one, into which collections are sorted (`skills/.curated`). Nothing
 * is read but the names in these folders, and no link out of the folder is followed.
 * @param folder absolute, forward slashes
 * @returns absolute paths, the plain one first; empty when it holds no skills
 */
export function skillFoldersIn(folder: string): readonly string[] {
  const within = realFolder(folder)
  if (within === undefined) return []
  const inner = `${folder}/skills`
  const top = statOf(inner)?.isDirectory() === true && 'realPath' in followLink(inner, [within]) ? inner : folder
  const names = foldersIn(top)
  const hidden = names
    .filter(isHidden)
    .map(name => `${top}/${name}`)
    .filter(holdsSkills)
  // A folder "skills" may sort its skills into folders that are not hidden, too, and says by its name what it is.
  const isPlain = top === inner ? hidden.length === 0 || !names.every(isHidden) : holdsSkills(top)
  return isPlain ? [top, ...hidden] : hidden
}

/** Whether a folder in this one has a `SKILL.md`. */
function holdsSkills(folder: string): boolean {
  return foldersIn(folder).some(name => !isHidden(name) && statOf(`${folder}/${name}/SKILL.md`)?.isFile() === true)
}

function isHidden(name: string): boolean {
  return name.startsWith('.')
}

function foldersIn(folder: string): readonly string[] {
  // The later load reports that the folder cannot be read.
  return unlessRefused(
    () =>
      readdirSync(folder, { withFileTypes: true })
        .slice(0, mostEntries)
        .filter(one => one.isDirectory())
        .map(({ name }) => name)
        .sort(),
    [],
  )
}

function realFolder(folder: string): string | undefined {
  return unlessRefused(() => realPathOf(folder), undefined)
}
