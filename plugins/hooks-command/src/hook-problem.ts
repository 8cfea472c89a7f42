import { plainText } from './plain-text.js'
import type { Diagnostic, PromptCommand } from '@skills/core'

/** Of the keys that are named, and of each of them: a hook writes what it likes. */
const shownKeys = 5
const shownChars = 80

/** A finding about the hooks of a skill. @param field where it stands, as `hooks.PreToolUse[0]` */
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

/** That a hook says what nothing heeds. @param keys of its answer, one at least */
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
    `The hook "${field}" of the ${nameOf(command)} says ${shown}${more}, which does nothing as it stands.`,
    'A hook may block, have a person asked, stop the agent and add text for the model.',
  )
}

/** Whose hooks they are, as a sentence has it. */
export function nameOf({ name, isSkill, pluginName }: PromptCommand): string {
  return `${isSkill ? 'skill' : pluginName === name ? 'plugin' : 'command'} "${name}"`
}
