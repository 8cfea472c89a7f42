const units = ['kB', 'MB', 'GB', 'TB'] as const

/** Returns a number of bytes for a person, in powers of 1,000: `812 B`, `1.2 kB`, `35 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  let size = bytes / 1000
  let at = 0
  // From 999.5 on, rounding would give 1000, so the next unit is used.
  while (size >= 999.5 && at < units.length - 1) {
    size /= 1000
    at++
  }
  return `${size < 9.95 ? size.toFixed(1) : Math.round(size)} ${units[at] ?? ''}`
}
