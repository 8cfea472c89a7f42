import type { PromptArgument } from '@modelcontextprotocol/server'
import type { PromptCommand } from '@skills/core'

/** What stands for all arguments of a skill that names none. */
const wholeLine = 'arguments'

/** The arguments of a skill's prompt: those that it names, else one for the whole line. None has to be given. */
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

/** The line that a person would have typed after the name. Each value is one word of it, also with spaces or quotes. */
export function argumentLine({ argumentNames }: PromptCommand, given: Readonly<Record<string, string>>): string {
  if (argumentNames.length === 0) return given[wholeLine] ?? ''
  const values = argumentNames.map(name => given[name])
  const count = values.findLastIndex(value => value !== undefined) + 1
  return values
    .slice(0, count)
    .map(value => quoted(value ?? ''))
    .join(' ')
}

/** What a value may become: the choices of the hint, `[staging|production]`, that begin with it. */
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
