import type { Command, PromptCommand } from './command.js'

// The rules of docs/reference/commands.md, "Who sees what". Each is about one command by itself; the catalog adds
// overrides and gates.

/** True if a command says that it is enabled. One that throws is off, so that it does not break every list. */
export function isOn(command: Command): boolean {
  try {
    return command.isEnabled()
  } catch {
    return false
  }
}

/**
 * True if a command has a when-to-use, or a description other than its name, even one derived from its text. Affects
 * listing only.
 */
export function isDescribed(command: Command): boolean {
  return (
    command.hasUserSpecifiedDescription ||
    !['', command.name].includes(command.description) ||
    (command.type === 'prompt' && command.whenToUse !== undefined && command.whenToUse !== '')
  )
}

/** True for commands that all four lists below may have. */
const isOffered = (command: Command): command is PromptCommand =>
  command.type === 'prompt' && command.source !== 'builtin' && isDescribed(command) && isOn(command)

/** True for a skill that a model may be told of. See docs/reference/commands.md, "Who sees what". */
export const isModelVisible = (command: Command): command is PromptCommand =>
  isOffered(command) && command.isSkill && !command.disableModelInvocation

/** True for a prompt that is model-visible but not a skill. It reaches a model only through a host that offers it. */
export const isSlashVisible = (command: Command): command is PromptCommand =>
  isOffered(command) && !command.isSkill && !command.disableModelInvocation

/**
 * True for a skill, and for any other prompt that is kept from the model. See docs/reference/commands.md, "Who sees
 * what".
 */
export const isHybrid = (command: Command): command is PromptCommand =>
  isOffered(command) && (command.isSkill || command.disableModelInvocation)

/** True if it is shown in help. */
export const isUserVisible = (command: Command): command is PromptCommand => isOffered(command) && !command.isHidden

/** True if a person may invoke it by name, described or not. See docs/reference/commands.md, "Who sees what". */
export const mayUserInvoke = (command: Command): boolean => isOn(command) && command.userInvocable

/**
 * True if a model may invoke it: a prompt that is not kept from it, described or not. See docs/reference/commands.md,
 * "Who sees what".
 */
export const mayModelInvoke = (command: Command): boolean =>
  isOn(command) && command.type === 'prompt' && !command.disableModelInvocation
