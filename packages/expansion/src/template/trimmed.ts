/**
 * Returns a body without the white space that a distribution trims.
 * @param trims `blank-lines`: removes the blank lines before its first line, which usually follow frontmatter; `true`:
 * removes white space around it
 */
export function trimmed(body: string, trims: 'blank-lines' | boolean): string {
  if (trims === 'blank-lines') return body.replace(/^(?:[ \t]*\r?\n)+/, '')
  return trims ? body.trim() : body
}
