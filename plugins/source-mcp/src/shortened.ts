/** A line of at most so many characters, none of them halved. */
export function shortened(line: string, longest: number): string {
  return line.length <= longest ? line : `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
