import { isUtf8 } from 'node:buffer'
import { fieldTable, keysOf } from '@skills/core/fields'
import { locateKey, sureField, type FieldOptions, type FrontmatterData } from '@skills/skill-md/internal'
import { parseFrontmatter, readFields } from '@skills/skill-md'

/** Codes of findings about a text that is not read at all and may be repaired. */
export const textCodes: readonly string[] = ['utf16-file', 'binary-file', 'unclosed-frontmatter']

/** Returns the text of a file in UTF-8 or UTF-16, otherwise undefined. */
export function decodedText(bytes: Uint8Array): string | undefined {
  const [first, second, third, fourth] = bytes
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x2d && second === 0 && third === 0x2d)
  const isBig =
    (first === 0xfe && second === 0xff) || (first === 0 && second === 0x2d && third === 0 && fourth === 0x2d)
  if (!isLittle && !isBig) return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : undefined
  if (bytes.length % 2 !== 0) return undefined
  const pairs = Buffer.from(bytes)
  if (isBig) pairs.swap16()
  const text = pairs.toString('utf16le').replace(/^\uFEFF/, '')
  // Half a character, or a NUL, would be lost or refused again.
  return !/\p{Surrogate}/u.test(text) && !text.includes('\0') ? text : undefined
}

/**
 * Closes a frontmatter that is never closed: at a line that was meant to close it, such as `--`, or else below its last
 * key. Returns undefined if it is not plain where the frontmatter ends.
 * @param text the whole file
 */
export function closedText(text: string): string | undefined {
  const lines = text.split(/(?<=\n)/)
  const opening = lines.findIndex(line => line.trim() !== '')
  if (lines[opening]?.replace(/^\uFEFF/, '').trimEnd() !== '---') return undefined
  let last = opening
  for (let at = opening + 1; at < lines.length; at++) {
    const line = (lines[at] ?? '').replace(/\r?\n$/, '')
    if (/^[ \t]*(?:-{2,}|\.\.\.|—+)[ \t]*$/.test(line)) return last > opening ? withLine(lines, at, 1) : undefined
    if (isOfBlock(line, last > opening)) last = at
    else if (line.trim() === '' && !lines.slice(at).some(other => isKey(other)))
      return closedAfter(lines, opening, last)
    else if (line.trim() !== '') return isKeyless(lines.slice(at)) ? closedAfter(lines, opening, last) : undefined
    else return undefined
  }
  return closedAfter(lines, opening, last)
}

const isKey = (line: string): boolean => /^[A-Za-z_][\w-]*:(?:\s|$)/.test(line)
const isKeyless = (lines: readonly string[]): boolean => !lines.some(isKey)

/** Returns true for a key, and below a key for a line of its value. */
function isOfBlock(line: string, hasKey: boolean): boolean {
  return isKey(line) || (hasKey && /^(?:[ \t]+\S|- )/.test(line))
}

function closedAfter(lines: readonly string[], opening: number, last: number): string | undefined {
  return last > opening ? withLine(lines, last + 1, 0) : undefined
}

/** Returns the text with a line `---` at a place, in place of some lines. */
function withLine(lines: readonly string[], at: number, replaced: number): string {
  const end = lines.some(line => line.endsWith('\r\n')) ? '\r\n' : '\n'
  const before = lines.slice(0, at).join('')
  return `${before}${before.endsWith('\n') ? '' : end}---${end}${lines.slice(at + replaced).join('')}`
}

/** Name of a misspelt key, and of the field that it must mean. */
export interface Respelling {
  readonly key: string
  readonly field: string
}

/**
 * Returns the misspelt keys of which it is plain which field is meant. A field that gives a skill more than its text,
 * such as `allowed-tools`, is left to a person: correcting it would widen what the skill may do.
 */
export function respellingsOf(data: FrontmatterData, options: FieldOptions | undefined): readonly Respelling[] {
  const found: Respelling[] = []
  for (const { code, keyPath } of readFields(data, options).problems) {
    const [key] = keyPath
    const field = code === 'misspelt-field' && typeof key === 'string' ? sureField(key) : undefined
    const known = fieldTable.find(({ name }) => name === field)
    if (typeof key !== 'string' || known === undefined || known.asks) continue
    if (keysOf(known).some(name => Object.hasOwn(data, name)) || found.some(one => one.field === known.name)) continue
    found.push({ key, field: known.name })
  }
  return found
}

/** Writes fields under their right names. Returns undefined if a key does not stand in the text as it is read. */
export async function respelled(text: string, respellings: readonly Respelling[]): Promise<string | undefined> {
  const lines = text.split(/(?<=\n)/)
  for (const { key, field } of respellings) {
    const place = locateKey(text, [key])
    const line = place === undefined ? undefined : lines[place.line - 1]
    const start = (place?.column ?? 1) - 1
    if (place === undefined || line?.slice(start, start + key.length) !== key) return undefined
    lines[place.line - 1] = `${line.slice(0, start)}${field}${line.slice(start + key.length)}`
  }
  const changed = lines.join('')
  return (await parseFrontmatter(changed, { checkBody: false })).ok ? changed : undefined
}
