import type { Token } from '../template/expander.js'
import type { Shell } from '../template/shell.js'

/** Reference that a variable replaces. */
interface Put {
  readonly child: Pick<Token, 'text'>
  readonly name: string
  readonly value: string
}

/** References to folders and facts of the engine, not arguments. */
const own = /^(?:\$\{CLAUDE_\w+\}|\{baseDir\})$/

/** Returns a clause with the reason why a script must not be given its values; undefined if it may have them. */
export async function whyRefused(shell: Shell, script: string, put: readonly Put[]): Promise<string | undefined> {
  const values = Object.fromEntries(
    put.map(({ child, name, value }) => [name, { text: value, isOwn: own.test(child.text) }]),
  )
  const refusal = await shell.refused?.(script, values)
  if (refusal === undefined) return undefined
  const reference = put.find(({ name }) => name === refusal.variable)?.child.text ?? refusal.variable
  return refusal.place === 'again'
    ? `the value of ${reference} reaches "${refusal.where}", where the shell evaluates the value again: only letters, digits, spaces and ,./:@%_- are allowed there`
    : `the value of ${reference} reaches "${refusal.where}", where the value might run or decide what runs: only a whole number is allowed there`
}
