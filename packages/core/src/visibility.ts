import type { Command, PromptCommand } from './command.js'

// The rules of docs/reference/commands.md, "Who sees what". Each asks about one command by itself;
// overrides and gates come on top of it in the catalog.

/** Whether a command says that it is enabled. One that cannot say is off: it must not take every list down with it. */
export function isOn(command: Command): boolean {
  try {
    return command.isEnabled()
  } catch {
    return false
  }
}

/**
 * Something says what it is for: its description, also one taken from its text and not its name, or a when-to-use.
 * Governs listing only.
 */
export function isDescribed(command: Command): boolean {
  return (
    command.hasUserSpecifiedDescription ||
    !['', command.name].includes(command.description) ||
    (command.type === 'prompt' && command.whenToUse !== undefined && command.whenToUse !== '')
  )
}

/** What all four lists below have in common. */
const isOffered = (command: Command): command is PromptCommand =>
  command.type === 'prompt' && command.source !== 'builtin' && isDescribed(command) && isOn(command)

/** A skill that a model may be told of. See docs/reference/commands.md, "Who sees what". */
export const isModelVisible = (command: Command): command is PromptCommand =>
  isOffered(command) && command.isSkill && !command.disableModelInvocation

/** The same as model-visible, but not a skill: reaches a model only through a host that offers it. */
export const isSlashVisible = (command: Command): command is PromptCommand =>
  isOffered(command) && !command.isSkill && !command.disableModelInvocation

/** A skill, or any other prompt that is kept from the model. See docs/reference/commands.md, "Who sees what". */
export const isHybrid = (command: Command): command is PromptCommand =>
  isOffered(command) && (command.isSkill || command.disableModelInvocation)

/** Shown in help. */
export const isUserVisible = (command: Command): command is PromptCommand => isOffered(command) && !command.isHidden

/** Whether a person may call for it by its name, described or not. See docs/reference/commands.md, "Who sees what". */
export const mayUserInvoke = (command: Command): boolean => isOn(command) && command.userInvocable

/**
 * Whether a model may: a prompt that is not kept from it, described or not. See
 * docs/reference/commands.md, "Who sees what".
 */
export const mayModelInvoke = (command: Command): boolean =>
  isOn(command) && command.type === 'prompt' && !command.disableModelInvocation
