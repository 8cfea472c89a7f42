import type { Field, FieldType } from '@skills/core/fields'

/** Accepted values of types whose table row has no text of its own. */
const accepted: Readonly<Partial<Record<FieldType, string>>> = {
  tools: 'a list, a JSON array as text, or text separated by commas or spaces',
  boolean: 'true, false, yes, no, on, off, 1 or 0',
  names: 'a list of names, or names separated by commas or spaces',
  patterns: 'a list of patterns, or patterns separated by commas',
  effort: 'low, medium, high, xhigh, max or a positive whole number',
  map: 'a map',
  schema: 'what its schema accepts',
}

/** Returns a description of the accepted values that completes "must be". */
export function acceptedBy({ accepts, type, choices = {} }: Pick<Field, 'accepts' | 'type' | 'choices'>): string {
  return (
    accepts ??
    accepted[type] ??
    (type === 'word'
      ? Object.keys(choices)
          .join(', ')
          .replace(/, (?=[^,]*$)/, ' or ')
      : 'text')
  )
}
