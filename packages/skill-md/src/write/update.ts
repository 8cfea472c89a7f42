import { isDeepStrictEqual } from 'node:util'
import { SkillsError } from '@skills/core'
import { clean } from '../yaml/clean.js'
import { takeApart, type Document } from '../parse/document.js'
import { loadSharedEngine, type YamlEngine } from '../yaml/engine.js'
import { isRecord } from '../fields/field-values.js'
import { shapeAt, skipBlanks } from '../yaml/line-shape.js'
import { trimLineEnd, type Line } from '../yaml/lines.js'
import { outline, type OutlineEntry } from '../yaml/outline.js'
import { parseFrontmatter } from '../parse/parse-frontmatter.js'
import { escapeText } from '../yaml/quote.js'
import type { FrontmatterData } from '../types.js'
import { isUnsafeKey } from '../yaml/unsafe-keys.js'
import { findQuoteEnd, findFlowEnd } from '../yaml/value-end.js'

/**
 * Sets and removes top-level keys of a file's frontmatter. Every other key, comment and line end, and a byte order
 * mark, stay the same byte for byte. Quotes a value if that is needed to read the same value back. Adds a block to a
 * file without frontmatter.
 * @param text the whole file
 * @param changes key → value as in JSON; `undefined` removes the key
 * @returns the whole file's new text
 * @throws SkillsError `E_INVALID_SKILL` if the frontmatter cannot be read, `E_INVALID_OPTION` for a key or value that
 *   cannot be written. See docs/reference/fields.md, "Frontmatter".
 */
export async function updateFrontmatter(text: string, changes: Readonly<Record<string, unknown>>): Promise<string> {
  const engine = await loadSharedEngine()
  const document = takeApart(text)
  const before = await readData(text, document)
  const expected = applyChanges(engine, before, changes)
  const edited = editLines(engine, document, changes)
  if (await reads(edited, expected)) return edited
  // A block such as a map in braces cannot be edited by lines, so it is written again as a whole.
  const rewritten = assemble(document, dumpLines(engine, expected))
  if (await reads(rewritten, expected)) return rewritten
  const keys = Object.keys(changes)
    .map(key => `\`${key}\``)
    .join(', ')
  throw new SkillsError('E_INVALID_OPTION', `The frontmatter cannot store the given values of ${keys}.`, {
    hint: 'Give texts, numbers, booleans, null, lists and maps.',
  })
}

async function readData(text: string, { located }: Document): Promise<FrontmatterData> {
  if (located.kind === 'none' || (located.kind === 'refused' && located.diagnostic.code === 'empty-file')) return {}
  const parsed = await parseFrontmatter(text, { checkBody: false })
  if (parsed.ok) return parsed.data
  const [problem] = parsed.diagnostics
  const reason = problem?.message ?? ''
  throw new SkillsError('E_INVALID_SKILL', `The frontmatter cannot be changed, because it cannot be read: ${reason}`, {
    hint: problem?.hint,
  })
}

/** Returns the data that reading the changed file must give. */
function applyChanges(
  engine: YamlEngine,
  data: FrontmatterData,
  changes: Readonly<Record<string, unknown>>,
): FrontmatterData {
  const changed: FrontmatterData = { ...data }
  for (const [key, value] of Object.entries(changes)) {
    if (isUnsafeKey(key) || key === '')
      throw new SkillsError('E_INVALID_OPTION', `\`${key}\` is not accepted as a key.`)
    if (value === undefined) delete changed[key]
    else changed[key] = normalise(engine, key, value)
  }
  return changed
}

function normalise(engine: YamlEngine, key: string, value: unknown): unknown {
  let written: string
  try {
    written = engine.dump({ [key]: value })
  } catch (cause) {
    throw new SkillsError('E_INVALID_OPTION', `The value of \`${key}\` cannot be written as YAML.`, { cause })
  }
  const outcome = engine.load(`${written}\n`, Number.MAX_SAFE_INTEGER)
  return outcome.ok && isRecord(outcome.value) ? clean(outcome.value[key], []) : undefined
}

async function reads(text: string, expected: FrontmatterData): Promise<boolean> {
  const parsed = await parseFrontmatter(text, { checkBody: false })
  return parsed.ok && isDeepStrictEqual(parsed.data, expected)
}

