/** Returns true for the words that mean null in YAML. */
export function isNullWord(text: unknown): boolean {
  return text === '~' || text === 'null' || text === 'Null' || text === 'NULL'
}
