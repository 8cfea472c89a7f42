import { fieldOf } from '@skills/core/fields'
import type { KnownField } from '@skills/core/internal'

/** Sample skills with which the effect of a field is tested. */
export interface FieldSample {
  /** Frontmatter of a skill with the field. */
  readonly frontmatter: Readonly<Record<string, unknown>>
  /** Frontmatter of the same skill without the field. */
  readonly without: Readonly<Record<string, unknown>>
  readonly body: string
  /** True if it runs in a fork, where a field may mean something else. */
  readonly isFork: boolean
}

/** Name of the agent that sample skills name, and that must therefore exist. */
export const sampleAgent = 'planner'

/** Body that uses nothing but its arguments. */
export const plainBody = 'Do what was asked: $ARGUMENTS'

/** Values and bodies for fields whose table row says too little for a sample. */
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

/** Returns values of a field with different meanings, including the one without effect. */
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

/**
 * Returns the samples for a field. Returns no samples for an unknown key, because it has no meaning to compare with.
 */
export function samplesOf(key: string): readonly FieldSample[] {
  const field = fieldOf(key)
  if (field === undefined) return []
  const { body = plainBody } = special[field.name] ?? {}
  // Some fields also have a meaning in a fork, and some only there.
  const isAboutForks = field.readers.includes('fork')
  const bases = [...(field.readers === 'fork' ? [] : [{}]), ...(isAboutForks ? [{ context: 'fork' }] : [])]
  return valuesOf(field).flatMap(value =>
    bases.map(without => ({ frontmatter: { ...without, [key]: value }, without, body, isFork: 'context' in without })),
  )
}
