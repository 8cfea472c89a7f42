import { readdirSync } from 'node:fs'
import { followLink, realPathOf, statOf } from '../real-path.js'
import { unlessRefused } from '../problem.js'

/** Most entries of a folder that are looked at; a folder with more was not made by hand. */
const mostEntries = 5_000

/** Most folders, and levels, that are looked through for skills in folders of folders (`cloud/storage/SKILL.md`). */
const mostLooked = 200
const mostLevels = 4

/** Names in the folders of a disk, an archive or a commit. */
export interface FolderNames {
  /** True for a folder in which skills may be searched. */
  readonly has: (folder: string) => boolean
  /** Returns the names of the folders in a folder, sorted. */
  readonly folders: (folder: string) => readonly string[]
  readonly isSkill: (folder: string) => boolean
}

/**
 * Returns the folders that hold the skills of a folder without a manifest. The result is its folder `skills`; without
 * one it is the folder itself if skills lie in folders of it, or, unless it is a project with agents' folders, in
 * folders of these. Hidden folders in it, into which collections are sorted (`skills/.curated`), are included. A skill
 * at the root is not in the result. Reads only the names in these folders, and follows no link out of the folder.
 * @param folder absolute, with forward slashes
 * @param names default: the disk
 * @param isDeep false if folders of folders are not looked through; default: true
 * @returns absolute paths, the hidden ones last; empty if it holds no skills
 */
export function skillFoldersIn(
  folder: string,
  { names = onDisk(folder), isDeep = true }: { readonly names?: FolderNames; readonly isDeep?: boolean } = {},
): readonly string[] {
  const inner = `${folder}/skills`
  // A skill may itself be called "skills".
  const top = names.has(inner) && !names.isSkill(inner) ? inner : folder
  const inTop = names.folders(top)
  const holdsSkills = (path: string): boolean =>
    names.folders(path).some(name => !isHidden(name) && names.isSkill(`${path}/${name}`))
  const hidden = inTop
    .filter(isHidden)
    .map(name => `${top}/${name}`)
    .filter(holdsSkills)
  // A folder named "skills" says so by its name, and may also sort its skills into folders that are not hidden.
  if (top === inner) return hidden.length === 0 || !inTop.every(isHidden) ? [top, ...hidden] : hidden
  if (holdsSkills(top)) return [top, ...hidden]
  const isProject = inTop.some(name => isHidden(name) && holdsSkills(`${top}/${name}/skills`))
  return isDeep && hidden.length === 0 && !isProject && holdsDeepSkills(top, names) ? [top] : hidden
}

/** Returns true if a skill lies in a folder of folders. Looks level by level, so that few folders are read. */
function holdsDeepSkills(top: string, names: FolderNames): boolean {
  let left = mostLooked
  let level: readonly string[] = [top]
  for (let depth = 0; depth < mostLevels && level.length > 0; depth++) {
    const next: string[] = []
    for (const folder of level) {
      if (left-- <= 0) return false
      for (const name of names.folders(folder)) {
        if (isHidden(name) || name === 'node_modules') continue
        const path = `${folder}/${name}`
        if (depth > 0 && names.isSkill(path)) return true
        next.push(path)
      }
    }
    level = next
  }
  return false
}

function onDisk(folder: string): FolderNames {
  const within = realFolder(folder)
  return {
    has: path =>
      within !== undefined && statOf(path)?.isDirectory() === true && 'realPath' in followLink(path, [within]),
    folders: path => (within === undefined ? [] : foldersIn(path)),
    isSkill: path => statOf(`${path}/SKILL.md`)?.isFile() === true,
  }
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
