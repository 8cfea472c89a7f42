import type { FileIdentity } from '@skills/core'
import type { StoreAnswer, Store, StoreContent } from '@skills/store'

/**
 * A skill file that a walk came to. Paths are absolute, with forward slashes. Lent for the call: copy it to keep it.
 */
export interface FoundFile {
  /** Name of the folder that holds it; of a loose Markdown file its own, without the ending. */
  readonly name: string
  readonly folder: string
  readonly path: string
  readonly identity: FileIdentity
}

export interface SkillTreeOptions<T> {
  /** Absolute. It need not exist. */
  readonly root: string
  /** `flat`: each direct child folder. `deep`: every folder, but none below a skill. */
  readonly walk: 'flat' | 'deep'
  /** Folders deeper than this below the root are left out and counted; the root is 0. Default 6. */
  readonly depth?: number
  /** Folders (and loose files) looked at; more are left out and counted. Default 200,000. */
  readonly folders?: number
  /** Bytes; a larger file is an error entry. Default 1 MiB. */
  readonly fileBytes?: number
  /**
   * What becomes of `skill.md` and `Skill.md`: read with a warning, or only reported. `report-all`: files that are read
   * by themselves are only reported too where their ending is not `.md` in small letters. Default `load`.
   */
  readonly otherCase?: 'load' | 'report' | 'report-all'
  /**
   * Whether Markdown files that lie in no skill's folder are read too: all of them, or only those in the root itself or
   * only those below it. Default false.
   */
  readonly loose?: boolean | 'root' | 'below'
  /** Whether skills are looked for below a folder that is one. Default false. */
  readonly nested?: boolean
  /** In `nested` walks, whether a SKILL.md that is a link counts; folders that are links do. Default true. */
  readonly linkedFiles?: boolean
  /** Which folders are never entered: those whose names begin with a dot, and those of packages. Default: both. */
  readonly skipped?: readonly ('hidden' | 'node_modules')[]
  /**
   * Makes the test of what is left out, at each look: it takes an absolute path, that of a folder with a slash at its
   * end. Default: nothing is.
   */
  readonly ignores?: ((root: string) => (path: string) => boolean) | undefined
  /**
   * Whether the root itself may be what is looked for: a folder with a `SKILL.md` is then that one skill, and it may be
   * a file. Default false.
   */
  readonly mayBeSkill?: boolean
  /**
   * Real paths of folders that links must not lead out of; of one with `/*` behind it links reach folders, and files by
   * their own names. Undefined: links may lead anywhere.
   */
  readonly within?: readonly string[] | undefined
  /** Where the files are. Default: the disk of this machine. */
  readonly store?: Store | undefined
  /** Whether the tree is looked at once, so that no file is asked for what a later look would compare. */
  readonly looksOnce?: boolean | undefined
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /**
   * Makes an item of a file's head; undefined asks for more of the file. Must keep neither the file nor the head it is
   * given.
   */
  readonly read: (file: FoundFile, head: StoreContent) => T | undefined
  /** Whether an item still stands although its file is unchanged, when it also depends on something else. */
  readonly isCurrent?: (item: T) => StoreAnswer<boolean>
  /** Whether two readings of one file mean the same, so that the older may be kept. */
  readonly isSame?: (before: T, after: T) => boolean
}

export type TreeOptions<T> = SkillTreeOptions<T> &
  Required<Pick<SkillTreeOptions<T>, 'depth' | 'folders' | 'fileBytes' | 'otherCase' | 'skipped'>> & {
    readonly store: Store
  }
