import type { Parsed } from '../src/types.js'

/** Result of gray-matter for a text, with only a YAML engine. */
export type GrayMatter = { readonly data: unknown; readonly content: string } | { readonly thrown: string }

export interface Difference {
  readonly kind: string
  /** Reason why our reader differs. */
  readonly reason: string
  /** Text that is read differently. */
  readonly example: string
  isIn(text: string, ours: Parsed): boolean
}

/**
 * Differences between our reader and gray-matter. The test that compares them fails on a difference of any other kind.
 */
export const differences: readonly Difference[] = [
  {
    kind: 'repaired',
    reason:
      'What its author plainly meant is read, with a warning that names the line; gray-matter throws, or takes it literally.',
    example: '---\ndescription: Use when: always\n---\n',
    isIn: (_text, ours) => ours.ok && ours.diagnostics.length > 0,
  },
  {
    kind: 'refused',
    reason:
      'An error with its line in place of data that is no map, of a block without an end, or of another language than YAML.',
    example: '---js\n{}\n---\n',
    isIn: (_text, ours) => !ours.ok,
  },
  {
    kind: 'a lone carriage return',
    reason: 'It ends a line, as YAML has it; gray-matter knows line feeds alone.',
    example: '---\ra: b\r---\rbody',
    isIn: text => /\r(?!\n)/.test(text),
  },
  {
    kind: 'blank lines before the fence',
    reason: 'They are passed over, since editors leave them; gray-matter then finds no frontmatter.',
    example: '\n---\na: b\n---\n',
    isIn: text => /^\ufeff?\s+---/.test(text),
  },
  {
    kind: 'blanks behind the closing fence',
    reason: 'They belong to the fence; gray-matter gives them to the body.',
    example: '---\na: b\n--- \nbody',
    isIn: text => /\n---[ \t]+(?:\r?\n|$)/.test(text),
  },
]
