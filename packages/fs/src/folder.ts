import type { Diagnostic, FileIdentity } from '@skills/core'

/** What a folder without a skill file holds, and its stamps when it was listed (milliseconds since the epoch). */
export interface FolderListing<T> {
  readonly children: readonly Folder<T>[]
  readonly mtimeMs: number
  readonly ctimeMs: number
  /** Whether an entry in it is a link: then its stamps do not tell everything. */
  readonly hasLinks: boolean
  /** Folders in it that a limit kept the walk from. */
  readonly tooDeep: number
  readonly tooMany: number
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
  state: 'unseen' | 'skill' | 'listed' | 'failed' = 'unseen'
  item: T | undefined = undefined
  file: FileIdentity | undefined = undefined
  isFileLinked = false
  listing: FolderListing<T> | undefined = undefined
  problems: readonly Diagnostic[] = none
  /**
   * When its file was read or it was listed; milliseconds since the epoch.
   * Not a whole number before, since the engine would change the shape of every folder at the first fraction.
   */
  readAt = Number.NaN

  constructor(name: string, path: string, realPath: string, depth: number, isLink: boolean) {
    this.name = name
    this.path = path
    this.realPath = realPath
    this.depth = depth
    this.isLink = isLink
  }

  get children(): readonly Folder<T>[] {
    return this.listing === undefined ? none : this.listing.children
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
    this.isFileLinked = false
    this.listing = undefined
    this.problems = none
  }

  /** Whether anything would be missed without it. */
  get hasContent(): boolean {
    return this.item !== undefined || this.problems.length > 0 || this.leftOut > 0 || this.children.some(child => child.hasContent)
  }
}

const none: readonly never[] = Object.freeze([])
