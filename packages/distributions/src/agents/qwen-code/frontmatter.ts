import { inOneLine, isPairs, noFrontmatter, notText, own } from '../../frontmatter-fields.js'
import type { FrontmatterReader } from '@skills/skill-md'
import type { OwnFrontmatter } from '@skills/skill-md/internal'

const opening = /^---\r?\n/
const closing = /\r?\n---(?=\r?\n|$)/g

/** Reads `key: value` lines, with texts in double quotes. Used if the YAML fails. */
function fromLines(block: string): Record<string, unknown> {
  const pairs = block.split(/\r?\n/).flatMap(line => {
    const at = line.indexOf(':')
    const value = line.slice(at + 1).trim()
    const isOwn = at > 0 && /^[^\s#-]/.test(line) && value !== ''
    return isOwn ? [[line.slice(0, at).trim(), plainValue(value)] as const] : []
  })
  return Object.fromEntries(pairs)
}

function plainValue(value: string): unknown {
  if (/^".*"$/.test(value)) return value.slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\')
  if (value === 'true' || value === 'false') return value === 'true'
  return value
}

/** Returns a value as the text that a program makes of it: a list becomes its texts with commas. */
function asText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return `${value}`
  return Array.isArray(value) ? value.map(one => asText(one) ?? '').join(',') : undefined
}

function refused(field: string, message: string, hint: string): OwnFrontmatter {
  return { problem: { code: 'invalid-value', field, message, hint } }
}

/**
 * Reads frontmatter as Qwen Code does. The first line is exactly `---`, and the next such line closes it. The block is
 * read as YAML, or else as lines. Numbers and lists become texts. A name has letters, digits, `_`, `:`, `.` and `-`
 * only; `paths` has to be a list.
 */
export const qwenFrontmatter: FrontmatterReader = (text, yaml, { isWhole }) => {
  const mark = text.startsWith('\ufeff') ? 1 : 0
  const fence = opening.exec(text.slice(mark))?.[0]
  if (fence === undefined) return isWhole || text.length > 5 ? noFrontmatter : undefined
  const start = mark + fence.length
  closing.lastIndex = start
  const close = closing.exec(text)
  if (close === null || (!isWhole && closing.lastIndex === text.length)) return isWhole ? noFrontmatter : undefined
  const block = text.slice(start, close.index)
  const read = yaml(block, { aliases: 'shared', tags: 'ignored' })
  const pairs = read.ok && isPairs(read.value) ? read.value : fromLines(block)
  const [name, description] = [asText(own(pairs, 'name')), asText(own(pairs, 'description'))]
  if (name === undefined || name === '') return notText('name', own(pairs, 'name'))
  if (description === undefined || description.trim() === '') return notText('description', undefined)
  if (!/^[\p{L}\p{N}_:.-]+$/u.test(name)) {
    return refused(
      'name',
      'A skill with this name is not loaded: a name may have letters, digits, `_`, `:`, `.` and `-` only.',
      'Give the skill another name.',
    )
  }
  const paths = own(pairs, 'paths')
  const patterns = Array.isArray(paths) ? paths.map(one => `${one}`.trim()).filter(one => one !== '') : []
  if ((paths !== undefined && paths !== null && !Array.isArray(paths)) || patterns.some(isOutside)) {
    return refused(
      'paths',
      'A skill whose `paths` are not a list of patterns within the project is not loaded.',
      'Write a list of relative patterns.',
    )
  }
  const hidden = own(pairs, 'disable-model-invocation')
  const typed = own(pairs, 'user-invocable')
  const whenToUse = own(pairs, 'when_to_use')
  return {
    data: {
      name: inOneLine(name),
      description,
      ...(typeof whenToUse === 'string' && { when_to_use: whenToUse }),
      ...(patterns.length > 0 && { paths: patterns }),
      ...((hidden === true || hidden === 'true') && { 'disable-model-invocation': 'true' }),
      ...((typed === false || typed === 'false') && { 'user-invocable': 'false' }),
    },
    body: closing.lastIndex + (/^\r?\n/.exec(text.slice(closing.lastIndex))?.[0].length ?? 0),
  }
}

const isOutside = (pattern: string): boolean =>
  /^(?:[\\/]|[A-Za-z]:)/.test(pattern) || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(pattern)
