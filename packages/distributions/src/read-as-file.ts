import type { Definition, Row } from './define-distribution.js'

/**
 * Options of agents that only list skills and let the model read the file. Nothing in a body is replaced, no command in
 * a body is run, and reading the file needs no permission for the skill. Arguments stand after the body, as they stand
 * in the line that a person types.
 */
export const readAsFile = {
  visibility: { isDescribed: () => true },
  tool: { listingIn: 'system', textIn: 'result' },
} as const satisfies Partial<Definition>

/** Options of the text of a body in which nothing is replaced. Arguments stand after the body. */
export const untouched = { arguments: 'appended', variables: 'none', baseDirBraces: false, escapes: 'none' } as const

export const fileParts: readonly Row[] = [
  ['text', { header: false, ...untouched }],
  ['inline', { repeated: 'whole' }],
  ['listing', { strategy: 'xml', joiner: 'newline' }],
  ['rules', { files: [], allow: ['Skill'] }],
]

/** Limit of a file in bytes. These programs read a file of any size, but no model could read a larger file. */
export const largeFile = 16 * 1024 * 1024
