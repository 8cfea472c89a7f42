import type { Diagnostic } from '@skills/core'
import type { FrontmatterData } from '../types.js'
import { isUnsafeKey } from '../yaml/unsafe-keys.js'
import { loadedEngine, type YamlRead, type YamlReading } from '../yaml/engine.js'
import { placeOfProblem } from './locate.js'
import { quickYaml } from './plain-yaml.js'
import { headTextOf, type SharedReading } from './shared-reading.js'
import { checkText, withoutPartialCharacter } from './text-check.js'

/** Reads a text as YAML. Unless the reading says otherwise, a key that is given twice in one map is a failure. */
export type ReadYaml = (text: string, reading?: YamlReading) => YamlRead

/**
 * Result of a {@link FrontmatterReader}: the fields and the start of the body in the text, or the reason why the file
 * is not a skill.
 */
export type OwnFrontmatter =
  | {
      readonly data: FrontmatterData
      readonly body: number
      /** Reason why frontmatter counts for nothing, or only in part. */
      readonly warning?: OwnProblem
    }
  | { readonly problem: OwnProblem }

/** Problem that a {@link FrontmatterReader} finds. */
export interface OwnProblem {
  /** One of `frontmatterCodes` or `fieldCodes`, `missing-field`, or a code of the program's own. */
  readonly code: string
  readonly message: string
  readonly hint?: string
  /** Top-level key that it is about. */
  readonly field?: string
  /** Counts from 1, in the file. Default: the line of the field, otherwise 1. */
  readonly line?: number
}

/** Facts about the text for a reader. */
export interface OwnText {
  /** True if it is the whole file, or the first 1 MiB, which is all that frontmatter may use. */
  readonly isWhole: boolean
  /** True if the bytes were UTF-8; otherwise `\ufffd` replaces the invalid ones. */
  readonly isUtf8: boolean
  /** True if the field `name` gives the name by which the skill is called. Default: false. */
  readonly givesName?: boolean
}

/**
 * Reads frontmatter as one program does, in place of the reader with repair. Returns undefined if the frontmatter does
 * not end in this text, which may be only the beginning of the file. See docs/reference/fields.md, "Frontmatter of
 * other programs".
 * @param text begins with a byte order mark if the file has one
 */
export type FrontmatterReader = (text: string, yaml: ReadYaml, of: OwnText) => OwnFrontmatter | undefined

export type OwnHead =
  | { readonly data: FrontmatterData; readonly bodyStart: number; readonly diagnostics: readonly Diagnostic[] }
  | { readonly needMore: true }
  | { readonly problems: readonly Diagnostic[] }

const aliasNodes = 100
/** Bytes in which nearly every frontmatter ends; the rest need not become text. */
const enoughBytes = 2 * 1024
/** Bytes after which nothing is frontmatter; a reader gets the text before as the whole file. */
const mostBytes = 1024 * 1024

/**
 * Reads a file's first bytes with a host's own reader. Returns undefined if that needs the YAML library and it is not
 * loaded. With any reader, a NUL is an error, invalid UTF-8 is a warning, and keys that reach a prototype are dropped.
 * @param shared results of other readers of the same file. Default: none
 * @param givesName true if the field `name` gives the name of the skill
 */
export function readOwn(
  reader: FrontmatterReader,
  bytes: Buffer,
  isWhole: boolean,
  shared?: SharedReading,
  givesName = false,
): OwnHead | undefined {
  if (bytes.length > enoughBytes) {
    const read = readOwn(reader, bytes.subarray(0, enoughBytes), false, shared, givesName)
    if (read === undefined || !('needMore' in read)) return read
  }
  const engine = loadedEngine()
  let isEngineMissing = false
  const isAll = isWhole || bytes.length >= mostBytes
  const given = isWhole && bytes.length <= mostBytes ? bytes : withoutPartialCharacter(bytes.subarray(0, mostBytes))
  const head = Buffer.from(given.buffer, given.byteOffset, given.length)
  const { text, isUtf8, isSound = false } = shared?.headText(head) ?? headTextOf(head)
  const read = reader(
    text,
    (block, reading = {}) => {
      const plain = shared === undefined ? quickYaml(block) : shared.plain(block)
      const { scalars, dates = false, merges = false } = reading
      const areTexts = scalars === 'text' && !dates && !merges
      if (plain !== undefined && (areTexts || !plain.isTyped)) return { ok: true, value: plain.value }
      if (engine === undefined) {
        isEngineMissing = true
        return { ok: true, value: undefined }
      }
      const load = (how: YamlReading): YamlRead => {
        const outcome = engine.loadAs(block, how.aliases === 'shared' ? Infinity : aliasNodes, how)
        return outcome.ok ? { ok: true, value: outcome.value } : outcome
      }
      return shared === undefined ? load(reading) : shared.other(block, reading, load)
    },
    { isWhole: isAll, isUtf8, ...(givesName && { givesName }) },
  )
  if (isEngineMissing) return undefined
  if (read === undefined && !isAll) return { needMore: true }
  const problem =
    read === undefined
      ? {
          code: 'unclosed-frontmatter' as const,
          message: 'The frontmatter is never closed.',
          hint: 'Write `---` below it.',
        }
      : 'problem' in read
        ? read.problem
        : undefined
  if (problem !== undefined) return { problems: [placed(text, problem, 'error')] }
  const { data, body, warning } = read as Extract<OwnFrontmatter, { readonly data: FrontmatterData }>
  const bodyStart = offsetOf(head, text, body)
  const broken = isSound ? undefined : checkText(head.subarray(0, bodyStart))
  if (broken !== undefined && broken.code !== 'invalid-utf8') return { problems: [broken] }
  return {
    data: Object.fromEntries(Object.entries(data).filter(([key]) => !isUnsafeKey(key))),
    bodyStart,
    diagnostics: [
      ...(broken === undefined ? [] : [{ ...broken, severity: 'warning' as const }]),
      ...(warning === undefined ? [] : [placed(text, warning, 'warning')]),
    ],
  }
}

/** Adds to a problem of a reader where it is in the text. */
function placed(text: string, problem: OwnProblem, severity: Diagnostic['severity']): Diagnostic {
  const { code, field, line } = problem
  const isPlaced = field === undefined || line !== undefined
  const { line: at = 1, column = 1 } = isPlaced ? { line, column: 1 } : placeOfProblem(text, { code, keyPath: [field] })
  const type = field === undefined ? 'parse' : 'validation'
  return { severity, type, ...problem, line: at, column }
}

/** Returns the offset in bytes of a character of the text; invalid UTF-8 has another length in bytes. */
function offsetOf(bytes: Buffer, text: string, at: number): number {
  if (text.length === bytes.length) return at
  const line = text.lastIndexOf('\n', at - 1) + 1
  let start = 0
  for (let left = text.slice(0, line).split('\n').length - 1; left > 0; left--) start = bytes.indexOf(0x0a, start) + 1
  return start + Buffer.byteLength(text.slice(line, at))
}
