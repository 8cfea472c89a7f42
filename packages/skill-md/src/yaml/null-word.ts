/** The words that YAML takes for nothing. */
export function isNullWord(text: unknown): boolean {
  return text === '~' || text === 'null' || text === 'Null' || text === 'NULL'
}
