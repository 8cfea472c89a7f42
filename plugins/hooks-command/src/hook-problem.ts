import { plainText } from './plain-text.js'
import type { Diagnostic, PromptCommand } from '@skills/core'

/** Most keys in a message and, below, most characters of each, since a hook may write anything. */
const shownKeys = 5
const shownChars = 80

/**
 * Makes a finding about the hooks of a skill.
 * @param field path of the field, such as `hooks.PreToolUse[0]`
 */
export function hookProblem(
  { name, filePath: path }: PromptCommand,
  code: string,
  field: string,
  message: string,
  hint: string,
): Diagnostic {
  return {
    severity: 'warning',
    type: 'validation',
    code,
    name,
    ...(path === undefined ? {} : { path }),
    field,
    message,
    hint,
  }
}

/**
 * Makes the finding that some keys of a hook's answer have no effect.
 * @param keys these keys, at least one
 */
export function unheededProblem(command: PromptCommand, field: string, keys: readonly string[]): Diagnostic {
  const shown = keys
    .slice(0, shownKeys)
    .map(key => JSON.stringify(plainText(key, shownChars)))
    .join(', ')
  const more = keys.length > shownKeys ? ` and ${keys.length - shownKeys} more` : ''
  return hookProblem(
    command,
    'unheeded-answer',
    field,
    `The hook "${field}" of the ${nameOf(command)} says ${shown}${more}, which has no effect in this form.`,
    'A hook may block, have a person asked, stop the agent and add text for the model.',
  )
}

/** Returns a noun phrase for the skill or plugin that has the hooks, for use in a sentence. */
export function nameOf({ name, isSkill, pluginName }: PromptCommand): string {
  return `${isSkill ? 'skill' : pluginName === name ? 'plugin' : 'command'} "${name}"`
}
