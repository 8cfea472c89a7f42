import type { FieldOptions } from '@skills/frontmatter'
import type { Diagnostic, Host, MaybePromise, Place, SourceName } from '@skills/core'

/** One folder that skills are looked for in. */
export interface SkillRoot {
  /** Absolute. It need not exist. */
  readonly path: string
  /** Default: the file source's own. */
  readonly source?: SourceName | undefined
  /** What precedes a name that a higher command has, as `user` in `user:deploy`. Default: the source. */
  readonly qualifier?: string | undefined
  /** Real paths of folders that links must not lead out of. Undefined: links may lead anywhere. */
  readonly within?: readonly string[] | undefined
  /** Instead of the file source's. */
  readonly layout?: Layout | undefined
  /** Whether `agents/openai.yaml` beside a skill is read, as it is under `.agents` and `.codex`. */
  readonly hasSidecars?: boolean | undefined
}

/** The roots of a source, in its own order of precedence, and what there is to say about finding them. */
export interface SkillRoots {
  readonly roots: readonly SkillRoot[]
  readonly diagnostics?: readonly Diagnostic[]
  /** Places that were left out, and why. */
  readonly skipped?: readonly Place[]
}

/** How folders are walked and names are given. See docs/reference.md, "Layouts". */
export interface Layout {
  /**
   * `skills` (default): folders with a `SKILL.md`. `commands`: every Markdown file, folders namespace with `:`, and a `SKILL.md`
   * makes its folder the command.
   */
  readonly holds?: 'skills' | 'commands'
  /** `flat`: each direct child folder. `deep` (default): every folder, but none below a skill. */
  readonly walk?: 'flat' | 'deep'
  /** Levels below a root that are searched. Default 6. */
  readonly depth?: number
  /** Folders looked at in one root. Default 200,000. */
  readonly folders?: number
  /** What becomes of `skill.md` and `Skill.md`. Default `load`, with a warning. */
  readonly otherCase?: 'load' | 'report'
  /** Bounds of the fields, and whether passing one is a warning (default) or an error. */
  readonly fields?: FieldOptions
}

export interface FileSourceOptions {
  /** Unique among the sources. */
  readonly id: string
  readonly source: SourceName
  readonly roots: (host: Host) => MaybePromise<SkillRoots>
  readonly layout?: Layout | undefined
  /** Lower first among providers of one source. */
  readonly order?: number
  /** Milliseconds a load may take. Default: the kind's, 10,000. */
  readonly limitMs?: number
}
