import {
  hasOddMark,
  inOneLine,
  isPairs,
  longKeyIn,
  noFrontmatter,
  notMap,
  notPairs,
  notText,
  notYaml,
  oddMark,
  own,
} from '../../frontmatter-fields.js'
import type { FrontmatterReader } from '@skills/skill-md'
import type { OwnFrontmatter } from '@skills/skill-md/internal'

const fence = /^[^\S\ufeff]*---[^\S\ufeff]*$/
const pair = /^(\s*[^\s:#][^:]*:)[ \t]+(?=\S)/

/**
 * Puts values in quotes that YAML reads as a map, a list or a reserved mark, without the comment behind them. Used if the
 * YAML fails.
 */
function withQuotes(lines: readonly string[]): string {
  return lines
    .map(line => {
      const [before = '', key] = pair.exec(line) ?? []
      const all = line.slice(before.length)
      const comment = all.search(/[ \t]#/)
      const value = (comment < 0 ? all : all.slice(0, comment)).trimEnd()
      const isMeant = /:[ \t]/.test(value) || /^[`@]/.test(value) || (/^[[{]/.test(value) && !isClosed(value))
      return key === undefined || !isMeant || /^["'|>]/.test(value) ? line : `${key} ${JSON.stringify(value)}`
    })
    .join('\n')
}

/** True if the bracket that a value begins with is closed at its very end. */
function isClosed(value: string): boolean {
  const [open] = value
  const close = open === '[' ? ']' : '}'
  let depth = 0
  for (const [at, sign] of [...value].entries()) {
    if (sign === open) depth += 1
    if (sign === close && (depth -= 1) === 0) return at === [...value].length - 1
  }
  return false
}

/** Fields of which a key that is given twice is an error; of others the last counts. */
const known = ['name', 'description', 'metadata']
const short = 'short-description'

/** Returns the first of these keys that two lines of a map have. A key may be in quotes, or behind a question mark. */
function twiceIn(lines: readonly string[], keys: readonly string[]): string | undefined {
  const given = lines.map(line => /^(?:\? *)?(["']?)([\w-]+)\1[ \t]*(?::(?=\s|$)|$)/.exec(line)?.[2])
  return keys.find(key => given.indexOf(key) !== given.lastIndexOf(key))
}

/** True if a line of a map begins with a list or a map as its key. */
const hasOddKey = (lines: readonly string[]): boolean =>
  lines.some(line => /^(?:\? *[[{]|[[{].*[\]}]:(?:\s|$))/.test(line))

/** Returns the lines of the map in `metadata`, without their indentation and without those of maps in it. */
function metadataLines(lines: readonly string[]): readonly string[] {
  const below = lines.slice(lines.findIndex(line => line.startsWith('metadata:')) + 1)
  const end = below.findIndex(line => /^\S/.test(line))
  const indent = /^ */.exec(below[0] ?? '')?.[0] ?? ''
  return indent === ''
    ? []
    : below
        .slice(0, end < 0 ? below.length : end)
        .flatMap(line => (line.startsWith(indent) && line[indent.length] !== ' ' ? [line.slice(indent.length)] : []))
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
    if (longKeyIn(source) >= 0) return notYaml('has a key of more than 1,024 characters', 2 + longKeyIn(source))
    const outcome = yaml(source, { scalars: 'text', tags: 'ignored', aliases: 'shared', duplicates: 'last' })
    if (!outcome.ok) return notYaml(outcome.reason, outcome.line + 2)
    if (!isPairs(outcome.value)) return notPairs
    const { value } = outcome
    const written = source.split('\n')
    const within = metadataLines(written)
    const twice = twiceIn(written, known) ?? twiceIn(within, [short])
    if (twice !== undefined) return notYaml(`has the key "${twice}" twice`, 2)
    if (hasOddKey(written) || hasOddKey(within)) return notYaml('has a list or a map as a key', 2)
    if (hasOddMark(written)) return notYaml(oddMark, 2)
    const metadata = own(value, 'metadata') ?? {}
    // Without a value it is empty.
    if (!isPairs(metadata) || written.some(line => /^metadata:[ \t]+(?:~|null|Null|NULL)(?:\s|$)/.test(line)))
      return notMap('metadata')
    if (typeof (own(metadata, short) ?? '') !== 'string') return notText(`metadata.${short}`, own(metadata, short))
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
