import {
  inOneLine,
  isPairs,
  longKeyIn,
  noFrontmatter,
  notMap,
  notPairs,
  notText,
  notYaml,
  own,
} from '../../frontmatter-fields.js'
import type { FrontmatterReader } from '@skills/skill-md'
import type { OwnFrontmatter } from '@skills/skill-md/internal'

const fence = /^[^\S\ufeff]*---[^\S\ufeff]*$/
const pair = /^(\s*[^\s:#"'[\]{}-][^:]*:)[ \t]+(?=\S)/

/** Puts values in quotes that YAML reads as a map, a list or a reserved mark. Used if the YAML fails. */
function withQuotes(lines: readonly string[]): string {
  return lines
    .map(line => {
      const [before = '', key] = pair.exec(line) ?? []
      const value = line.slice(before.length).trimEnd()
      const isMeant = value.includes(': ') || /^[`@]/.test(value) || (/^[[{]/.test(value) && !isClosed(value))
      return key === undefined || !isMeant || /^["'|>&*!]/.test(value) ? line : `${key} ${JSON.stringify(value)}`
    })
    .join('\n')
}

/** True if the bracket that a value begins with is closed at its very end. */
function isClosed(value: string): boolean {
  let depth = 0
  for (const [at, sign] of [...value].entries()) {
    if (sign === '[' || sign === '{') depth += 1
    if ((sign === ']' || sign === '}') && (depth -= 1) === 0) return at === [...value].length - 1
  }
  return false
}

/** Fields of which a key that is given twice is an error; of others the last counts. */
const known = ['name', 'description', 'metadata']

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
    if (longKeyIn(source) >= 0) return notYaml('has a key of more than 1,024 characters', 2 + longKeyIn(source))
    const outcome = yaml(source, { scalars: 'text', tags: 'ignored', aliases: 'shared', duplicates: 'last' })
    if (!outcome.ok) return notYaml(outcome.reason, outcome.line + 2)
    if (!isPairs(outcome.value)) return notPairs
    const { value } = outcome
    const twice = known.find(key => source.split('\n').filter(line => line.startsWith(`${key}:`)).length > 1)
    if (twice !== undefined) return notYaml(`has the key "${twice}" twice`, 2)
    const metadata = own(value, 'metadata') ?? {}
    if (!isPairs(metadata)) return notMap('metadata')
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
