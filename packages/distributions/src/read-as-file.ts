import type { Definition, Row } from './define-distribution.js'

/**
 * What the agents have in common that only list skills and have the model read the file: nothing stands for anything in
 * a body, no command of it runs, and reading it asks for no permission of its own.
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

/** Bytes: these programs read a file of any size; beyond this it is no skill that a model could take. */
export const largeFile = 16 * 1024 * 1024
