import { readdirSync } from 'node:fs'
import { followLink, realPathOf, statOf } from '../real-path.js'
import { unlessRefused } from '../problem.js'

/** Most entries of a folder that are looked at; a folder with more was not made by hand. */
const mostEntries = 5_000

/**
 * Returns the folders that hold the skills of a folder without a manifest. The result is its folder `skills`, or the
 * folder itself if the folders in it are skills. Hidden folders in it, into which collections are sorted
 * (`skills/.curated`), are included. Reads only the names in these folders, and follows no link out of the folder.
 * @param folder absolute, with forward slashes
 * @returns absolute paths, the hidden ones last; empty if it holds no skills
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
  // A folder named "skills" says so by its name, and may also sort its skills into folders that are not hidden.
  const isPlain = top === inner ? hidden.length === 0 || !names.every(isHidden) : holdsSkills(top)
  return isPlain ? [top, ...hidden] : hidden
}

/** Returns true if a folder in this one has a `SKILL.md`. */
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
