import type { CallContext, Diagnostic, FileIdentity, LoadedFrom, MaybePromise, SourceName } from '@skills/core'
import type { FieldOptions, FieldProblem, SkillFields } from '../fields/field-types.js'
import type { FrontmatterReader } from '../parse/own-frontmatter.js'
import type { SharedReading } from '../parse/shared-reading.js'

/**
 * One file. The object is not kept: the needed values are copied, so that a caller may use one object for many files in
 * turn.
 */
export interface SkillFile {
  /** Name by which the skill is invoked: its folder's name. */
  readonly name: string
  /** Path with forward slashes, or another address for people. Default: the name. */
  readonly path?: string | undefined
  /** Identity of the file. The command then has it as `file`, and the path as `filePath`. */
  readonly identity?: FileIdentity | undefined
  /**
   * Bytes of the whole file; if fewer are given, they are its head. Default: from the identity, otherwise the number of
   * given bytes.
   */
  readonly size?: number | undefined
  /** SHA-256 of the whole file in hexadecimal, if it is known without reading the file. */
  readonly digest?: string | undefined
  /** The file `agents/openai.yaml` beside it. */
  readonly sidecar?: SidecarFile | undefined
}

export type SidecarFile = { readonly path: string } & (
  | { readonly bytes: Uint8Array }
  | { readonly problem: Pick<Diagnostic, 'message'> }
)

/** Properties that all files of one place share. */
export interface SkillPlace {
  readonly source: SourceName
  /** Prefix for a name that a higher command has. Default: the source. */
  readonly qualifier?: string | undefined
  /** True if the place is one folder of a project, whose skills never take a plain name from those of another. */
  readonly isScoped?: boolean | undefined
  /** Default: `plugin` with a plugin, otherwise `commands` or `skills`, as in the layout. */
  readonly loadedFrom?: LoadedFrom | undefined
  readonly layout?: SkillLayout | undefined
  /**
   * True if paths are those of this machine. Otherwise a command has no `baseDir`, with which others read files beside
   * it. Default: true if there is an identity.
   */
  readonly isLocal?: boolean | undefined
  readonly plugin?: SkillPlugin | undefined
  /** Called with the fields of each file before a command is made of it. It may change them, and returns problems. */
  readonly adapt?: ((fields: SkillFields, file: SkillFile) => readonly FieldFinding[]) | undefined
  /** Results that other readers of the same files share. Default: none. */
  readonly shared?: SharedReading | undefined
  /**
   * Returns the whole current file, or undefined if it is gone. The source compares its identity to see whether it has
   * changed since it was listed. Without this function the given bytes must be the whole file, and are kept.
   */
  readonly read?: ((file: SkillFile, call: SkillRead) => MaybePromise<SkillBytes | undefined>) | undefined
}

/** Everything about a file except its bytes. */
export interface SkillOrigin extends SkillPlace, SkillFile {}

export interface SkillRead extends CallContext {
  /**
   * Purpose. `list`: the head was too short. `invoke` must get the current file; for the others a recent read is
   * enough.
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

/** Problem of a field that a layout or an adapter finds. */
export type FieldFinding = Omit<FieldProblem, 'code'> & { readonly code: string }

/** Properties that the commands of one plugin share. Use one object as long as the plugin does not change. */
export interface SkillPlugin {
  /** Prefix for the names of its commands, and their `pluginName`. */
  readonly name: string
  /** Who named the plugin, which decides whether it is trusted: `host`, `user`, `managed`, `project`. */
  readonly from: string
  /** Folder of the plugin, absolute, with forward slashes. */
  readonly path: string
  readonly version?: string | undefined
  /**
   * Returns the value of `${name}` in a body of the plugin, or undefined for a name that is not the plugin's. Throws
   * `E_INVALID_SKILL` for a name of the plugin's that has no value.
   */
  resolveVariable(name: string): string | undefined
}

/** Rules for reading skill files. See docs/reference/skill-files.md, "Layouts". */
export interface SkillLayout {
  /**
   * `skills` (default): each file is the `SKILL.md` of a folder. `commands`: prompts that are named by their path and
   * are always active.
   */
  readonly holds?: 'skills' | 'commands'
  /** Name by which a skill is invoked: its folder's (default), or the one in the frontmatter if there is one. */
  readonly names?: 'folder' | 'field'
  /** Fields without which a skill is an error. Default: none. */
  readonly required?: readonly ('name' | 'description')[]
  /**
   * Replacement for a missing description: the part of the body it comes from, and a text if there is no such part.
   * Default: a paragraph, otherwise the name.
   */
  readonly fallback?: { readonly from: 'paragraph' | 'heading' | 'line' | 'nothing'; readonly otherwise?: string }
  /**
   * How frontmatter is read: as YAML with repair (`yaml`, default), the same but with every value that has a colon as
   * text (`colons`), as lines of `key: value` (`lines`), or without repair as another program reads it.
   */
  readonly dialect?: 'yaml' | 'colons' | 'lines' | FrontmatterReader
  /**
   * Product that `policy.products` of `agents/openai.yaml` must name, if it names any. A skill for other products only
   * is left out, with a warning. Default: products are ignored.
   */
  readonly product?: string
  /** Most bytes of the name of a folder or of a command's file; a longer one is an error. Default: no limit. */
  readonly nameBytes?: number
  /** Most bytes of a body; a longer one is an error. Default: no limit. */
  readonly bodyBytes?: number
  /**
   * Text before the message of a diagnostic, by its code; `{length}` stands for the length of the value. Default: none.
   */
  readonly reasons?: Readonly<Record<string, string>>
  /** Skills that are hidden from lists for people: those that people may not invoke (default), or all. */
  readonly hides?: 'uninvocable' | 'all'
  /** Limits and dialect of the fields, and fields of a host. */
  readonly fields?: FieldOptions
}
