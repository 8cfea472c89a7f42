/** A value that takes the place of a reference, in a variable of the environment. */
export interface ShellValue {
  readonly text: string
  /** Whether it is the engine's own, such as the skill's folder, so that it may name what runs. Default: false. */
  readonly isOwn?: boolean | undefined
}

/** A value that a script must not be given. */
export interface Refusal {
  readonly variable: string
  /** `again`: the shell evaluates it once more there; `runs`: it may run there, or decide what runs. */
  readonly place: 'again' | 'runs'
  /** The part of the script, shortened. */
  readonly where: string
}

/** A number is the same to every shell and program, wherever it stands. */
export function isWholeNumber(text: string): boolean {
  return /^[+-]?\d+$/.test(text)
}

/** Shortens a part of a script for a message. */
export function shownPart(text: string): string {
  const line = text.slice(0, 1000).trim().replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
