import { opendirSync, readdirSync, statSync, type Dirent } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

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

/** Bytes of a folder's own, beyond which it holds thousands of entries and listing it at once would hold up the process. */
const large = 128 * 1024
/** Entries of a very large folder that are taken without a turn for the rest of the process: a millisecond's worth or two. */
const batch = 1024
/** Entries that the system is asked for at one time. */
const bufferSize = 256

/**
 * Lists a folder: at once, or a very large one with turns for the rest of the process between. Throws system errors, or rejects with them.
 * @param size bytes of the folder itself, as its stats have it
 * @param onTurn called after each turn
 */
export function listFolder(path: string, size: number, onTurn: () => void = () => {}): Listing | Promise<Listing> {
  if (size > large) return listInTurns(path, onTurn)
  const found = new Found(path)
  for (const entry of readdirSync(path, { withFileTypes: true })) found.add(entry)
  return found.inOrder()
}

async function listInTurns(path: string, onTurn: () => void): Promise<Listing> {
  // What led here, a whole set-up perhaps, was a slice of its own.
  await turn()
  const found = new Found(path)
  const folder = opendirSync(path, { bufferSize })
  try {
    let count = 0
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      found.add(entry)
      if (++count % batch !== 0) continue
      await turn()
      onTurn()
    }
  } finally {
    folder.closeSync()
  }
  // Putting so many in order is a slice of its own.
  await turn()
  return found.inOrder()
}

/** What of a folder's entries was met so far. */
class Found {
  readonly #path: string
  readonly #folders: string[] = []
  readonly #links: string[] = []
  readonly #skillFiles: string[] = []
  readonly #loose: string[] = []

  constructor(path: string) {
    this.#path = path
  }

  add(entry: Dirent): void {
    const { name } = entry
    if (name.length === 8 && name.toLowerCase() === 'skill.md') this.#skillFiles.push(name)
    else if (isMarkdown(name) && entry.isFile()) this.#loose.push(name)
    if (entry.isDirectory()) this.#folders.push(name)
    else if (entry.isSymbolicLink()) this.#links.push(name)
    // Some file systems do not tell the type of an entry.
    else if (!entry.isFile() && statSync(`${this.#path}/${name}`, { throwIfNoEntry: false })?.isDirectory() === true) this.#folders.push(name)
  }

  inOrder(): Listing {
    return { folders: this.#folders.sort(), links: this.#links.sort(), skillFiles: this.#skillFiles.sort(), loose: this.#loose.sort() }
  }
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
