import * as s from '@skills/core/schema'
import type { FieldFinding, SkillFile, SkillLayout, SkillPlugin } from '@skills/skill-md/internal'
import type { SkillFields } from '@skills/skill-md'
import type { FileReads } from '../shared-reads.js'
import type { FoundFile } from '../tree-options.js'
import type { Store, StoreStats } from '@skills/store'
import type { Diagnostic, Host, MaybePromise, Place, SourceName } from '@skills/core'

/** One folder that skills are looked for in. */
export interface SkillRoot {
  /** Absolute. It need not exist. */
  readonly path: string
  /** Default: the file source's own. */
  readonly source?: SourceName | undefined
  /** What precedes a name that a higher command has, as `user` in `user:deploy`. Default: the source. */
  readonly qualifier?: string | undefined
  /**
   * Real paths of folders that links must not lead out of; of one with `/*` behind it links reach folders, and files by
   * their own names. Undefined: links may lead anywhere.
   */
  readonly within?: readonly string[] | undefined
  /** Instead of the file source's. */
  readonly layout?: Layout | undefined
  /** Whether `agents/openai.yaml` beside a skill is read, as it is under `.agents` and `.codex`. */
  readonly hasSidecars?: boolean | undefined
  /**
   * Whether the root itself may be what is looked for: a folder with a `SKILL.md` is then that one skill, and it may be
   * a file.
   */
  readonly mayBeSkill?: boolean | undefined
  /** What the root itself goes by when it is a skill. Default: its own name. */
  readonly name?: string | undefined
  /**
   * The plugin that the root belongs to: what is found goes by `<plugin>:<path below the root>`, with `:` between the
   * parts.
   */
  readonly plugin?: SkillPlugin | undefined
  /**
   * Called with the fields of each file before a command is made of it: it may change them, and gives what is wrong
   * with them. The same function each time the root is given, since another one makes it another root.
   */
  readonly adapt?: ((fields: SkillFields, file: SkillFile) => readonly FieldFinding[]) | undefined
}

/** The roots of a source, in its own order of precedence, and what there is to say about finding them. */
export interface SkillRoots {
  readonly roots: readonly SkillRoot[]
  readonly diagnostics?: readonly Diagnostic[]
  /** Places that were left out, and why. */
  readonly skipped?: readonly Place[]
}

/** How folders are walked, and their files read. See docs/reference/skill-files.md, "Layouts". */
export interface Layout extends SkillLayout {
  /** `flat`: each direct child folder. `deep` (default): every folder, but none below a skill. */
  readonly walk?: 'flat' | 'deep'
  /** Levels below a root that are searched. Default 6. */
  readonly depth?: number
  /** Folders looked at in one root. Default 200,000. */
  readonly folders?: number
  /**
   * What becomes of `skill.md` and `Skill.md`, and with `report-all` of a command that ends in `.MD`. Default `load`,
   * with a warning for a skill.
   */
  readonly otherCase?: 'load' | 'report' | 'report-all'
  /** Whether skills are looked for below a folder that is one. Default false. */
  readonly nested?: boolean
  /** In `nested` walks, whether a SKILL.md that is a link counts; folders that are links do. Default true. */
  readonly linkedFiles?: boolean
  /** Which folders are never entered. Default: hidden ones and `node_modules`. */
  readonly skipped?: readonly ('hidden' | 'node_modules')[]
  /** Bytes; a larger file is an error. Default 1 MiB. */
  readonly fileBytes?: number
  /** Whether the root itself may be a skill, as {@link SkillRoot.mayBeSkill} says of one root. Default false. */
  readonly mayBeSkill?: boolean
  /**
   * Which Markdown files that lie in no skill's folder are skills: those in the root, or those below. Default: none.
   */
  readonly loose?: 'root' | 'below'
  /**
   * Makes the test of what is left out below a root, at each look, such as one of `IgnoreRules.by()`: it takes an absolute
   * path, that of a folder with a slash at its end. Default: nothing is.
   */
  readonly ignores?: (root: string) => (path: string) => boolean
}

export const fileSourceOptions = s.options('fileSource()', {
  /** Unique among the sources. */
  id: s.text().required(),
  source: s.text<SourceName>().required(),
  roots: s.fn<(host: Host) => MaybePromise<SkillRoots>>().required(),
  layout: s.typed<Layout>('a layout'),
  /**
   * Which of several skills of one name stands first and so keeps it: the one found first (default), or the one found
   * last.
   */
  wins: s.oneOf('first', 'last'),
  /** Lower first among providers of one source. */
  order: s.number(),
  /** Milliseconds a load may take. Default: the kind's, 10,000. */
  limitMs: s.number(),
  /** Where the files are: an archive, a commit, a table. Default: the disk of this machine. Closed with the engine. */
  store: s.either(s.typed<Store>('a store'), s.fn<(host: Host) => MaybePromise<Store>>()),
  /**
   * Whether a file may not be loaded because of what the system says of it, as whose it is: the error that stands in
   * its place, or undefined. Asked when a file is read, and again once its stamps or its rights are other ones.
   */
  refuse: s.fn<(file: FoundFile, stats: StoreStats, host: Host) => Diagnostic | undefined>(),
  /**
   * What other engines of this process have read of the same files, which are then not read again. Default: nothing.
   */
  sharedReads: s.typed<FileReads>('shared reads'),
})

export interface FileSourceOptions extends s.OptionsOf<typeof fileSourceOptions> {}
