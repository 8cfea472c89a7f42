import {
  inOneLine,
  isPairs,
  lineAt,
  longKeyIn,
  noFrontmatter,
  notPairs,
  notText,
  notYaml,
  own,
} from '../../frontmatter-fields.js'
import type { FrontmatterReader } from '@skills/skill-md'

/**
 * Reads frontmatter as pi does. If a file begins with the line `---`, the frontmatter ends at the next line that begins
 * with `---`; any kind of line end is accepted. A description as text is required. An invalid name is replaced by the
 * folder's; tags are ignored.
 */
export const piFrontmatter: FrontmatterReader = (text, yaml, { isWhole }) => {
  const mark = text.startsWith('\ufeff') ? 1 : 0
  if (!text.startsWith('---', mark)) return isWhole || text.length > 4 ? noFrontmatter : undefined
  const closing = /(?:\r\n|\r|\n)---/g
  closing.lastIndex = mark + 3
  const close = closing.exec(text)
  if (close === null) return isWhole ? noFrontmatter : undefined
  const block = text
    .slice(mark + 3, close.index)
    .replace(/\r\n?/g, '\n')
    .slice(1)
  if (longKeyIn(block) >= 0) return notYaml('has a key of more than 1,024 characters', 2 + longKeyIn(block))
  const read = yaml(block, { tags: 'ignored' })
  if (!read.ok) return notYaml(read.reason, lineAt(text, mark + 3) + 1 + read.line)
  const pairs = read.value ?? {}
  if (!isPairs(pairs)) return notPairs
  const [name, description] = [own(pairs, 'name'), own(pairs, 'description')]
  if (typeof description !== 'string' || description.trim() === '') return notText('description', description)
  return {
    data: {
      ...(typeof name === 'string' && name !== '' && { name: inOneLine(name) }),
      description,
      ...(own(pairs, 'disable-model-invocation') === true && { 'disable-model-invocation': 'true' }),
    },
    body: closing.lastIndex + (/^\s*/.exec(text.slice(closing.lastIndex))?.[0].length ?? 0),
  }
}
