/** Programs whose exit code 1 is a result and not a failure: nothing was found, or there is a difference. */
export const searchPrograms: readonly string[] = [
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'diff',
  'cmp',
  'test',
  '[',
  'git diff',
  'git grep',
]

/**
 * True if exit code 1 of a simple command is a result and not a failure.
 * @param command text that begins with the command
 * @param programs each a name, or a name and the first word after the name
 */
export function isAnswer(command: string, programs: readonly string[]): boolean {
  const words = command
    .trim()
    .split(/\s+/, 2)
    .map(word => word.replace(/^.*\//, ''))
  return programs.some(program => program === words[0] || program === words.join(' '))
}
