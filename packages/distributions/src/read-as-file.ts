import type { Definition, Row } from './define-distribution.js'

/**
 * Options of agents that only list skills and let the model read the file. Nothing in a body is replaced, none of its
 * commands are run, and reading it needs no permission of its own.
 */
export const readAsFile = {
  visibility: { isDescribed: () => true },
  tool: { listingIn: 'system', textIn: 'result' },
} as const satisfies Partial<Definition>

export const fileParts: readonly Row[] = [
  ['text', { header: false, arguments: false, variables: 'none', baseDirBraces: false, escapes: 'none' }],
  ['inline', { repeated: 'whole' }],
  ['listing', { strategy: 'xml', joiner: 'newline' }],
  ['rules', { files: [], allow: ['Skill'] }],
]

/** Bytes. These programs read a file of any size, but a model could not take a larger one. */
export const largeFile = 16 * 1024 * 1024
