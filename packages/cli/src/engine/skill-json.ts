import type { SkillJson } from '@skills/ui'
import type { Listed } from './listed.js'

/**
 * One skill as scripts get it: every key is always there, null where there is nothing to say.
 * See docs/reference/output.md, "List output".
 */
export function skillJson({ state, name, source, path, command, shadowedBy, reason }: Listed): SkillJson {
  const prompt = command?.type === 'prompt' ? command : undefined
  return {
    name,
    displayName: command?.displayName ?? name,
    state,
    source: source ?? null,
    description: command?.description ?? null,
    whenToUse: prompt?.whenToUse ?? null,
    argumentHint: command?.argumentHint ?? null,
    aliases: command?.aliases ?? none,
    version: command?.version ?? null,
    path: path ?? null,
    userInvocable: command?.userInvocable ?? null,
    disableModelInvocation: prompt?.disableModelInvocation ?? null,
    allowedTools: prompt?.allowedTools ?? none,
    paths: prompt?.paths ?? none,
    requires: prompt?.requires ?? none,
    shadowedBy: shadowedBy ?? null,
    reason: reason ?? null,
  }
}

const none: readonly never[] = Object.freeze([])

/** Elements that are written at once: text of many would outgrow the part of the memory that is quickly cleared. */
const batch = 64

/** Writes skills as an array, one a line, in few large pieces. */
export function writeSkillsJson(items: readonly Listed[], write: (text: string) => void): void {
  let lead = '[\n'
  for (let from = 0; from < items.length; from += batch) {
    const json = JSON.stringify(items.slice(from, from + batch).map(skillJson))
    // One call for many is faster than one for each. Quotes within a text are escaped, so this only stands between
    // elements.
    write(lead + json.slice(1, -1).replaceAll('},{"name":', '},\n{"name":'))
    lead = ',\n'
  }
  write(items.length === 0 ? '[]\n' : '\n]\n')
}
