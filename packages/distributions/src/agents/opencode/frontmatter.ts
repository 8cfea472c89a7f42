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

/** Makes a text of each value with a colon, together with the indented lines below it. Used if the YAML fails. */
function withLiteralColons(yaml: string): string {
  return yaml
    .split('\n')
    .map(line => {
      const [before = '', name] = key.exec(line) ?? []
      const value = line.slice(before.length).trim()
      return name === undefined || !value.includes(':') || /^["']/.test(value) || !isOneLine(value)
        ? line
        : `${name}: |-\n  ${value}`
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

/**
 * Reads frontmatter as OpenCode does. A line `---`, alone or followed by `json`, opens the frontmatter, and the next
 * line that begins with `---` closes it. Without a closing line, the whole file is frontmatter. `name` has to be text,
 * and so does `description` if there is one. A block in a programming language is never executed.
 */
export const opencodeFrontmatter: FrontmatterReader = (text, yaml, { isWhole }) => {
  const mark = text.startsWith('\ufeff') ? 1 : 0
  const [opening, language = ''] = /^---(?!-)([^\n]*)(?=\n)/.exec(text.slice(mark)) ?? []
  if (opening === undefined) return isWhole || text.includes('\n') ? noFrontmatter : undefined
  const word = language.trim()
  if (!['', 'yaml', 'yml', 'json'].includes(word)) {
    return {
      problem: {
        code: 'unsupported-engine',
        message: `The opening fence names the language "${word}". OpenCode does not read frontmatter in that language, because it could run code.`,
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
    return first.ok || !source.includes('\t') ? first : yaml(withoutTabs(source), reading)
  }
  const first = tolerant(block)
  // Broken YAML is repaired between plain fences only.
  const isPlain = mark === 0 && (language === '' || language === '\r')
  const read = first.ok || !isPlain ? first : tolerant(withLiteralColons(block))
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
