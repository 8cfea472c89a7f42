import { fieldDefaults } from './fields/field-table.js'
import type { PromptCommand } from './command.js'

/** Properties of a prompt command; those without a default are required. */
export type PromptCommandParts = Pick<PromptCommand, 'name' | 'source' | 'load'> & Partial<PromptCommand>

/**
 * Makes a prompt command. By default it is a skill that user and model may invoke, described by its name. See
 * docs/reference/commands.md, "Commands".
 */
export function promptCommand(parts: PromptCommandParts): PromptCommand {
  const { name, description, userInvocable = true, isSkill = true } = parts
  return {
    ...fieldDefaults,
    displayName: name,
    hasUserSpecifiedDescription: description !== undefined,
    loadedFrom: 'skills',
    userInvocable,
    isHidden: !userInvocable,
    isEnabled: () => true,
    contentLength: 0,
    isSkill,
    progressMessage: isSkill ? 'loading' : 'running',
    ...parts,
    type: 'prompt',
    description: description ?? name,
  }
}
