import type { PromptArgument } from '@modelcontextprotocol/server'
import type { PromptCommand } from '@skills/core'

/** Name of the argument for the whole line, for a skill without argument names. */
const wholeLine = 'arguments'

/**
 * Returns the arguments of a skill's prompt: those that the skill names, or one argument for the whole line. All are
 * optional.
 */
export function promptArguments({ argumentNames, argumentHint }: PromptCommand): PromptArgument[] {
  if (argumentNames.length > 0) return argumentNames.map(name => ({ name, required: false }))
  return [
    {
      name: wholeLine,
      description: argumentHint ?? 'What to tell the skill, in words as they would be typed after its name.',
      required: false,
    },
  ]
}

/**
 * Returns the line that a person would type after the name. Each value becomes one word, even if it contains spaces or
 * quotes.
 */
export function argumentLine({ argumentNames }: PromptCommand, given: Readonly<Record<string, string>>): string {
  if (argumentNames.length === 0) return given[wholeLine] ?? ''
  const values = argumentNames.map(name => given[name])
  const count = values.findLastIndex(value => value !== undefined) + 1
  return values
    .slice(0, count)
    .map(value => quoted(value ?? ''))
    .join(' ')
}

/** Returns the choices in the hint, such as `[staging|production]`, that begin with the value. */
export function completions(command: PromptCommand, argument: string, value: string): string[] {
  const at = command.argumentNames.length === 0 ? 0 : command.argumentNames.indexOf(argument)
  const parts = command.argumentHint?.match(/<[^>]*>|\[[^\]]*\]|\S+/g) ?? []
  const choices = parts[at]?.replace(/^[<[]|[>\]]$/g, '').replace(/^[\w-]+:\s*/, '')
  if (choices === undefined || !choices.includes('|')) return []
  return choices
    .split('|')
    .map(choice => choice.trim())
    .filter(choice => choice !== '' && choice.startsWith(value))
}

function quoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}