function editLines(engine: YamlEngine, document: Document, changes: Readonly<Record<string, unknown>>): string {
  let lines = [...document.lines]
  for (const [key, value] of Object.entries(changes)) {
    const texts = lines.map(line => line.text)
    const entries = outline(texts)
    const spans = spansOf(entries, key)
    const last = spans.at(-1)
    if (value === undefined) {
      lines = lines.filter((_, index) => !spans.some(({ from, to }) => index >= from && index <= to))
    } else if (last === undefined) {
      const indent = ' '.repeat(entries[0]?.column ?? 0)
      lines.push(
        ...toLines(
          writePair(engine, key, value, undefined).map(line => indent + line),
          lineEnd(document),
        ),
      )
    } else {
      const written = writePair(engine, key, value, { entry: last.entry, texts })
      lines.splice(last.from, last.to - last.from + 1, ...toLines(written, lines[last.to]!.end || lineEnd(document)))
    }
  }
  return assemble(document, lines)
}

interface Span {
  readonly entry: OutlineEntry
  readonly from: number
  readonly to: number
}

/** Returns the lines of a top-level key, with everything nested in it. */
function spansOf(entries: readonly OutlineEntry[], key: string): Span[] {
  const spans: Span[] = []
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!
    if (entry.path.length !== 1 || entry.path[0] !== key) continue
    let to = entry.last
    for (let next = index + 1; next < entries.length && entries[next]!.path.length > 1; next++)
      to = Math.max(to, entries[next]!.last)
    spans.push({ entry, from: entry.line, to })
  }
  return spans
}

/**
 * Returns a pair as lines. If it replaces an older one, it keeps the key as written, the kind of quotes and a trailing
 * comment.
 */
function writePair(
  engine: YamlEngine,
  key: string,
  value: unknown,
  old: { readonly entry: OutlineEntry; readonly texts: readonly string[] } | undefined,
): string[] {
  const dumped = engine.dump({ [key]: value }).split('\n')
  if (old === undefined) return dumped
  const { entry, texts } = old
  const first = texts[entry.line]!
  const lead = trimLineEnd(first.slice(0, entry.valueColumn))
  const shape = shapeAt(dumped[0]!, 0)
  const rest = shape === undefined ? '' : dumped[0]!.slice(skipBlanks(dumped[0]!, shape.after))
  if (dumped.length > 1)
    return [rest === '' ? lead : `${lead} ${rest}`, ...dumped.slice(1).map(line => ' '.repeat(entry.column) + line)]
  const quoted = entry.style === 'double' && typeof value === 'string' ? escapeText(value) : rest
  const comment = entry.last === entry.line ? commentBehind(entry, first) : ''
  return [`${lead}${quoted === '' ? '' : ' '}${quoted}${comment}`]
}

/** Returns the comment after a one-line value, with the white space before it. */
function commentBehind({ style, valueColumn }: OutlineEntry, line: string): string {
  let end = valueColumn
  if (style === 'double' || style === 'single') end = findQuoteEnd(line, valueColumn) + 1
  else if (style === 'flow') end = (findFlowEnd([line], 0, valueColumn, 0)?.column ?? line.length - 1) + 1
  else if (style === 'none') end = trimLineEnd(line.slice(0, valueColumn)).length
  const mark = line.slice(end).search(/[ \t]#/)
  return mark === -1 ? '' : line.slice(trimLineEnd(line.slice(0, end + mark)).length)
}

function dumpLines(engine: YamlEngine, data: FrontmatterData): Line[] {
  return Object.keys(data).length === 0 ? [] : toLines(engine.dump(data).split('\n'), '\n')
}

function toLines(texts: readonly string[], end: Line['end']): Line[] {
  return texts.map(text => ({ text, end }))
}

/** Returns the line end that the file uses first. */
function lineEnd({ before, lines, after }: Document): Line['end'] {
  const first = /\r\n|\n|\r/.exec(before + (lines[0] === undefined ? '' : lines[0].text + lines[0].end) + after)?.[0]
  return first === '\r\n' ? '\r\n' : first === '\r' ? '\r' : '\n'
}

function assemble(document: Document, lines: readonly Line[]): string {
  const block = lines.map(line => line.text + (line.end || lineEnd(document))).join('')
  if (document.located.kind === 'block') return document.before + block + document.after
  const end = lineEnd(document)
  return `${document.before}---${end}${block}---${end}${document.after}`
}
