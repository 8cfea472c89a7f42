import { readdir, readdirSync, statSync, type Dirent } from 'node:fs'

/** What a folder holds, as far as a scan for skills cares. Names in code unit order. */
export interface Listing {
  readonly folders: readonly string[]
  /** Links, whatever they lead to. */
  readonly links: readonly string[]
  /** Files called `SKILL.md`, in whatever case. */
  readonly skillFiles: readonly string[]
  /** Other Markdown files. */
  readonly loose: readonly string[]
}

/** Bytes of a folder's own, beyond which it holds thousands of entries and listing it would hold up the process. */
const large = 128 * 1024

/**
 * Lists a folder: at once, or for a very large one in a thread of its own. Throws system errors, or rejects with them.
 * @param size bytes of the folder itself, as its stats have it
 */
export function listFolder(path: string, size: number): Listing | Promise<Listing> {
  if (size <= large) return sortOut(path, readdirSync(path, { withFileTypes: true }))
  return new Promise((resolve, reject) => {
    readdir(path, { withFileTypes: true }, (error, entries) => error === null ? resolve(sortOut(path, entries)) : reject(error))
  })
}

function sortOut(path: string, entries: readonly Dirent[]): Listing {
  const folders: string[] = []
  const links: string[] = []
  const skillFiles: string[] = []
  const loose: string[] = []
  for (const entry of entries) {
    const { name } = entry
    if (name.length === 8 && name.toLowerCase() === 'skill.md') skillFiles.push(name)
    else if (isMarkdown(name) && entry.isFile()) loose.push(name)
    if (entry.isDirectory()) folders.push(name)
    else if (entry.isSymbolicLink()) links.push(name)
    // Some file systems do not tell the type of an entry.
    else if (!entry.isFile() && statSync(`${path}/${name}`, { throwIfNoEntry: false })?.isDirectory() === true) folders.push(name)
  }
  return { folders: folders.sort(), links: links.sort(), skillFiles: skillFiles.sort(), loose: loose.sort() }
}

const markdownEnding = /\.md$/i

export function isMarkdown(name: string): boolean {
  return markdownEnding.test(name)
}

/** What a file that is read by itself goes by: a `SKILL.md` by the name of its folder, any other Markdown file by its own. */
export function looseName(name: string, folder: string): string {
  return name === 'SKILL.md' ? folder : stemOf(name)
}

/** A Markdown file's name without its ending. */
export function stemOf(name: string): string {
  return name.replace(markdownEnding, '')
}
