/** Writes a number with commas. `toLocaleString` loads the data of a language first, which takes milliseconds. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
