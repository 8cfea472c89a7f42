import { opendirSync, statSync, type Dir } from 'node:fs'
import { slashes } from './slashes.js'

/** What a folder holds, as far as a scan for skills cares. Names in code unit order. */
export interface Listing {
  readonly folders: readonly string[]
  /** Links, whatever they lead to. */
  readonly links: readonly string[]
  /** Files called `SKILL.md`, in whatever case. */
  readonly skillFiles: readonly string[]
}

const chunk = 512
/** Entries that one system call brings; larger ones take longer, since they are made into objects all at once. */
const buffered = 32

/** Lists a folder in steps, so that a very large one does not hold up the process. Throws system errors. */
export class Lister {
  readonly #path: string
  readonly #dir: Dir
  readonly #folders: string[] = []
  readonly #links: string[] = []
  readonly #skillFiles: string[] = []

  constructor(path: string) {
    this.#path = path
    this.#dir = opendirSync(path, { bufferSize: buffered })
  }

  /** Reads on; gives the listing once it is complete, undefined before. Closes the folder at the end and on failure. */
  step(): Listing | undefined {
    try {
      for (let left = chunk; left > 0; left--) {
        const entry = this.#dir.readSync()
        if (entry === null) {
          this.close()
          return { folders: this.#folders.sort(), links: this.#links.sort(), skillFiles: this.#skillFiles.sort() }
        }
        const { name } = entry
        if (name.length === 8 && name.toLowerCase() === 'skill.md') this.#skillFiles.push(name)
        if (entry.isDirectory()) this.#folders.push(name)
        else if (entry.isSymbolicLink()) this.#links.push(name)
        else if (!entry.isFile() && this.#isFolder(name)) this.#folders.push(name)
      }
      return undefined
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    this.#dir.closeSync()
  }

  /** Some file systems do not tell the type of an entry. */
  #isFolder(name: string): boolean {
    return statSync(`${slashes(this.#path)}/${name}`, { throwIfNoEntry: false })?.isDirectory() === true
  }
}
