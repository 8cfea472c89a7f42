import {
  inOneLine,
  isOneLine,
  isPairs,
  lineAt,
  noFrontmatter,
  notPairs,
  notText,
  notYaml,
  own,
} from '../../frontmatter-fields.js'
import type { FrontmatterReader } from '@skills/skill-md'

const key = /^([A-Za-z_]\w*)\s*:/

/**
 * Makes a text of each value with a colon: in OpenCode a block, together with the indented lines below it. Used if the
 * YAML fails.
 */
function withLiteralColons(yaml: string, as: 'block' | 'quotes'): string {
  return yaml
    .split('\n')
    .map(line => {
      const [before = '', name] = key.exec(line) ?? []
      const value = line.slice(before.length).trim()
      return name === undefined || !value.includes(':') || /^["']/.test(value) || !isOneLine(value)
        ? line
        : `${name}: ${as === 'block' ? `|-\n  ${value}` : JSON.stringify(value)}`
    })
    .join('\n')
}

/**
 * Drops tabs from the beginnings of lines. The YAML library of OpenCode, an older one, takes them for white space that
 * is no indentation. In the first line they indent the first key, so that the next key is an error.
 */
function withoutTabs(yaml: string): string {
  const first = yaml.split('\n').find(line => /^\s*[^\s#]/.test(line)) ?? ''
  if (/^ *\t/.test(first)) return yaml
  return yaml.replace(/^( *)\t+/gm, '$1')
}

/** Returns the end of a text in quotes, or of a list or a map, that a value begins with; 0 for a value of another kind. */
function endOf(value: string): number {
  if (!/^["'[{]/.test(value)) return 0
  let [depth, quote] = [0, '']
  for (let at = 0; at < value.length; at += 1) {
    const sign = value.charAt(at)
    if (quote !== '') {
      // What follows stands for a sign: two single quotes for one, and a backslash with the next sign.
      if (sign === (quote === '"' ? '\\' : `'`) && (quote === '"' || value[at + 1] === `'`)) at += 1
      else if (sign === quote) quote = ''
    } else if (`"'`.includes(sign) && /^[\s,:[{]?$/.test(value.slice(Math.max(0, at - 1), at))) quote = sign
    else depth += '[{'.includes(sign) ? 1 : ']}'.includes(sign) ? -1 : 0
    if (depth === 0 && quote === '') return at + 1
  }
  return 0
}

/** Most pairs that get a line of their own. */
const mostPairs = 100

/**
 * Gives each pair a line of its own. The YAML library of OpenCode, an older one, reads `a: "b" c: d` as two pairs, and
 * takes a question mark for the beginning of the next key.
 */
function withOwnLines(yaml: string): string {
  const lines: string[] = []
  let left = mostPairs
  for (let line of yaml.split('\n')) {
    while (left > 0) {
      const [before = '', indent = ''] = /^( *)[^\s:#][^:]*:[ \t]+(?=\S)/.exec(line) ?? []
      const end = before.length + endOf(line.slice(before.length))
      const rest = line.slice(end).trimStart()
      const isNext = before !== '' && (end > before.length ? !/^(?:#|$)/.test(rest) : /^\?(?:\s|$)/.test(rest))
      if (!isNext) break
      left -= 1
      lines.push(line.slice(0, end))
      line = `${indent}${rest}`
    }
    lines.push(line)
  }
  return lines.join('\n')
}

/** Reads frontmatter as OpenCode does. */
export const opencodeFrontmatter = frontmatterLike('block')

/** Reads frontmatter as Kilo Code does. A value with a colon and further lines below it is an error. */
export const kiloFrontmatter = frontmatterLike('quotes')

/**
 * Returns the reader of OpenCode or a program like it. A line `---`, alone or followed by `json`, opens the frontmatter,
 * and the next line that begins with `---` closes it. Without a closing line, the whole file is frontmatter. `name` has
 * to be text, and so does `description` if there is one. A block in a programming language is never executed.
 * @param repaired how a value with a colon is written for a second reading, if the first one fails
 */
function frontmatterLike(repaired: 'block' | 'quotes'): FrontmatterReader {
  return (text, yaml, { isWhole }) => {
    const mark = text.startsWith('\ufeff') ? 1 : 0
    const [opening, language = ''] = /^---(?!-)([^\n]*)(?=\n)/.exec(text.slice(mark)) ?? []
    if (opening === undefined) return isWhole || text.includes('\n') ? noFrontmatter : undefined
    const word = language.trim()
    if (!['', 'yaml', 'yml', 'json'].includes(word)) {
      return {
        problem: {
          code: 'unsupported-engine',
          message: `The opening fence names the language "${word}". Frontmatter in that language is not read, because it could run code.`,
          hint: 'Write the frontmatter as YAML, below a bare `---`.',
        },
      }
    }
    const start = mark + opening.length
    const close = text.indexOf('\n---', start)
    if (close === -1 && !isWhole) return undefined
    const block = text.slice(start, close === -1 ? text.length : close)
    const reading = { scalars: 'typed-1.1', dates: true, merges: true, aliases: 'shared' } as const
    const tolerant = (source: string): ReturnType<typeof yaml> => {
      const first = yaml(source, reading)
      const again = first.ok ? source : withOwnLines(source.includes('\t') ? withoutTabs(source) : source)
      return again === source ? first : yaml(again, reading)
    }
    const first = tolerant(block)
    // Broken YAML is repaired between plain fences only.
    const isPlain = mark === 0 && (language === '' || language === '\r')
    const read = first.ok || !isPlain ? first : tolerant(withLiteralColons(block, repaired))
    if (!read.ok) return notYaml(read.reason, lineAt(text, start) + read.line)
    const pairs = read.value ?? {}
    if (!isPairs(pairs)) return notPairs
    const [name, description] = [own(pairs, 'name'), own(pairs, 'description')]
    if (typeof name !== 'string') return notText('name', name)
    if (description !== undefined && typeof description !== 'string') return notText('description', description)
    const end = close === -1 ? text.length : close + 4
    return {
      data: { name: inOneLine(name), description },
      body: end + (/^\r?\n?/.exec(text.slice(end))?.[0].length ?? 0),
    }
  }
}
