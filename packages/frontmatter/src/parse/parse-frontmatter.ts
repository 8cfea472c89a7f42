import { readFlat } from '../flat/read-flat.js'
import { loadParser } from './parser.js'
import { checkText } from './text-check.js'
import type { Parsed, ParseOptions, YamlResult } from '../types.js'

/**
 * Reads a whole file's frontmatter: the flat path where it is certain, else the full parser.
 * The body is checked for NUL and invalid UTF-8 too, unless `checkBody` is false.
 * @param file the file's bytes or text
 */
export async function parseFrontmatter(file: Uint8Array | string, options: ParseOptions = {}): Promise<Parsed> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const checkBody = options.checkBody ?? true
  const limit = options.limits?.frontmatterBytes
  const flat = readFlat(bytes, bytes.length, true)
  if (flat !== undefined && (limit === undefined || flat.bodyStart <= limit)) {
    const bodyLine = countLines(bytes, flat.bodyStart)
    const broken = checkBody ? checkText(bytes.subarray(flat.bodyStart), bodyLine) : undefined
    if (broken !== undefined) return { ok: false, diagnostics: [broken] }
    return { ok: true, data: flat.data, bodyStart: flat.bodyStart, bodyLine, hasFrontmatter: flat.hasFrontmatter, diagnostics: [] }
  }
  const parser = await loadParser()
  const parsed = parser.parse(bytes, { ...options, checkBody, whole: true })
  // A whole file never needs more.
  return 'needMore' in parsed ? { ok: false, diagnostics: [] } : parsed
}

/** Reads a YAML document on its own, such as `agents/openai.yaml`: scalars stay text, aliases are bounded, unsafe keys dropped. */
export async function parseYaml(text: string, options?: Pick<ParseOptions, 'limits'>): Promise<YamlResult> {
  const parser = await loadParser()
  return parser.parseYaml(text, options)
}

function countLines(bytes: Uint8Array, end: number): number {
  let lines = 1
  for (let at = 0; at < end; at++) if (bytes[at] === 10) lines++
  return lines
}
