import { inOneLine, isPairs, lineAt, notText, notYaml, own } from '../../frontmatter-fields.js'
import type { FrontmatterReader } from '@skills/skill-md'
import type { OwnFrontmatter } from '@skills/skill-md/internal'

const block = /^---\r?\n([^]*?)\r?\n---\r?\n?/

/** Returns the problem of a skill that Cline does not offer. */
function refused(field: string | undefined, message: string, hint: string): OwnFrontmatter {
  return { problem: { code: 'invalid-value', ...(field !== undefined && { field }), message, hint } }
}

/**
 * Reads frontmatter as Cline does. A file without frontmatter is a skill. Name and description have to be texts, and
 * the body must not be empty. A skill that is `disabled`, or not `enabled`, is left out.
 */
export const clineFrontmatter: FrontmatterReader = (text, yaml, { isWhole }) => {
  if (!isWhole) return undefined
  const mark = text.startsWith('\ufeff') ? 1 : 0
  const [fenced = '', source] = block.exec(text.slice(mark)) ?? []
  const read = source === undefined ? undefined : yaml(source)
  if (read?.ok === false) return notYaml(read.reason, lineAt(text, mark) + 1 + read.line)
  const pairs = isPairs(read?.value) ? read.value : {}
  const end = mark + fenced.length
  const body = end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0)
  if (body === text.length) return refused(undefined, 'The skill has no text.', 'Write instructions below the fields.')
  for (const field of ['name', 'description'])
    if (typeof (own(pairs, field) ?? '') !== 'string') return notText(field, own(pairs, field))
  for (const field of ['disabled', 'enabled'])
    if (typeof (own(pairs, field) ?? true) !== 'boolean')
      return refused(field, `\`${field}\` is not true or false.`, 'Write `true` or `false`.')
  const isOff = own(pairs, 'disabled') ?? own(pairs, 'enabled') === false
  if (isOff === true) return refused('disabled', 'Its frontmatter switches the skill off.', 'Remove `disabled`.')
  const [name, description] = ['name', 'description'].map(field => {
    const value = own(pairs, field)
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
  })
  return { data: { ...(name !== undefined && { name: inOneLine(name) }), description }, body }
}
