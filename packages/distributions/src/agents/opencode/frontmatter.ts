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

/** Reads values with a colon as text, and tabs as spaces. Used if the YAML fails. */
function withLiteralColons(yaml: string): string {
  return yaml
    .replace(/^\t+/gm, tabs => '  '.repeat(tabs.length))
    .split('\n')
    .map(line => {
      const [before = '', name] = key.exec(line) ?? []
      const value = line.slice(before.length).trim()
      return name === undefined || !value.includes(':') || /^["'>|]/.test(value) || !isOneLine(value)
        ? line
        : `${name}: ${JSON.stringify(value)}`
    })
    .join('\n')
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
  const first = yaml(block, reading)
  // Broken YAML is repaired between plain fences only.
  const isPlain = mark === 0 && (language === '' || language === '\r')
  const read = first.ok || !isPlain ? first : yaml(withLiteralColons(block), reading)
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
