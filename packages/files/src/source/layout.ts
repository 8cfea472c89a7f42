import * as s from '@skills/core/schema'
import type { FieldFinding, SkillFile, SkillLayout, SkillPlugin } from '@skills/skill-md/internal'
import type { SkillFields } from '@skills/skill-md'
import type { FileReads } from '../shared-reads.js'
import type { FoundFile } from '../tree-options.js'
import type { Store, StoreStats } from '@skills/store'
import type { Diagnostic, Host, MaybePromise, Place, SourceName } from '@skills/core'

/** Folder that is searched for skills. */
export interface SkillRoot {
  /** Absolute path; the folder may be missing. */
  readonly path: string
  /** Source of the skills found here. Default: the file source's own. */
  readonly source?: SourceName | undefined
  /** Prefix for a name that a higher command has, such as `user` in `user:deploy`. Default: the source. */
  readonly qualifier?: string | undefined
  /** True if its skills are those of one folder of a project, which never take a plain name from each other. */
  readonly isScoped?: boolean | undefined
  /**
   * Real paths of folders that links must not lead out of. With `/*` at its end, a path admits folders, and a file only
   * under its own name. Undefined: links may lead anywhere.
   */
  readonly within?: readonly string[] | undefined
  /** Layout for this root, instead of the file source's. */
  readonly layout?: Layout | undefined
  /** True if `agents/openai.yaml` beside a skill is read, as it is in `.agents` and `.codex`. Default: false. */
  readonly hasSidecars?: boolean | undefined
  /**
   * True if the root itself may be a skill: a folder with a `SKILL.md` is then that one skill, and the root may also be
   * a file. Default: the layout's.
   */
  readonly mayBeSkill?: boolean | undefined
  /** Name of the root's own skill. Default: the name of the folder or file. */
  readonly name?: string | undefined
  /**
   * Plugin that the root belongs to. Commands are then named `<plugin>:<path below the root>`, with `:` between the
   * parts.
   */
  readonly plugin?: SkillPlugin | undefined
  /** True if `-` replaces every sign but letters of ASCII, digits, `_` and `-` in the names of a plugin's skills. */
  readonly hasWordNames?: boolean | undefined
  /**
   * Called with the fields of each file before a command is made of it. It may change them, and returns problems. Give
   * the same function each time: another one makes it another root.
   */
  readonly adapt?: ((fields: SkillFields, file: SkillFile) => readonly FieldFinding[]) | undefined
}

/** Roots of a source in its order of precedence, with the problems that occurred while they were searched for. */
export interface SkillRoots {
  readonly roots: readonly SkillRoot[]
  readonly diagnostics?: readonly Diagnostic[]
  /** Places that were left out, and why. */
  readonly skipped?: readonly Place[]
}

/** Rules for walking folders and reading their files. See docs/reference/skill-files.md, "Layouts". */
export interface Layout extends SkillLayout {
  /** `flat`: each direct child folder. `deep` (default): every folder, but none below a skill. */
  readonly walk?: 'flat' | 'deep'
  /** Levels below a root that are searched. Default: 6. */
  readonly depth?: number
  /** Most folders looked at in one root. Default: 200,000. */
  readonly folders?: number
  /**
   * Treatment of `skill.md` and `Skill.md`, and with `report-all` of a command that ends in `.MD`: read or only
   * reported. Default: `load`, with a warning for a skill.
   */
  readonly otherCase?: 'load' | 'report' | 'report-all'
  /** True if skills are also searched below a folder that is a skill. Default: false. */
  readonly nested?: boolean
  /** True if a SKILL.md that is a link counts in `nested` walks; folders that are links always do. Default: true. */
  readonly linkedFiles?: boolean
  /** Folders that are never entered. Default: hidden ones and `node_modules`. */
  readonly skipped?: readonly ('hidden' | 'node_modules')[]
  /** Largest file in bytes; a larger one is an error. Default: 1 MiB. */
  readonly fileBytes?: number
  /** True if the root itself may be a skill, see {@link SkillRoot.mayBeSkill}. Default: false. */
  readonly mayBeSkill?: boolean
  /** Place of Markdown files that are skills by themselves: in the root, or below it. Default: none. */
  readonly loose?: 'root' | 'below'
  /**
   * Makes a test of paths to leave out below a root, such as one of `IgnoreRules.by()`, at each load. The test takes an
   * absolute path; a folder's ends with a slash. Default: nothing is left out.
   */
  readonly ignores?: (root: string) => (path: string) => boolean
}

export const fileSourceOptions = s.options('fileSource()', {
  /** Id, unique among the sources. */
  id: s.text().required(),
  source: s.text<SourceName>().required(),
  roots: s.fn<(host: Host) => MaybePromise<SkillRoots>>().required(),
  layout: s.typed<Layout>('a layout'),
  /** Command that stands first and so keeps a name that several have: the one found `first` (default) or `last`. */
  wins: s.oneOf('first', 'last'),
  /** Position among the providers of one source; lower comes first. */
  order: s.number(),
  /** Milliseconds that a load may take. Default: the kind's, 10,000. */
  limitMs: s.number(),
  /**
   * Store that has the files: an archive, a commit, a table. Closed with the engine. Default: the disk of this machine.
   */
  store: s.either(s.typed<Store>('a store'), s.fn<(host: Host) => MaybePromise<Store>>()),
  /**
   * Returns an error for a file that must not be loaded because of its stats, such as its owner; otherwise undefined.
   * Called when a file is read, and again if its stamps or permissions change.
   */
  refuse: s.fn<(file: FoundFile, stats: StoreStats, host: Host) => Diagnostic | undefined>(),
  /** Shared reads of this process: files that another engine has read are not read again. Default: none. */
  sharedReads: s.typed<FileReads>('shared reads'),
})

export interface FileSourceOptions extends s.OptionsOf<typeof fileSourceOptions> {}
