import { isPairs, lineAt, own, quoteHint } from '../../frontmatter-fields.js'
import type { FrontmatterReader } from '@skills/skill-md'
import type { OwnFrontmatter, ReadYaml, YamlRead } from '@skills/skill-md/internal'

/** Key at the margin with its value, as repair finds them. */
const pair = /^([A-Za-z_][\w-]*):[ \t]+(.+)$/
/** Signs that YAML may take for something else than text. */
const signs = /[[\]{}*&#!|>%@`,]|: /
const quoted = /^(?:"[^]*"|'[^]*')$/
/** Form of a name that counts beside that of the folder. */
const plainName = /^[\p{L}\p{N}_.:-]+$/u

const reading = { merges: true, tags: 'ignored', duplicates: 'last', strictIndent: true } as const

/** List on one line, which is left as it is. */
const list = /^\[[^[\]]*\]$/

/** Puts values in quotes that hold a sign. Used if the YAML fails. */
function withQuotes(block: string): string {
  return block
    .split('\n')
    .map(line => {
      const [, key, rest = ''] = pair.exec(line.replace(/\r$/, '')) ?? []
      const value = rest.trim()
      const isRead = !signs.test(rest) || quoted.test(value) || list.test(value)
      return key === undefined || isRead ? line : `${key}: ${JSON.stringify(value)}`
    })
    .join('\n')
}

function read(yaml: ReadYaml, block: string): YamlRead {
  const first = yaml(block, reading)
  if (first.ok) return first
  const spaced = block.replace(/^\t+/gm, tabs => '  '.repeat(tabs.length))
  const second = spaced === block ? first : yaml(spaced, reading)
  if (second.ok) return second
  const third = yaml(withQuotes(spaced), reading)
  return third.ok ? third : first
}

/** Returns scalars as texts, and leaves lists and maps as they are. */
function asTexts(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? value.map(asTexts) : value
}

/** Returns the text of a field for which a list may be given too: its items with commas between them. */
function textOf(value: unknown): unknown {
  return Array.isArray(value) ? value.join(',') : asTexts(value)
}

/** Returns a field, or null for a map where text is expected and for a `shell` without effect. */
function fieldOf(key: string, value: unknown): unknown {
  // Any other word, list or map means the usual shell.
  if (key === 'shell') return typeof value === 'string' && /^\s*powershell\s*$/i.test(value) ? 'powershell' : null
  const isText = key === 'name' || key === 'when_to_use'
  if ((isText || key === 'description') && isPairs(value)) return null
  return isText ? textOf(value) : asTexts(value)
}

/**
 * Reads frontmatter as Claude Code does. It begins with `---` at the very start and ends at the next `---` anywhere.
 * Its values are those of YAML; of a key that is given twice the last counts, and tags are ignored. If the YAML is
 * broken, values with signs are read again as quoted text; if it still is, or is no map of keys, none of it counts, and
 * all behind it is the body. A `name` counts that consists of letters, digits and `_.:-`. The `name` of a
 * plugin's own skill, which gives the skill its name, counts if it is text: `-` replaces each other sign. See
 * docs/reference/fields.md, "Frontmatter of other
 * programs".
 */
export const claudeCodeFrontmatter: FrontmatterReader = (text, yaml, { isWhole, givesName }) => {
  const mark = text.startsWith('\ufeff') ? 1 : 0
  const [fence] = /^---\s*\n/.exec(text.slice(mark, mark + 4096)) ?? []
  if (fence === undefined) return isWhole || text.length > mark + 4096 ? without(text, mark) : undefined
  const start = mark + fence.length
  const end = text.indexOf('---', start)
  if (end < 0) return isWhole ? without(text, mark) : undefined
  const body = end + 3 + (/^\s*/.exec(text.slice(end + 3))?.[0].length ?? 0)
  if (body === text.length && !isWhole) return undefined
  const outcome = read(yaml, text.slice(start, end))
  if (!outcome.ok) return { data: {}, body, warning: unread(outcome.reason, lineAt(text, start) + outcome.line) }
  if (!isPairs(outcome.value)) return { data: {}, body }
  const data = Object.fromEntries(Object.entries(outcome.value).map(([key, value]) => [key, fieldOf(key, value)]))
  const { name, ...others } = data
  if (givesName) {
    const given = own(outcome.value, 'name')
    // Colons are left to the name of the plugin before it.
    const plain = typeof given === 'string' ? given.trim().replace(/[^A-Za-z0-9_:-]/g, '-') : ''
    return { data: plain === '' ? others : { ...others, name: plain }, body }
  }
  return { data: typeof name === 'string' && plainName.test(name) ? { ...others, name } : others, body }
}

/** Reads a file without frontmatter, which is a body unless it is binary. */
function without(text: string, mark: number): OwnFrontmatter {
  if (!text.includes('\0')) return { data: {}, body: mark }
  return { problem: { code: 'binary-file', message: 'The file is binary.', hint: 'Save it as text.' } }
}

function unread(reason: string, line: number) {
  return {
    code: 'invalid-yaml',
    message: `No field of the frontmatter counts: the YAML ${reason}.`,
    hint: quoteHint,
    line,
  }
}
