import type { BundledField, BundledSkill } from './bundled-skill.js'
import type { PromptCommand } from '@skills/core'

/**
 * What the value of a field is, for values of unchecked type; `any` is what its reader looks at itself. Which executors
 * and shells there are knows the engine.
 */
const table: Readonly<Record<BundledField, 'text' | 'list' | 'flag' | 'any' | readonly string[]>> = {
  displayName: 'text',
  description: 'text',
  whenToUse: 'text',
  argumentHint: 'text',
  version: 'text',
  model: 'text',
  agent: 'text',
  license: 'text',
  compatibility: 'text',
  aliases: 'list',
  argumentNames: 'list',
  allowedTools: 'list',
  disallowedTools: 'list',
  paths: 'list',
  requires: 'list',
  background: 'flag',
  userInvocable: 'flag',
  disableModelInvocation: 'flag',
  context: 'text',
  shell: 'text',
  onShellError: ['abort', 'inline', 'skip'],
  effort: 'any',
  hooks: 'any',
  metadata: 'any',
}

const entries = Object.entries(table)

/** The fields that a skill sets. As in frontmatter, null counts as absent, and the model `inherit` is none. */
export function fieldsOf(skill: BundledSkill): Partial<PromptCommand> {
  return Object.fromEntries(
    entries.flatMap(([field]) => {
      const value: unknown = Reflect.get(skill, field)
      return value === undefined || value === null || (field === 'model' && value === 'inherit') ? [] : [[field, value]]
    }),
  )
}

/** The first field with a value of the wrong sort: the end of a sentence that begins with the skill. */
export function wrongField(skill: object): string | undefined {
  for (const [field, sort] of entries) {
    const value: unknown = Reflect.get(skill, field)
    if (value !== undefined && value !== null && !isOfSort(value, sort))
      return `has something other than ${wordsOf(sort)} as its ${field}`
  }
  return undefined
}

function isOfSort(value: unknown, sort: (typeof table)[BundledField]): boolean {
  switch (sort) {
    case 'text':
      return typeof value === 'string'
    case 'list':
      return Array.isArray(value) && value.every(one => typeof one === 'string')
    case 'flag':
      return typeof value === 'boolean'
    case 'any':
      return true
    default:
      return sort.some(word => word === value)
  }
}

function wordsOf(sort: (typeof table)[BundledField]): string {
  switch (sort) {
    case 'text':
      return 'a text'
    case 'list':
      return 'a list of texts'
    case 'flag':
      return 'true or false'
    case 'any':
      return 'anything'
    default:
      return `one of ${sort.join(', ')}`
  }
}
