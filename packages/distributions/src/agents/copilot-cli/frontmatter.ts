import {
  hasOddMark,
  inOneLine,
  isPairs,
  lineAt,
  noFrontmatter,
  notText,
  notYaml,
  oddMark,
  own,
} from '../../frontmatter-fields.js'
import type { FrontmatterReader } from '@skills/skill-md'
import type { OwnFrontmatter } from '@skills/skill-md/internal'

const fence = /^---[ \t]*(?:\r?\n|$)/
const closing = /\r?\n---[ \t]*(?=\r?\n|$)/g
const heading = /^#{1,6}\s/

/** Most UTF-16 code units of a description. */
const longest = 1024

/** Returns the first three lines of a body that are no headings, on one line. */
function descriptionIn(body: string): string {
  const lines = body.split(/\r?\n/).map(line => line.trim())
  return lines
    .filter(line => line !== '' && !heading.test(line))
    .slice(0, 3)
    .join(' ')
    .slice(0, longest)
}

function refused(field: string, message: string, hint: string): OwnFrontmatter {
  return { problem: { code: 'invalid-value', field, message, hint } }
}

/** Returns the problem of a field with a value of a type that Copilot CLI does not accept. */
function wronglyTyped(pairs: Record<string, unknown>): OwnFrontmatter | undefined {
  const flag = ['user-invocable', 'disable-model-invocation'].find(
    field => Object.hasOwn(pairs, field) && typeof pairs[field] !== 'boolean',
  )
  if (flag !== undefined)
    return refused(flag, `A skill whose \`${flag}\` is not true or false is not loaded.`, 'Write `true`.')
  const hint = own(pairs, 'argument-hint')
  if (Object.hasOwn(pairs, 'argument-hint') && typeof hint !== 'string') return notText('argument-hint', hint)
  const tools = own(pairs, 'allowed-tools')
  const areTools = typeof tools === 'string' || (Array.isArray(tools) && tools.every(one => typeof one === 'string'))
  if (!Object.hasOwn(pairs, 'allowed-tools') || areTools) return undefined
  return refused('allowed-tools', '`allowed-tools` is not a list of texts.', 'Write the tools as texts.')
}

/**
 * Reads frontmatter as Copilot CLI does. The first line is `---`, and the next such line closes the frontmatter. Without
 * a description, the first lines of the body are the description. A skill is refused for a field of a wrong type, for a
 * description of more than 1,024 characters, and for a name with characters other than letters of ASCII, digits, `.`,
 * `_`, `-` and `:`; spaces in a name become hyphens.
 */
export const copilotFrontmatter: FrontmatterReader = (text, yaml, { isWhole }) => {
  const mark = text.startsWith('\ufeff') ? 1 : 0
  const opening = fence.exec(text.slice(mark))?.[0]
  if (opening === undefined) return isWhole || text.length > 8 ? noFrontmatter : undefined
  const start = mark + opening.length
  // The closing line may follow the opening one directly.
  closing.lastIndex = start - 1 - Number(text[start - 2] === '\r')
  const close = closing.exec(text)
  if (close === null || (!isWhole && closing.lastIndex === text.length)) return isWhole ? noFrontmatter : undefined
  const block = text.slice(start, Math.max(start, close.index))
  const read = yaml(block, { tags: 'ignored' })
  if (!read.ok) return notYaml(read.reason, lineAt(text, start) + read.line)
  if (hasOddMark(block.split('\n')) || /:[\u2028\u2029]/.test(block)) return notYaml(oddMark, lineAt(text, start))
  const pairs = isPairs(read.value) ? read.value : {}
  const problem = wronglyTyped(pairs)
  if (problem !== undefined) return problem
  const [name, told] = [own(pairs, 'name'), own(pairs, 'description')]
  if (Object.hasOwn(pairs, 'name') && typeof name !== 'string') return notText('name', name)
  const called = typeof name === 'string' ? name.trim().replace(/ +/g, '-') : undefined
  if (called !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/.test(called)) {
    return refused(
      'name',
      'A skill with this name is not loaded: a name must have 1 to 64 letters of ASCII, digits, `.`, `_`, `-` or `:`, and begin with a letter or a digit.',
      'Give the skill another name.',
    )
  }
  if (Object.hasOwn(pairs, 'description') && (typeof told !== 'string' || told === ''))
    return notText('description', told)
  if (typeof told === 'string' && told.length > longest)
    return refused('description', `The description has more than ${longest} characters.`, 'Shorten it.')
  if (typeof told !== 'string' && !isWhole) return undefined
  const body = closing.lastIndex + (/^\r?\n/.exec(text.slice(closing.lastIndex))?.[0].length ?? 0)
  return {
    data: {
      ...(called !== undefined && { name: inOneLine(called) }),
      description: typeof told === 'string' ? told : descriptionIn(text.slice(body)),
      ...(own(pairs, 'disable-model-invocation') === true && { 'disable-model-invocation': 'true' }),
      ...(own(pairs, 'user-invocable') === false && { 'user-invocable': 'false' }),
    },
    body,
  }
}
