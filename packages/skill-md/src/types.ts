import type { Diagnostic } from '@skills/core'

/**
 * What a frontmatter block says: own keys of a plain object.
 * A scalar is always the text that was written (`1.10` stays `"1.10"`, `true` stays `"true"`) or null where nothing,
 * `~` or `null` stands; a list is an array, a map is a nested record of the same kind.
 */
export type FrontmatterData = Record<string, unknown>

/** Bounds on what is parsed; each has a default that no distribution raises. */
export interface ParseLimits {
  /** Bytes between the fences. Default and upper bound: 65,536. */
  readonly frontmatterBytes?: number | undefined
  /** Nodes that YAML aliases may add in total. Default: 100. */
  readonly aliasNodes?: number | undefined
}

export interface ParseOptions {
  /** Whether the bytes are the whole file. Default: true. Otherwise an unclosed block answers {@link NeedMore}. */
  readonly whole?: boolean | undefined
  /** Whether the bytes after the block are checked for NUL and invalid UTF-8 too. Default: false. */
  readonly checkBody?: boolean | undefined
  readonly limits?: ParseLimits | undefined
}

/** The block closes somewhere behind the bytes that were given. */
export interface NeedMore {
  readonly needMore: true
}

/** Frontmatter that was read, perhaps after repair. */
export interface ParsedFrontmatter {
  readonly ok: true
  readonly data: FrontmatterData
  /** Offset in bytes of the body's first byte. */
  readonly bodyStart: number
  /** 1-based line in the file on which the body begins. */
  readonly bodyLine: number
  /** Whether there is a block at all; without one the whole file is the body. */
  readonly hasFrontmatter: boolean
  /** Warnings, without `path`. */
  readonly diagnostics: readonly Diagnostic[]
  /** The text between the fences as strict YAML, present when something had to be repaired. */
  readonly repaired?: string
}

/** Frontmatter that could not be read: at least one of the diagnostics is an error. */
export interface ParseFailure {
  readonly ok: false
  /** Without `path`. */
  readonly diagnostics: readonly Diagnostic[]
}

export type Parsed = ParsedFrontmatter | ParseFailure

/** A plain YAML document's value, or why it has none. */
export type YamlResult =
  | { readonly ok: true; readonly data: unknown; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/**
 * The full parser, once its library is loaded: everything on it is synchronous, and nothing is left to the quick way.
 */
export interface Parser {
  /**
   * Reads the frontmatter of a file.
   * @param bytes the file from its first byte on
   */
  parse(bytes: Uint8Array, options?: ParseOptions): Parsed | NeedMore
  /**
   * Reads a whole YAML document, such as `agents/openai.yaml`, with the same engine: scalars stay text, aliases are
   * bounded.
   */
  parseYaml(text: string, options?: Pick<ParseOptions, 'limits'>): YamlResult
}
