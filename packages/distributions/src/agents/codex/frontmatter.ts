import { inOneLine, isPairs, noFrontmatter, notPairs, notText, notYaml, own } from '../../frontmatter-fields.js'
import type { FrontmatterReader } from '@skills/skill-md'
import type { OwnFrontmatter } from '@skills/skill-md/internal'

const fence = /^[^\S\ufeff]*---[^\S\ufeff]*$/
const plainKey = /^([A-Za-z_-]+):[ \t]+(?=\S)/

/** Puts values in quotes that YAML reads as a map, a list or a reserved mark. Used if the YAML fails. */
function withQuotes(lines: readonly string[]): string {
  return lines
    .map(line => {
      const [before = '', key] = plainKey.exec(line) ?? []
      const value = line.slice(before.length).trimEnd()
      const isMeant =
        value.includes(': ') ||
        value.startsWith('`') ||
        (value.startsWith('[') && !value.endsWith(']')) ||
        (value.startsWith('{') && !value.endsWith('}'))
      return key === undefined || !isMeant || /^["'|>&*!]/.test(value) ? line : `${key}: ${JSON.stringify(value)}`
    })
    .join('\n')
}

/** Returns a text on one line, or undefined for any other value. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? inOneLine(value) : undefined
}

/**
 * Reads frontmatter as Codex does. A line with only `---` and white space opens the frontmatter, and the next such line
 * closes it. Every scalar is text on one line; tags are ignored. A name of more than 64 characters and a missing
 * description are errors. Without a name, the name of the folder is used.
 */
export const codexFrontmatter: FrontmatterReader = (text, yaml, { isWhole, isUtf8 }) => {
  if (!isUtf8) {
    return { problem: { code: 'invalid-utf8', message: 'The file is not valid UTF-8.', hint: 'Save it as UTF-8.' } }
  }
  const lines = text.split('\n')
  if (!fence.test(lines[0] ?? '')) return noFrontmatter
  const end = lines.findIndex((line, at) => at > 0 && fence.test(line))
  // The last line may continue beyond what was read.
  if (end === -1 || (!isWhole && end === lines.length - 1)) return isWhole ? noFrontmatter : undefined
  const block = lines.slice(1, end).map(line => line.replace(/\r$/, ''))
  if (block.length === 0) return noFrontmatter
  const read = (source: string): OwnFrontmatter => {
    const outcome = yaml(source, { scalars: 'text', tags: 'ignored', aliases: 'shared' })
    if (!outcome.ok) return notYaml(outcome.reason, outcome.line + 2)
    if (!isPairs(outcome.value)) return notPairs
    const { value } = outcome
    for (const field of ['name', 'description'])
      if (typeof (own(value, field) ?? '') !== 'string') return notText(field, own(value, field))
    const name = textOf(own(value, 'name')) || undefined
    const description = textOf(own(value, 'description')) || undefined
    if ([...(name ?? '')].length > 64) {
      return {
        problem: {
          code: 'name-too-long',
          field: 'name',
          message: 'The name has more than 64 characters.',
          hint: 'Shorten it.',
        },
      }
    }
    const body = lines.slice(0, end + 1).join('\n').length
    return { data: { name, description }, body: Math.min(text.length, body + 1) }
  }
  const first = read(block.join('\n'))
  if (!('problem' in first)) return first
  const again = withQuotes(block)
  const second = again === block.join('\n') ? first : read(again)
  return 'problem' in second ? first : second
}
