import { SkillsError } from '@skills/core'
import { foldedName, limitBrokenBy, quotedPath } from '../entry-name.js'
import type { TreeEntry } from '../tree-store.js'

/** Name as a disk without letter case and composition sees it, with the names below it. */
interface Seen {
  readonly path: string
  readonly isFolder: boolean
  readonly below: Map<string, Seen>
}

/** Collects the entries of one archive. Refuses a name that two programs would unpack to different files. */
export class EntryNames {
  readonly entries = new Map<string, TreeEntry>()
  readonly #archive: string
  readonly #most: number
  readonly #seen = new Map<string, Seen>()
  #count = 0

  constructor(archive: string, most: number) {
    this.#archive = archive
    this.#most = most
  }

  /** Returns the path of an entry, or undefined if it names the root of the archive. */
  pathOf(name: string): string | undefined {
    const broken = limitBrokenBy(name)
    if (broken !== undefined)
      throw new SkillsError(
        'E_ARCHIVE_LIMIT',
        `${this.#archive} has an entry whose name ${broken}: ${quotedPath(name)}.`,
        { hint: 'No entry of the archive is read. Pack the archive with shorter names.' },
      )
    const why =
      /[\0\\]/.exec(name)?.[0] === '\\'
        ? 'has a backslash'
        : name.includes('\0')
          ? 'has a NUL'
          : name === ''
            ? 'is empty'
            : name.startsWith('/') || /^[a-z]:/i.test(name)
              ? 'is absolute'
              : name.split('/').includes('..')
                ? 'leads out of its folder'
                : undefined
    if (why !== undefined)
      throw new SkillsError(
        'E_ARCHIVE_UNSAFE',
        `${this.#archive} has an entry whose name ${why}: ${JSON.stringify(name)}.`,
        { hint: 'No entry of the archive is read. Do not unpack the archive with another program either.' },
      )
    const parts = name.split('/').filter(part => part !== '' && part !== '.')
    return parts.length === 0 ? undefined : parts.join('/')
  }

  /** @param entry undefined for a folder, which may be named several times */
  add(name: string, entry?: TreeEntry): void {
    this.count()
    const path = this.pathOf(name)
    if (path === undefined) return
    let below = this.#seen
    for (let start = 0, end = path.indexOf('/'); ; start = end + 1, end = path.indexOf('/', start)) {
      const isWhole = end < 0
      const folded = foldedName(path.slice(start, isWhole ? undefined : end))
      below = this.#see(below, folded, isWhole ? path : path.slice(0, end), !isWhole || entry === undefined)
      if (isWhole) break
    }
    if (entry !== undefined) this.entries.set(path, entry)
  }

  /** Counts an item of the archive, even if it does not become an entry. */
  count(): void {
    if (++this.#count > this.#most)
      throw new SkillsError('E_ARCHIVE_LIMIT', `${this.#archive} has more than ${this.#most} entries.`, {
        hint: 'Pack only the skills, or raise "maxEntries".',
      })
  }

  #see(among: Map<string, Seen>, name: string, path: string, isFolder: boolean): Map<string, Seen> {
    const before = among.get(name)
    if (before === undefined) {
      const below = new Map<string, Seen>()
      among.set(name, { path, isFolder, below })
      return below
    }
    if (before.path === path && before.isFolder && isFolder) return before.below
    const names =
      before.path === path
        ? `has ${JSON.stringify(path)} twice`
        : `has both ${JSON.stringify(before.path)} and ${JSON.stringify(path)}`
    throw new SkillsError(
      'E_ARCHIVE_AMBIGUOUS',
      `${this.#archive} ${names}, so different programs would unpack different files.`,
      { hint: 'Pack the archive again with one entry for each file.' },
    )
  }
}

/** Returns the entries without the one folder that wraps them all, or unchanged if there is none. */
export function unwrapped(entries: ReadonlyMap<string, TreeEntry>): ReadonlyMap<string, TreeEntry> {
  const [first = ''] = entries.keys()
  const wrapper = first.slice(0, first.indexOf('/') + 1)
  if (wrapper === '' || [...entries.keys()].some(path => !path.startsWith(wrapper))) return entries
  return new Map(Array.from(entries, ([path, entry]) => [path.slice(wrapper.length), entry]))
}
