import fc from 'fast-check'

/** Names, and unusual patterns among them. */
const names = ['a', 'b', 'c.log', 'build', '.hidden', 'A', ' ', '-', ']']
const odd = [
  '[!a]',
  '[^b-]',
  '[a-c]*',
  '\\a',
  'a\\',
  '[',
  '***',
  'b**d',
  '**a',
  '[[:alpha:]]',
  '[[:no:]]',
  '[[:upper:][:punct:]]',
  'c.*',
  '[]a]',
  '*i*d*',
  '[c-a]',
  '[\\]a]',
  '[a/b]',
  '#',
  '\\#',
  '[--a]',
  '[[:]',
  '',
]
/** Generates a line of a `.gitignore`. */
export const anyPattern = fc
  .tuple(
    fc.constantFrom('', '', '', '!'),
    fc.constantFrom('', '', '/', '**/'),
    fc.array(fc.constantFrom(...names, '*', '*.log', '**', '?', '[ab]', 'b*', ...odd), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', '/**', ' ', '\\ ', '\\\\ '),
  )
  .map(([not, from, parts, end]) => not + from + parts.join('/') + end)
export const anyPath = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'))
/** Generates a whole `.gitignore`. */
export const anyFile = fc.array(anyPattern, { maxLength: 4 }).map(patterns => `${patterns.join('\n')}\n`)
