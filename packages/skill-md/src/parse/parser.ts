import type { Diagnostic } from '@skills/core'
import { withoutLibrary } from '../flat/flat-engine.js'
import { maxFrontmatterBytes } from '../flat/scan.js'
import type { NeedMore, Parsed, ParseFailure, ParseLimits, ParseOptions, Parser, YamlResult } from '../types.js'
import { clean } from '../yaml/clean.js'
import { loadSharedEngine, type YamlEngine, type YamlReader } from '../yaml/engine.js'
import { splitLines } from '../yaml/lines.js'
import { locateBlock } from './block.js'
import { describeDropped, describeDuplicates } from './findings.js'
import { explainReason } from './block-failure.js'
import { parseError } from './problems.js'
import { readBlock } from './read-block.js'
import { checkText, withoutPartialCharacter } from './text-check.js'

const defaultAliasNodes = 100
const needMore: NeedMore = { needMore: true }

let shared: Promise<Parser> | undefined

/**
 * The full parser. Its libraries are imported on the first call; later calls share them.
 * See docs/reference.md, "Frontmatter".
 */
export function loadParser(): Promise<Parser> {
  shared ??= loadSharedEngine().then(createParser, (cause: unknown) => {
    shared = undefined
    throw cause
  })
  return shared
}

/**
 * What the full parser says of a file; its libraries are only loaded where nothing less will do.
 * See docs/reference.md, "Frontmatter".
 * @param bytes the file from its first byte on
 */
export async function parseHead(bytes: Uint8Array, options?: ParseOptions): Promise<Parsed | NeedMore> {
  return parseQuickly(bytes, options) ?? (await loadParser()).parse(bytes, options)
}

/** What the full parser says where no library is needed to know it; else undefined. */
export function parseQuickly(bytes: Uint8Array, options?: ParseOptions): Parsed | NeedMore | undefined {
  return withoutLibrary(engine => parseBytes(engine, bytes, options))
}

/** Reads a YAML document on its own, such as `agents/openai.yaml`: scalars stay text, aliases are bounded, unsafe keys dropped. */
export async function parseYaml(text: string, options?: Pick<ParseOptions, 'limits'>): Promise<YamlResult> {
  return withoutLibrary(engine => parseYamlText(engine, text, options?.limits)) ?? (await loadParser()).parseYaml(text, options)
}

/** A parser on an engine that is loaded. */
export function createParser(engine: YamlEngine): Parser {
  return {
    parse: (bytes, options) => parseBytes(engine, bytes, options),
    parseYaml: (text, options) => parseYamlText(engine, text, options?.limits),
  }
}

function parseBytes(engine: YamlReader, bytes: Uint8Array, options: ParseOptions = {}): Parsed | NeedMore {
  const whole = options.whole ?? true
  const limit = Math.min(options.limits?.frontmatterBytes ?? maxFrontmatterBytes, maxFrontmatterBytes)
  const located = locateBlock(bytes, whole, limit)
  const text = whole ? bytes : withoutPartialCharacter(bytes)
  switch (located.kind) {
    case 'needMore':
      return needMore
    case 'refused':
      // Binary files look like anything; UTF-16 is full of zeros.
      return fail((located.diagnostic.code === 'utf16-file' ? undefined : checkText(text)) ?? located.diagnostic)
    case 'none': {
      const broken = checkText(text)
      if (broken !== undefined) return fail(broken)
      return { ok: true, data: {}, bodyStart: located.bodyStart, bodyLine: 1, hasFrontmatter: false, diagnostics: [] }
    }
    case 'block': {
      const broken = checkText(bytes.subarray(0, options.checkBody === true ? bytes.length : located.bodyStart))
      return broken === undefined ? readBlock(engine, bytes, located, options.limits?.aliasNodes ?? defaultAliasNodes) : fail(broken)
    }
  }
}

function parseYamlText(engine: YamlReader, text: string, limits: ParseLimits | undefined): YamlResult {
  const outcome = engine.load(text, limits?.aliasNodes ?? defaultAliasNodes)
  if (!outcome.ok) {
    const { message, hint } = explainReason('document', outcome)
    return fail(parseError({ line: outcome.line + 1, column: outcome.column + 1 }, { code: outcome.code, message, hint }))
  }
  const lines = splitLines(text).map((line) => line.text)
  const dropped: (string | number)[][] = []
  const data = clean(outcome.value ?? null, dropped)
  const place = (line: number) => line + 1
  return { ok: true, data, diagnostics: [...describeDuplicates(outcome, lines, place), ...describeDropped(dropped, lines, place)] }
}

function fail(diagnostic: Diagnostic): ParseFailure {
  return { ok: false, diagnostics: [diagnostic] }
}
