import type { Stats } from 'node:fs'
import { compact } from './file-identity.js'
import { looseName } from './listing.js'
import type { Diagnostic, FileIdentity } from '@skills/core'

export const skillFile = 'SKILL.md'

/** What of a folder's stats tells it from what it was. */
export type FolderStamps = Pick<Stats, 'mtimeMs' | 'ctimeMs' | 'dev' | 'ino'>

/**
 * What a folder without a skill file holds, a row for each folder in it, and its stamps when it was listed (milliseconds
 * since the epoch). A folder with a plain SKILL.md, which is nearly every one, is its row and nothing else: an object for
 * each would be a good part of the time and the memory of a scan.
 */
export class FolderListing<T> {
  /** In code unit order, links to folders among them. */
  readonly names: readonly string[]
  readonly mtimeMs: number
  readonly ctimeMs: number
  /** Which folder it was: another one that takes its place may have been made in the same tick. */
  readonly dev: number
  readonly ino: number
  /** Whether an entry in it is a link: then its stamps do not tell everything. */
  readonly hasLinks: boolean
  /** Folders in it that a limit kept the walk from. */
  readonly tooDeep: number
  readonly tooMany: number
  /** Names of rows that are loose files. */
  readonly loose: ReadonlySet<string> | undefined
  /** By row: what the reader made of a plain SKILL.md, and which file that was. */
  readonly items: (T | undefined)[]
  readonly files: (FileIdentity | undefined)[]
  /** By row: every folder that is anything else. */
  readonly folders = new Map<number, Folder<T>>()

  constructor(names: readonly string[], { mtimeMs, ctimeMs, dev, ino }: FolderStamps, hasLinks = false, tooDeep = 0, tooMany = 0, loose?: ReadonlySet<string>) {
    this.names = names
    this.mtimeMs = mtimeMs
    this.ctimeMs = ctimeMs
    this.dev = compact(dev)
    this.ino = compact(ino)
    this.hasLinks = hasLinks
    this.tooDeep = tooDeep
    this.tooMany = tooMany
    this.loose = loose
    this.items = names.map(unmet)
    this.files = names.map(unmet)
  }

  /** Whether these are the stamps of the folder as it was listed. */
  isOf(stats: FolderStamps | undefined): boolean {
    return stats !== undefined && stats.mtimeMs === this.mtimeMs && stats.ctimeMs === this.ctimeMs && stats.ino === this.ino && stats.dev === this.dev
  }

  /** Folders below it, those with a skill included. */
  get size(): number {
    // A folder's own file is no further folder.
    let size = this.names.length - (this.loose?.has(skillFile) === true ? 1 : 0)
    for (const folder of this.folders.values()) size += folder.size - 1
    return size
  }

  /** Whether anything would be missed without a row. */
  hasContent(row: number): boolean {
    return this.items[row] !== undefined || this.folders.get(row)?.hasContent === true
  }
}

/** One folder of a walk, kept so that the next look at it can be short. `T` is what the reader makes of a skill file. */
export class Folder<T> {
  declare readonly name: string
  /** As reached, forward slashes. */
  declare readonly path: string
  /** The same string as `path` where no link is on the way. */
  declare readonly realPath: string
  /** 0 for the root. */
  declare readonly depth: number
  declare readonly isLink: boolean
  /** Whether it is no folder but a Markdown file by itself. */
  declare readonly isLoose: boolean
  state: 'unseen' | 'skill' | 'listed' | 'failed' = 'unseen'
  item: T | undefined = undefined
  file: FileIdentity | undefined = undefined
  /**
   * The path under which its file was found where that is a link or has its name in another case: then the file as it was does
   * not tell everything. The item was made for this path.
   */
  via: string | undefined = undefined
  listing: FolderListing<T> | undefined = undefined
  problems: readonly Diagnostic[] = none
  /**
   * When its file was read or it was listed; milliseconds since the epoch.
   * Not a whole number before, since the engine would change the shape of every folder at the first fraction.
   */
  readAt = Number.NaN

  constructor(name: string, path: string, realPath: string, depth: number, isLink: boolean, isLoose = false) {
    this.name = name
    this.path = path
    this.realPath = realPath
    this.depth = depth
    this.isLink = isLink
    this.isLoose = isLoose
  }

  /** Where its skill file would be. */
  get filePath(): string {
    return this.isLoose ? this.path : `${this.path}/${skillFile}`
  }

  get realFilePath(): string {
    return this.isLoose ? this.realPath : `${this.realPath}/${skillFile}`
  }

  /** It and the folders below it. */
  get size(): number {
    return 1 + (this.listing?.size ?? 0)
  }

  /** Folders in it that a limit kept the walk from. */
  get leftOut(): number {
    return this.listing === undefined ? 0 : this.listing.tooDeep + this.listing.tooMany
  }

  /** Forgets what was found, not where it is. */
  reset(): void {
    this.state = 'unseen'
    this.item = undefined
    this.file = undefined
    this.via = undefined
    this.listing = undefined
    this.problems = none
  }

  /** Whether anything would be missed without it. */
  get hasContent(): boolean {
    const { listing } = this
    return this.item !== undefined || this.problems.length > 0 || this.leftOut > 0 || (listing?.names.some((_, row) => listing.hasContent(row)) ?? false)
  }
}

/** Gives a row a folder of its own. */
export function addFolder<T>(parent: Folder<T>, listing: FolderListing<T>, row: number): Folder<T> {
  const name = listing.names[row] ?? ''
  const path = `${parent.path}/${name}`
  // Without a link on the way both paths are one string.
  const isLoose = listing.loose?.has(name) === true
  const child = new Folder<T>(isLoose ? looseName(name, parent.name) : name, path, parent.realPath === parent.path ? path : `${parent.realPath}/${name}`, parent.depth + 1, false, isLoose)
  if (listing.files[row] !== undefined) {
    child.state = 'skill'
    child.item = listing.items[row]
    child.file = listing.files[row]
    child.readAt = parent.readAt
    listing.items[row] = undefined
    listing.files[row] = undefined
  }
  listing.folders.set(row, child)
  return child
}

/** What a folder held before it is looked at anew. */
export interface Before<T> {
  readonly item: T | undefined
  readonly file: FileIdentity | undefined
  readonly readAt: number
  readonly via: string | undefined
  readonly problems: readonly Diagnostic[]
  readonly listing: FolderListing<T> | undefined
  readonly leftOut: number
}

export const unseen: Before<never> = Object.freeze({ item: undefined, file: undefined, readAt: Number.NaN, via: undefined, problems: [], listing: undefined, leftOut: 0 })

const none: readonly never[] = Object.freeze([])
const unmet = (): undefined => undefined
