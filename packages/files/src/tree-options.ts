import type { FileIdentity } from '@skills/core'
import type { StoreAnswer, Store, StoreContent } from '@skills/store'

/**
 * Skill file that a walk found. Paths are absolute, with forward slashes. The object is valid only during the call;
 * copy it to keep it.
 */
export interface FoundFile {
  /** Name of the folder that holds it; for a loose Markdown file its own name without the ending. */
  readonly name: string
  readonly folder: string
  readonly path: string
  readonly identity: FileIdentity
}

export interface SkillTreeOptions<T> {
  /** Absolute path; the folder may be missing. */
  readonly root: string
  /** `flat`: each direct child folder. `deep`: every folder, but none below a skill. */
  readonly walk: 'flat' | 'deep'
  /** Deepest level that is searched; the root is 0. Deeper folders are left out and counted. Default: 6. */
  readonly depth?: number
  /** Most folders (and loose files) looked at; more are left out and counted. Default: 200,000. */
  readonly folders?: number
  /** Largest file in bytes; a larger one is an error. Default: 1 MiB. */
  readonly fileBytes?: number
  /**
   * Treatment of `skill.md` and `Skill.md`: read with a warning, or only reported. With `report-all`, files that are
   * read by themselves are also only reported if their ending is `.md` in other letter case. Default: `load`.
   */
  readonly otherCase?: 'load' | 'report' | 'report-all'
  /**
   * Place of Markdown files that are read although no skill's folder holds them: everywhere (`true`), in the root
   * itself, or only below it. Default: false.
   */
  readonly loose?: boolean | 'root' | 'below'
  /** True if skills are also searched below a folder that is a skill. Default: false. */
  readonly nested?: boolean
  /** True if a SKILL.md that is a link counts in `nested` walks; folders that are links always do. Default: true. */
  readonly linkedFiles?: boolean
  /** Folders that are never entered: those whose names begin with a dot, and `node_modules`. Default: both. */
  readonly skipped?: readonly ('hidden' | 'node_modules')[]
  /**
   * Makes a test of paths to leave out, at each walk. The test takes an absolute path; a folder's ends with a slash.
   * Default: nothing is left out.
   */
  readonly ignores?: ((root: string) => (path: string) => boolean) | undefined
  /**
   * True if the root itself may be a skill: a folder with a `SKILL.md` is then that one skill, and the root may also be
   * a file. Default: false.
   */
  readonly mayBeSkill?: boolean
  /**
   * Real paths of folders that links must not lead out of. With `/*` at its end, a path admits folders, and a file only
   * under its own name. Undefined: links may lead anywhere.
   */
  readonly within?: readonly string[] | undefined
  /** Store that has the files. Default: the disk of this machine. */
  readonly store?: Store | undefined
  /** True if the tree is walked once, so that no stamps are taken for a later comparison. */
  readonly looksOnce?: boolean | undefined
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number
  /**
   * Makes an item of a file's head. Returning undefined asks for more of the file. Must keep neither the file nor the
   * head.
   */
  readonly read: (file: FoundFile, head: StoreContent) => T | undefined
  /**
   * Returns true if an item is still valid although its file is unchanged, for an item that also depends on something
   * else.
   */
  readonly isCurrent?: (item: T) => StoreAnswer<boolean>
  /** Returns true if two readings of one file mean the same, so that the older item is kept. */
  readonly isSame?: (before: T, after: T) => boolean
}

export type TreeOptions<T> = SkillTreeOptions<T> &
  Required<Pick<SkillTreeOptions<T>, 'depth' | 'folders' | 'fileBytes' | 'otherCase' | 'skipped'>> & {
    readonly store: Store
  }
