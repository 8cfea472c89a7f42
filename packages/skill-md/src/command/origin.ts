import type { CallContext, Diagnostic, FileIdentity, LoadedFrom, MaybePromise, SourceName } from '@skills/core'
import type { FieldOptions, FieldProblem, SkillFields } from '../fields/field-types.js'
import type { FrontmatterReader } from '../parse/own-frontmatter.js'

/** One file. It is not kept: what is needed of it is copied, so that one object may be lent for each of many files. */
export interface SkillFile {
  /** What it is invoked by: the name of a skill's folder. */
  readonly name: string
  /** Where it is, forward slashes: a path, or another address for people. Default: the name. */
  readonly path?: string | undefined
  /** Which file it is: the command then has it as `file`, and the path as `filePath`. */
  readonly identity?: FileIdentity | undefined
  /**
   * Bytes of the whole file; with fewer at hand those are its head. Default: of the identity, else as many as there
   * are.
   */
  readonly size?: number | undefined
  /** SHA-256 of the whole file in hexadecimal, where that is known without reading it. */
  readonly digest?: string | undefined
  /** The file `agents/openai.yaml` beside it. */
  readonly sidecar?: SidecarFile | undefined
}

export type SidecarFile = { readonly path: string } & (
  | { readonly bytes: Uint8Array }
  | { readonly problem: Pick<Diagnostic, 'message'> }
)

/** What the files of one place have in common. */
export interface SkillPlace {
  readonly source: SourceName
  /** What precedes a name that a higher command has. Default: the source. */
  readonly qualifier?: string | undefined
  /** Default: `plugin` with one, else `commands` or `skills` as the layout holds them. */
  readonly loadedFrom?: LoadedFrom | undefined
  readonly layout?: SkillLayout | undefined
  /**
   * Whether paths are those of this machine: else a command has no `baseDir`, by which others read what is beside it.
   * Default: with an identity they are.
   */
  readonly isLocal?: boolean | undefined
  readonly plugin?: SkillPlugin | undefined
  /**
   * Called with the fields of each file before a command is made of it: it may change them, and gives what is wrong
   * with them.
   */
  readonly adapt?: ((fields: SkillFields, file: SkillFile) => readonly FieldFinding[]) | undefined
  /**
   * The whole file as it is now, undefined where it is gone. Whether it changed since it was listed is for the source
   * to see, by its identity. Without this the bytes at hand have to be the whole file, and are kept.
   */
  readonly read?: ((file: SkillFile, call: SkillRead) => MaybePromise<SkillBytes | undefined>) | undefined
}

/** Everything that is to be known of a file besides its bytes. */
export interface SkillOrigin extends SkillPlace, SkillFile {}

export interface SkillRead extends CallContext {
  /**
   * `list`: the head was not enough. `invoke` has to see the file as it is now; the others may take what was read a
   * moment ago.
   */
  readonly for: 'list' | 'invoke' | 'digest'
}

export type SkillBytes =
  | {
      readonly bytes: Uint8Array
      readonly identity?: FileIdentity | undefined
      readonly sidecar?: SidecarFile | undefined
    }
  | { readonly problem: Diagnostic }

/** A problem of a field, as a layout or an adapter finds it. */
export type FieldFinding = Omit<FieldProblem, 'code'> & { readonly code: string }

/** What the commands of one plugin have in common. One object for as long as the plugin stays as it is. */
export interface SkillPlugin {
  /** What precedes the names of its commands, and their `pluginName`. */
  readonly name: string
  /** Who named it, which is what trust in it rests on: `host`, `user`, `managed`, `project`. */
  readonly from: string
  /** Its folder, absolute, forward slashes. */
  readonly path: string
  readonly version?: string | undefined
  /**
   * What `${name}` in a body of the plugin stands for; undefined for what is not the plugin's to say.
   * Throws `E_INVALID_SKILL` for a value that is the plugin's and that there is none of.
   */
  resolveVariable(name: string): string | undefined
}

/** How skill files are read. See docs/reference/skill-files.md, "Layouts". */
export interface SkillLayout {
  /**
   * `skills` (default): each file is the `SKILL.md` of a folder. `commands`: prompts, which their place names and which
   * are always active.
   */
  readonly holds?: 'skills' | 'commands'
  /** What a skill is invoked by: its folder's name (default), or the frontmatter's where it has one. */
  readonly names?: 'folder' | 'field'
  /** Fields without which a skill is an error. Default: none. */
  readonly required?: readonly ('name' | 'description')[]
  /**
   * What stands in for a description where the author wrote none: from where in the body, and what where there is none.
   * Default: a paragraph, else the name.
   */
  readonly fallback?: { readonly from: 'paragraph' | 'heading' | 'line' | 'nothing'; readonly otherwise?: string }
  /**
   * How frontmatter is read: as YAML with repair (default), the same with each value that holds a colon taken as text,
   * as lines of `key: value`, or as another program reads it, with no repair.
   */
  readonly dialect?: 'yaml' | 'colons' | 'lines' | FrontmatterReader
  /**
   * Which `---` are fences: those on a line of their own (default), or the one that a file begins with and the next one,
   * wherever it stands. What stands between them and is no map of keys is then no frontmatter, instead of an error.
   */
  readonly fences?: 'lines' | 'first'
  /**
   * What `policy.products` of `agents/openai.yaml` has to name, where it names any: a skill for other products alone is
   * left out, with a warning. Default: it is not asked.
   */
  readonly product?: string
  /** Bytes of the name of a folder, or of a command's file; a longer one is an error. Default: no limit of its own. */
  readonly nameBytes?: number
  /** Bytes of a body; a longer one is an error. Default: no limit of its own. */
  readonly bodyBytes?: number
  /**
   * Words that precede the message of a diagnostic, by its code; `{length}` is how long the value is. Default: none.
   */
  readonly reasons?: Readonly<Record<string, string>>
  /** Which skills are hidden from people's lists: those that they may not invoke (default), or all. */
  readonly hides?: 'uninvocable' | 'all'
  /** Bounds and dialect of the fields, and fields of a host. */
  readonly fields?: FieldOptions
}
