import { abortError, promptCommand, type PromptCommand } from '@skills/core'
import { commandParts, firstParagraph, type SkillFields } from '@skills/skill-md'
import type { SkillPlugin } from '@skills/skill-md/internal'

/** Command whose text is in a manifest. */
export interface ContentCommand extends PromptCommand {
  readonly plugin: SkillPlugin
  resolveVariable(name: string): string | undefined
}

export function contentCommand(
  plugin: SkillPlugin,
  name: string,
  content: string,
  fields: SkillFields,
): ContentCommand {
  const key = `${plugin.name}:${name}`
  const command = promptCommand({
    ...commandParts(fields),
    name: key,
    source: 'plugin',
    loadedFrom: 'plugin',
    pluginName: plugin.name,
    isSkill: false,
    qualifier: 'plugin',
    contentLength: Buffer.byteLength(content),
    description: fields.description ?? firstParagraph(content) ?? key,
    hasUserSpecifiedDescription: fields.description !== undefined,
    load(_args, { signal }) {
      if (signal.aborted) throw abortError(signal)
      return { template: content }
    },
  })
  return { ...command, plugin, resolveVariable: variable => plugin.resolveVariable(variable) }
}
