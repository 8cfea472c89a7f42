import type { Diagnostic, FileIdentity } from '@skills/core'
import { isUnchangedIdentity } from './file-identity.js'

export const skillFile = 'SKILL.md'

const markdownEnding = /\.md$/i

export function isMarkdown(name: string): boolean {
  return markdownEnding.test(name)
}

/** Returns true for SKILL.md in any letter case. */
export function isSkillFile(name: string): boolean {
  return name.length === skillFile.length && name.toLowerCase() === 'skill.md'
}

/** Returns a Markdown file's name without its ending. */
export function stemOf(name: string): string {
  return name.replace(markdownEnding, '')
}

/** Entries of a folder that is not a skill itself. Only entries that the walk enters are included. */
export interface Listed<T> {
  /** Identity of the folder when it was listed. */
  readonly identity: FileIdentity
  /** True if an entry is a link: then the folder's identity does not show every change. */
  readonly hasLinks: boolean
  /** Number of folders in it that a limit left out. */
  readonly tooDeep: number
  readonly tooMany: number
  /** Sorted by name, in code unit order. */
  readonly children: readonly Node<T>[]
}

/**
 * Folder that may hold a skill, or a file that is read by itself. It is kept between walks, so that the next walk can
 * skip what has not changed. `T` is the reader's item for a skill file.
 */
export class Node<T> {
  /**
   * Name on disk, which is also the skill's name. A file that is read by itself has its name without the ending, a
   * `SKILL.md` its folder's.
   */
  readonly name: string
  readonly parent: Node<T> | undefined
  readonly isFile: boolean
  /** True if no link is on the way to it. */
  readonly isPlain: boolean
  state: 'unseen' | 'skill' | 'listed' | 'failed' = 'unseen'
  item: T | undefined = undefined
  file: FileIdentity | undefined = undefined
  /**
   * Path under which its file was found, if that is a link or has another letter case. Then the identity of the file
   * does not show every change.
   */
  via: string | undefined = undefined
  listed: Listed<T> | undefined = undefined
  problems: readonly Diagnostic[] = none
  /**
   * Time at which its file was read or it was listed, in milliseconds since the epoch. NaN before: a whole number would
   * change the shape of the object.
   */
  readAt = Number.NaN
  /** Name in its parent; for the root its path. */
  readonly entry: string
  /** Real path of a link or of the root; undefined for any other. */
  readonly #real: string | undefined
  /** Path, kept once one of its children has asked for it. */
  #path: string | undefined

  constructor(parent: Node<T> | undefined, entry: string, isFile = false, real: string | undefined = undefined) {
    this.parent = parent
    this.entry = entry
    this.isFile = isFile
    this.#real = real
    this.isPlain = parent === undefined ? real === entry : real === undefined && parent.isPlain
    const own = parent === undefined ? entry.slice(entry.lastIndexOf('/') + 1) : entry
    this.name = !isFile ? own : own === skillFile && parent !== undefined ? parent.name : stemOf(own)
  }

  get isLink(): boolean {
    return this.#real !== undefined && this.parent !== undefined
  }

  get depth(): number {
    return this.parent === undefined ? 0 : this.parent.depth + 1
  }

  /** Path as reached, with forward slashes. */
  get path(): string {
    return this.parent === undefined ? this.entry : `${this.parent.#ownPath}/${this.entry}`
  }

  get #ownPath(): string {
    return (this.#path ??= this.path)
  }

  get realPath(): string {
    return this.#real ?? (this.isPlain ? this.path : `${this.parent?.realPath}/${this.entry}`)
  }

  /** Path that its skill file would have. */
  get filePath(): string {
    return this.isFile ? this.path : `${this.path}/${skillFile}`
  }

  get realFilePath(): string {
    return this.isFile ? this.realPath : `${this.realPath}/${skillFile}`
  }

  /** Number of nodes from here down, as the limit on folders counts them: a folder's own file is not counted. */
  get size(): number {
    return (
      (this.entry === skillFile && this.parent !== undefined && this.isFile ? 0 : 1) +
      (this.listed?.children.reduce((sum, { size }) => sum + size, 0) ?? 0)
    )
  }

  /** Number of folders in it that a limit left out. */
  get leftOut(): number {
    return this.listed === undefined ? 0 : this.listed.tooDeep + this.listed.tooMany
  }

  /** True if removing it would change the result. */
  get hasContent(): boolean {
    return (
      this.item !== undefined ||
      this.problems.length > 0 ||
      this.leftOut > 0 ||
      this.listed?.children.some(child => child.hasContent) === true
    )
  }

  /**
   * Returns true if its folder is the one that was listed: a folder that took its place may have been made in the same
   * tick.
   */
  isListedAs(identity: FileIdentity | undefined): boolean {
    return identity !== undefined && this.listed !== undefined && isUnchangedIdentity(this.listed.identity, identity)
  }

  /** Forgets what was found, but not where it is. Returns its previous state. */
  reset(): Before<T> {
    const { state, item, file, via, listed, problems, readAt, leftOut } = this
    this.state = 'unseen'
    this.item = this.file = this.via = this.listed = undefined
    this.problems = none
    return { state, item, file, via, listed, problems, readAt, leftOut }
  }
}

/** State of a node before it is examined again. */
export type Before<T> = Pick<Node<T>, 'state' | 'item' | 'file' | 'via' | 'listed' | 'problems' | 'readAt' | 'leftOut'>

const none: readonly never[] = Object.freeze([])
