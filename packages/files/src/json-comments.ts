/** A text in quotes, also one that never ends; it is passed over. */
const quoted = '"[^"\\\\]*(?:\\\\[^]?[^"\\\\]*)*(?:"|$)'

/**
 * JSON with comments, and with commas before a closing bracket, as JSON: spaces take their place, so that everything
 * else stands where it did.
 */
export function withoutComments(text: string): string {
  const comments = new RegExp(`${quoted}|//[^\\n]*|/\\*[^]*?(?:\\*/|$)`, 'g')
  const lastCommas = new RegExp(`${quoted}|,(?=\\s*[}\\]])`, 'g')
  const blank = (found: string): string => (found.startsWith('"') ? found : found.replace(/[^\n]/g, ' '))
  return text.replace(comments, blank).replace(lastCommas, blank)
}
