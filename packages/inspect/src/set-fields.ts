import { knownFields, type FieldName, type SkillFields } from '@skills/skill-md'
import type { Command, PromptCommand } from '@skills/core'

export interface SetField {
  /** As the frontmatter has it. */
  readonly name: FieldName
  readonly value: unknown
}

type ValueOf = (command: Command, prompt: Partial<PromptCommand>) => unknown

/** What a command says for a field; undefined where it says what holds without the field. */
const values: Readonly<Record<keyof SkillFields, ValueOf>> = {
  name: ({ name, displayName }) => displayName === name ? undefined : displayName,
  description: ({ description, hasUserSpecifiedDescription }) => hasUserSpecifiedDescription ? description : undefined,
  whenToUse: (_, prompt) => prompt.whenToUse,
  allowedTools: (_, prompt) => prompt.allowedTools,
  disallowedTools: (_, prompt) => prompt.disallowedTools,
  model: (_, prompt) => prompt.model,
  effort: (_, prompt) => prompt.effort,
  context: (_, prompt) => prompt.context === 'inline' ? undefined : prompt.context,
  agent: (_, prompt) => prompt.agent,
  background: (_, prompt) => prompt.background,
  argumentHint: ({ argumentHint }) => argumentHint,
  argumentNames: (_, prompt) => prompt.argumentNames,
  userInvocable: ({ userInvocable }) => userInvocable ? undefined : false,
  disableModelInvocation: (_, prompt) => prompt.disableModelInvocation === true ? true : undefined,
  paths: (_, prompt) => prompt.paths,
  hooks: (_, prompt) => prompt.hooks,
  shell: (_, prompt) => prompt.shell === 'bash' ? undefined : prompt.shell,
  onShellError: (_, prompt) => prompt.onShellError,
  requires: (_, prompt) => prompt.requires,
  aliases: ({ aliases }) => aliases,
  version: ({ version }) => version,
  license: (_, prompt) => prompt.license,
  compatibility: (_, prompt) => prompt.compatibility,
  metadata: (_, prompt) => prompt.metadata,
}

/**
 * The fields of a command that say something else than their absence would, in the order of the table in docs/reference.md,
 * "Frontmatter". They are those in effect: what a file beside the skill or its source decided is in them.
 */
export function setFields(command: Command): readonly SetField[] {
  const prompt = command.type === 'prompt' ? command : {}
  return knownFields.flatMap(({ name, property }) => {
    const value = values[property](command, prompt)
    return isEmpty(value) ? [] : [{ name, value }]
  })
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
