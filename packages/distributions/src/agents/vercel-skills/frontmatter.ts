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

/** Control characters, and the sequences that move a terminal's cursor or colour its text. */
const controls =
  // oxlint-disable-next-line no-control-regex -- these are the characters to be found
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[PX^_][^\u001b]*\u001b\\|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

function printable(text: string): string {
  return text
    .replace(controls, '')
    .replace(/[\r\n]+/g, ' ')
    .trim()
}

/** Reads frontmatter as `skills` does. Both fields are required as text, and `metadata.internal` hides a skill. */
export const vercelFrontmatter: FrontmatterReader = (text, yaml, { isWhole }) => {
  const opening = /^\ufeff?---\r?\n/.exec(text)?.[0].length
  if (opening === undefined) return isWhole || text.length > 5 ? noFrontmatter : undefined
  const closing = /\r?\n---\r?\n?/g
  closing.lastIndex = opening
  const close = closing.exec(text)
  if (close === null || (!isWhole && closing.lastIndex === text.length)) return isWhole ? noFrontmatter : undefined
  const block = text.slice(opening, close.index)
  if (longKeyIn(block) >= 0) return notYaml('has a key of more than 1,024 characters', 2 + longKeyIn(block))
  const read = yaml(block, { tags: 'ignored' })
  if (!read.ok) return notYaml(read.reason, lineAt(text, opening) + read.line)
  const pairs = read.value ?? {}
  if (!isPairs(pairs)) return notPairs
  const [name, description] = [own(pairs, 'name'), own(pairs, 'description')]
  if (typeof name !== 'string' || name === '') return notText('name', name)
  if (typeof description !== 'string' || description === '') return notText('description', description)
  const metadata = own(pairs, 'metadata')
  if (isPairs(metadata) && own(metadata, 'internal') === true) {
    return {
      problem: {
        code: 'internal-skill',
        field: 'metadata',
        message: 'A skill whose `metadata.internal` is true is not listed.',
        hint: 'Remove `internal`, or install the skill by name.',
      },
    }
  }
  return { data: { name: inOneLine(printable(name)), description: printable(description) }, body: closing.lastIndex }
}
