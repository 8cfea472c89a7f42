import type { Diagnostic, PromptCommand } from '@skills/core'

/** A finding about the hooks of a skill. @param field where it stands, as `hooks.PreToolUse[0]` */
export function hookProblem({ name, filePath: path }: PromptCommand, code: string, field: string, message: string, hint: string): Diagnostic {
  return { severity: 'warning', type: 'validation', code, name, ...(path === undefined ? {} : { path }), field, message, hint }
}

/** Whose hooks they are, as a sentence has it. */
export function nameOf({ name, isSkill, pluginName }: PromptCommand): string {
  return `${isSkill ? 'skill' : pluginName === name ? 'plugin' : 'command'} "${name}"`
}
