import type { Diagnostic } from '@skills/core'

/**
 * Content of a frontmatter block: own keys of a plain object. A scalar is always the text that was written (`1.10`
 * stays `"1.10"`, `true` stays `"true"`), or null for an empty value, `~` or `null`. A list is an array, and a map is a
 * nested record of the same kind.
 */
export type FrontmatterData = Record<string, unknown>

/** Limits of parsing. Each has a default that no distribution raises. */
export interface ParseLimits {
  /** Most bytes between the fences. Default and upper limit: 65,536. */
  readonly frontmatterBytes?: number | undefined
  /** Most nodes that YAML aliases may add in total. Default: 100. */
  readonly aliasNodes?: number | undefined
}

export interface ParseOptions {
  /** True if the bytes are the whole file. If false, an unclosed block gives {@link NeedMore}. Default: true. */
  readonly whole?: boolean | undefined
  /** True if the bytes after the block are also checked for NUL and invalid UTF-8. Default: false. */
  readonly checkBody?: boolean | undefined
  readonly limits?: ParseLimits | undefined
}

/** Result for a block that may close after the given bytes. */
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
  /** True if there is a block; without one the whole file is the body. */
  readonly hasFrontmatter: boolean
  /** Warnings, without `path`. */
  readonly diagnostics: readonly Diagnostic[]
  /** Text between the fences as strict YAML; only if something was repaired. */
  readonly repaired?: string
}

/** Failure to read frontmatter: at least one of the diagnostics is an error. */
export interface ParseFailure {
  readonly ok: false
  /** Diagnostics without `path`. */
  readonly diagnostics: readonly Diagnostic[]
}

export type Parsed = ParsedFrontmatter | ParseFailure

/** Value of a YAML document, or the reasons why it has none. */
export type YamlResult =
  | { readonly ok: true; readonly data: unknown; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** Full parser with its library loaded. All its functions are synchronous, and it does not use the quick reader. */
export interface Parser {
  /**
   * Reads the frontmatter of a file.
   * @param bytes the file from its first byte on
   */
  parse(bytes: Uint8Array, options?: ParseOptions): Parsed | NeedMore
  /**
   * Reads a whole YAML document, such as `agents/openai.yaml`, with the same engine: scalars stay text, and aliases are
   * limited.
   */
  parseYaml(text: string, options?: Pick<ParseOptions, 'limits'>): YamlResult
}
