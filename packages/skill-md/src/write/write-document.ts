import { SkillsError } from '@skills/core'
import { takeApart } from '../parse/document.js'
import { loadSharedEngine, type YamlEngine } from '../yaml/engine.js'
import { parseHead } from '../parse/parser.js'
import type { FrontmatterData } from '../types.js'

/**
 * Returns a new document: frontmatter between fences, then the body. Reading it gives the same data, with scalars as
 * text, and the same body.
 * @param data key → value as in JSON
 * @param body the prompt; a line feed is added if it does not end with one
 * @throws SkillsError `E_INVALID_OPTION` for a value that YAML cannot represent, such as a function
 */
export async function writeDocument(data: FrontmatterData, body: string): Promise<string> {
  const engine = await loadSharedEngine()
  const text = stringify(engine, data, body)
  // Without keys there would be no block, and the start of the body might look like one.
  if (Object.keys(data).length > 0 || takeApart(text).located.kind === 'none') return text
  return `---\n---\n${text}`
}

function stringify(engine: YamlEngine, data: FrontmatterData, body: string): string {
  try {
    const block = Object.keys(data).length === 0 ? '' : `---\n${engine.dump(data)}\n---\n`
    return `${block}${body.endsWith('\n') ? body : `${body}\n`}`
  } catch (cause) {
    const key = Object.keys(data).find(one => !isWritable(engine, data[one]))
    const message =
      key === undefined
        ? 'The frontmatter cannot be written as YAML.'
        : `The value of \`${key}\` cannot be written as YAML.`
    throw new SkillsError('E_INVALID_OPTION', message, {
      hint: 'Give texts, numbers, booleans, null, lists and maps.',
      cause,
    })
  }
}

function isWritable(engine: YamlEngine, value: unknown): boolean {
  try {
    engine.dump({ value })
    return true
  } catch {
    return false
  }
}

/**
 * Writes a file's frontmatter as strict YAML between plain fences, as its author plainly meant it. The body does not
 * change; a comment above the fence moves to the top of it.
 * @param text the whole file
 * @returns the whole file's new text, or undefined if it needs no repair or cannot be repaired
 */
export async function repairDocument(text: string): Promise<string | undefined> {
  const parsed = await parseHead(Buffer.from(text))
  if (!('ok' in parsed) || !parsed.ok || parsed.repaired === undefined) return undefined
  const { before } = takeApart(text)
  const mark = before.startsWith('\uFEFF') ? '\uFEFF' : ''
  const end = /\r\n|\n|\r/.exec(before)?.[0] ?? '\n'
  const body = Buffer.from(text).toString('utf8', parsed.bodyStart)
  // The opening fence is the last line before the block.
  const comments = before
    .slice(mark.length)
    .replace(/---[^\r\n]*(?:\r\n|\n|\r)$/, '')
    .trim()
  return `${mark}---${end}${parsed.repaired}---${end}${comments === '' ? '' : comments + end}${body}`
}
