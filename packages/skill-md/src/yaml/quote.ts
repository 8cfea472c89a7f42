/** Returns a text as a quoted YAML scalar on one line, in single quotes if those are enough. */
export function quoteText(text: string): string {
  // eslint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text) ? escapeText(text) : `'${text.replaceAll("'", "''")}'`
}

/** Returns a text in double quotes. */
export function escapeText(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
