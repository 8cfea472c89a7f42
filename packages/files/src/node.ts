import type { Diagnostic, FileIdentity } from '@skills/core'
import { isUnchangedIdentity } from './file-identity.js'

export const skillFile = 'SKILL.md'

const markdownEnding = /\.md$/i

export function isMarkdown(name: string): boolean {
  return markdownEnding.test(name)
}

/** Whether a name is SKILL.md in any letters. */
export function isSkillFile(name: string): boolean {
  return name.length === skillFile.length && name.toLowerCase() === 'skill.md'
}

/** A Markdown file's name without its ending. */
export function stemOf(name: string): string {
  return name.replace(markdownEnding, '')
}

/** The entries of a folder that has no skill of its own, as far as the walk goes into them. */
export interface Listed<T> {
  /** Of the folder when it was listed. */
  readonly identity: FileIdentity
  /** Whether an entry in it is a link: then the folder's identity does not tell everything. */
  readonly hasLinks: boolean
  /** Folders in it that a limit kept the walk from. */
  readonly tooDeep: number
  readonly tooMany: number
  /** In code unit order of their names. */
  readonly children: readonly Node<T>[]
}

/**
 * A folder that may hold a skill, or a file that is read by itself, kept so that the next look can be short. `T` is
 * what the reader makes of a skill file.
 */
export class Node<T> {
  /**
   * Its own name on disk, which is also the skill's; a file that is read by itself goes by its stem, a `SKILL.md` by
   * its folder.
   */
  readonly name: string
  readonly parent: Node<T> | undefined
  readonly isFile: boolean
  /** Whether no link is on the way to it. */
  readonly isPlain: boolean
  state: 'unseen' | 'skill' | 'listed' | 'failed' = 'unseen'
  item: T | undefined = undefined
  file: FileIdentity | undefined = undefined
  /**
   * The path under which its file was found where that is a link or has its name in another case: then the file as it
   * was does not tell everything.
   */
  via: string | undefined = undefined
  listed: Listed<T> | undefined = undefined
  problems: readonly Diagnostic[] = none
  /**
   * When its file was read or it was listed; milliseconds since the epoch. Not a whole number before, which would
   * change the shape of the object.
   */
  readAt = Number.NaN
  /** Its name in its parent; of the root its path. */
  readonly entry: string
  /** Where it really lies if it is a link, or the root. */
  readonly #real: string | undefined
  /** Its path, once one of its children asked for it. */
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

  /** As reached, forward slashes. */
  get path(): string {
    return this.parent === undefined ? this.entry : `${this.parent.#ownPath}/${this.entry}`
  }

  get #ownPath(): string {
    return (this.#path ??= this.path)
  }

  get realPath(): string {
    return this.#real ?? (this.isPlain ? this.path : `${this.parent?.realPath}/${this.entry}`)
  }

  /** Where its skill file would be. */
  get filePath(): string {
    return this.isFile ? this.path : `${this.path}/${skillFile}`
  }

  get realFilePath(): string {
    return this.isFile ? this.realPath : `${this.realPath}/${skillFile}`
  }

  /** It and what is below it, as the limit on folders counts: a folder's own file is no further one. */
  get size(): number {
    return (
      (this.entry === skillFile && this.parent !== undefined && this.isFile ? 0 : 1) +
      (this.listed?.children.reduce((sum, { size }) => sum + size, 0) ?? 0)
    )
  }

  /** Folders in it that a limit kept the walk from. */
  get leftOut(): number {
    return this.listed === undefined ? 0 : this.listed.tooDeep + this.listed.tooMany
  }

  /** Whether anything would be missed without it. */
  get hasContent(): boolean {
    return (
      this.item !== undefined ||
      this.problems.length > 0 ||
      this.leftOut > 0 ||
      this.listed?.children.some(child => child.hasContent) === true
    )
  }

  /**
   * Whether its folder is the one that was listed: a folder that took its place may have been made in the same tick.
   */
  isListedAs(identity: FileIdentity | undefined): boolean {
    return identity !== undefined && this.listed !== undefined && isUnchangedIdentity(this.listed.identity, identity)
  }

  /** Forgets what was found, not where it is; gives what it was. */
  reset(): Before<T> {
    const { state, item, file, via, listed, problems, readAt, leftOut } = this
    this.state = 'unseen'
    this.item = this.file = this.via = this.listed = undefined
    this.problems = none
    return { state, item, file, via, listed, problems, readAt, leftOut }
  }
}

/** What a node was before it is looked at anew. */
export type Before<T> = Pick<Node<T>, 'state' | 'item' | 'file' | 'via' | 'listed' | 'problems' | 'readAt' | 'leftOut'>

const none: readonly never[] = Object.freeze([])
