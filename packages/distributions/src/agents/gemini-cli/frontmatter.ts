import { inOneLine, isOneLine, isPairs, noFrontmatter, notText, own } from '../../frontmatter-fields.js'
import type { FrontmatterReader } from '@skills/skill-md'

const opening = /^---\r?\n/
const closing = /\r?\n---(?:\r?\n)?/g

/** Reads `name:`, and `description:` with the indented lines below it. Used if the YAML fails or has other values. */
function fromLines(block: string): { readonly name?: string; readonly description?: string } {
  const found: { name?: string; description?: string } = {}
  const lines = block.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const [before = '', key] = /^\s*(name|description):/.exec(line) ?? []
    const value = line.slice(before.length).trim()
    if (key === undefined || !isOneLine(value)) continue
    if (key === 'name') found.name = value
    if (key !== 'description') continue
    const parts = [value]
    while (/^[ \t]+\S/.test(lines[at + 1] ?? '')) parts.push((lines[++at] ?? '').trim())
    found.description = parts.filter(part => part !== '').join(' ')
  }
  return found
}

/**
 * Reads frontmatter as Gemini CLI does. A first line of exactly `---` opens the frontmatter, and the next line that
 * begins with `---` closes it. Name and description are required, as texts in YAML or as lines. Special characters of
 * paths become `-` in a name.
 */
export const geminiFrontmatter: FrontmatterReader = (text, yaml, { isWhole }) => {
  const start = opening.exec(text)?.[0].length
  if (start === undefined) return isWhole || text.length > 4 ? noFrontmatter : undefined
  closing.lastIndex = start
  const close = closing.exec(text)
  if (close === null || (!isWhole && closing.lastIndex === text.length)) return isWhole ? noFrontmatter : undefined
  const block = text.slice(start, close.index)
  const read = yaml(block, { dates: true, merges: true, aliases: 'shared' })
  const pairs = read.ok && isPairs(read.value) ? read.value : {}
  const [byYaml, told] = [own(pairs, 'name'), own(pairs, 'description')]
  const { name, description } =
    typeof byYaml === 'string' && typeof told === 'string' ? { name: byYaml, description: told } : fromLines(block)
  if (name === undefined || description === undefined)
    return notText(name === undefined ? 'name' : 'description', undefined)
  return { data: { name: inOneLine(name).replace(/[:\\/<>*?"|]/g, '-'), description }, body: closing.lastIndex }
}
