import { parseHead } from './parser.js'
import type { Parsed, ParseOptions } from '../types.js'

/**
 * Reads a whole file's frontmatter. Also checks the body for NUL and invalid UTF-8, unless `checkBody` is false.
 * @param file the file's bytes or text
 */
export async function parseFrontmatter(file: Uint8Array | string, options: ParseOptions = {}): Promise<Parsed> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  const parsed = await parseHead(bytes, { ...options, checkBody: options.checkBody ?? true, whole: true })
  // A whole file never needs more.
  return 'needMore' in parsed ? { ok: false, diagnostics: [] } : parsed
}
