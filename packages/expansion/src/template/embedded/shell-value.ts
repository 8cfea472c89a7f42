/** Value of a reference, given to the shell in an environment variable. */
export interface ShellValue {
  readonly text: string
  /** True if it is the engine's own, such as the skill's folder, and may name what runs. Default: false. */
  readonly isOwn?: boolean | undefined
}

/** Value that a script must not be given. */
export interface Refusal {
  readonly variable: string
  /** `again`: the shell evaluates it once more there; `runs`: it may run there, or decide what runs. */
  readonly place: 'again' | 'runs'
  /** Part of the script where it stands, shortened. */
  readonly where: string
}

/** True for a whole number, which every shell and program reads the same way. */
export function isWholeNumber(text: string): boolean {
  return /^[+-]?\d+$/.test(text)
}

/** Shortens a part of a script for a message. */
export function shownPart(text: string): string {
  const line = text.slice(0, 1000).trim().replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
