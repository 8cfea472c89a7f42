import { fieldOf } from '@skills/core/fields'
import type { KnownField } from '@skills/core/internal'

/** What a field is tried with. */
export interface FieldSample {
  /** Frontmatter of a skill that has it. */
  readonly frontmatter: Readonly<Record<string, unknown>>
  /** The frontmatter of the same skill without it. */
  readonly without: Readonly<Record<string, unknown>>
  readonly body: string
  /** Whether it runs in a fork, where a field may mean something else. */
  readonly isFork: boolean
}

/** The agent that there has to be beside the samples. */
export const sampleAgent = 'planner'

/** A body that asks for nothing but its arguments. */
export const plainBody = 'Do what was asked: $ARGUMENTS'

/** Where a row of the table says less than a sample has to have. */
const special: Readonly<Record<string, { readonly value?: unknown; readonly body?: string }>> = {
  name: { value: 'another-name' },
  model: { value: 'opus' },
  agent: { value: sampleAgent },
  'argument-hint': { value: '[where]' },
  arguments: { value: ['where', 'when'], body: 'Go to $where.' },
  paths: { value: ['src/**'] },
  hooks: { value: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] } },
  aliases: { value: ['second-name'] },
  requires: { value: ['probe-base'] },
}

/** Values that a field can have which mean different things, the one without effect among them. */
function valuesOf({ name, type, choices = {} }: KnownField): readonly unknown[] {
  const { value } = special[name] ?? {}
  if (value !== undefined) return [value]
  switch (type) {
    case 'boolean':
      return [true, false]
    case 'word':
      return Object.keys(choices)
    case 'effort':
      return ['high', 'low']
    case 'tools':
      return ['Read']
    case 'map':
      return [{ audience: 'everyone' }]
    case 'names':
    case 'patterns':
      return [['one']]
    case 'text':
    case 'note':
    case 'schema':
      return ['Something that only this says']
  }
}

/** How a field is tried; none for a key that is no field of this project, which has no meaning to compare with. */
export function samplesOf(key: string): readonly FieldSample[] {
  const field = fieldOf(key)
  if (field === undefined) return []
  const { body = plainBody } = special[field.name] ?? {}
  // Some say something of a fork besides, and some of nothing else.
  const isAboutForks = field.readers.includes('fork')
  const bases = [...(field.readers === 'fork' ? [] : [{}]), ...(isAboutForks ? [{ context: 'fork' }] : [])]
  return valuesOf(field).flatMap(value =>
    bases.map(without => ({ frontmatter: { ...without, [key]: value }, without, body, isFork: 'context' in without })),
  )
}
