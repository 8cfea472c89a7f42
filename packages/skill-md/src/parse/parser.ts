import type { Diagnostic } from '@skills/core'
import type { NeedMore, Parsed, ParseFailure, ParseLimits, ParseOptions, Parser, YamlResult } from '../types.js'
import { clean } from '../yaml/clean.js'
import { loadedEngine, loadSharedEngine, type YamlEngine } from '../yaml/engine.js'
import { splitLines } from '../yaml/lines.js'
import { locateBlock } from './block.js'
import { describeDropped, describeDuplicates } from './findings.js'
import { explainReason } from './block-failure.js'
import { parseError } from './problems.js'
import { maxFrontmatterBytes, readQuickHead } from './quick.js'
import { readBlock } from './read-block.js'
import { checkText, withoutPartialCharacter } from './text-check.js'

const defaultAliasNodes = 100
const LINE_FEED = 10
const needMore: NeedMore = { needMore: true }

/**
 * Loads the full parser. Its library is imported on the first call; after that {@link readHead} reads everything at
 * once.
 */
export async function loadParser(): Promise<Parser> {
  const engine = await loadSharedEngine()
  return {
    parse: (bytes, options = {}) => parseBytes(engine, bytes, options) ?? needMore,
    parseYaml: (text, options) => parseYamlText(engine, text, options?.limits),
  }
}

/**
 * Reads the frontmatter of a file, repaired if needed. Returns undefined if that needs the YAML library and it is not
 * loaded.
 * @param bytes the file from its first byte on
 */
export function readHead(bytes: Uint8Array, options: ParseOptions = {}): Parsed | NeedMore | undefined {
  const { whole = true, checkBody = false, limits } = options
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const quick = limits === undefined ? readQuickHead(head, whole) : undefined
  if (quick !== undefined && (!checkBody || checkText(bytes) === undefined)) {
    return { ok: true, ...quick, bodyLine: lineOf(head, quick.bodyStart), hasFrontmatter: true, diagnostics: [] }
  }
  return parseBytes(loadedEngine(), bytes, options)
}

/** Reads the frontmatter of a file, and loads the library if it is needed. */
export async function parseHead(bytes: Uint8Array, options?: ParseOptions): Promise<Parsed | NeedMore> {
  const read = readHead(bytes, options)
  if (read !== undefined) return read
  return (await loadParser()).parse(bytes, options)
}

/**
 * Reads a YAML document on its own, such as `agents/openai.yaml`. Scalars stay text, aliases are limited, and unsafe
 * keys are dropped.
 */
export async function parseYaml(text: string, options?: Pick<ParseOptions, 'limits'>): Promise<YamlResult> {
  return parseYamlText(await loadSharedEngine(), text, options?.limits)
}

/** Reads a YAML document, or returns undefined if the YAML library is not loaded. */
export function readYaml(text: string): YamlResult | undefined {
  const engine = loadedEngine()
  return engine && parseYamlText(engine, text, undefined)
}

/** Returns the 1-based line of an offset that follows a line feed, or the last line. */
function lineOf(bytes: Buffer, end: number): number {
  let line = 1
  for (let at = bytes.indexOf(LINE_FEED); at !== -1 && at < end; at = bytes.indexOf(LINE_FEED, at + 1)) line++
  return line
}

function parseBytes(
  engine: YamlEngine | undefined,
  bytes: Uint8Array,
  options: ParseOptions,
): Parsed | NeedMore | undefined {
  const whole = options.whole ?? true
  const limit = Math.min(options.limits?.frontmatterBytes ?? maxFrontmatterBytes, maxFrontmatterBytes)
  const located = locateBlock(bytes, whole, limit)
  const text = whole ? bytes : withoutPartialCharacter(bytes)
  switch (located.kind) {
    case 'needMore':
      return needMore
    case 'refused':
      // Binary files can look like anything, and UTF-16 is full of zeros, so these are checked first.
      return fail((located.diagnostic.code === 'utf16-file' ? undefined : checkText(text)) ?? located.diagnostic)
    case 'none': {
      const broken = checkText(text)
      if (broken !== undefined) return fail(broken)
      return { ok: true, data: {}, bodyStart: located.bodyStart, bodyLine: 1, hasFrontmatter: false, diagnostics: [] }
    }
    case 'block': {
      const broken = checkText(bytes.subarray(0, options.checkBody === true ? bytes.length : located.bodyStart))
      if (broken !== undefined) return fail(broken)
      return engine && readBlock(engine, bytes, located, options.limits?.aliasNodes ?? defaultAliasNodes)
    }
  }
}

function parseYamlText(engine: YamlEngine, text: string, limits: ParseLimits | undefined): YamlResult {
  const outcome = engine.load(text, limits?.aliasNodes ?? defaultAliasNodes)
  if (!outcome.ok) {
    const { message, hint } = explainReason('document', outcome)
    return fail(
      parseError({ line: outcome.line + 1, column: outcome.column + 1 }, { code: outcome.code, message, hint }),
    )
  }
  const lines = splitLines(text).map(line => line.text)
  const dropped: (string | number)[][] = []
  const data = clean(outcome.value ?? null, dropped)
  const place = (line: number) => line + 1
  return {
    ok: true,
    data,
    diagnostics: [...describeDuplicates(outcome, lines, place), ...describeDropped(dropped, lines, place)],
  }
}

function fail(diagnostic: Diagnostic): ParseFailure {
  return { ok: false, diagnostics: [diagnostic] }
}
