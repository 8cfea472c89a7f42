/**
 * A body as it is expanded.
 * @param trims `blank-lines`: without the blank lines before its first line, as they stand below most frontmatter;
 *   `true`: without white space around it
 */
export function trimmed(body: string, trims: 'blank-lines' | boolean): string {
  if (trims === 'blank-lines') return body.replace(/^(?:[ \t]*\r?\n)+/, '')
  return trims ? body.trim() : body
}
