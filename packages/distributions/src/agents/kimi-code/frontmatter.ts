import { inOneLine, isPairs, lineAt, noFrontmatter, notPairs, notText, notYaml, own } from '../../frontmatter-fields.js'
import type { FrontmatterReader } from '@skills/skill-md'

const fence = /^[ \t]*---[ \t]*(?:\r?\n|$)/
const closing = /\r?\n[ \t]*---[ \t]*(?=\r?\n|$)/g

/** Kinds of skills whose text becomes a part of the conversation. */
const inline = [undefined, 'prompt', 'inline']
const types = [...inline, 'flow', 'reference']

const filled = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

/**
 * Reads frontmatter as Kimi Code does. A line `---` at the start opens it, and the next such line closes it. Name and
 * description have to be texts. A model is not told of a skill with the type `flow` or `reference`; another type is
 * refused.
 */
export const kimiFrontmatter: FrontmatterReader = (text, yaml, { isWhole }) => {
  const mark = text.startsWith('\ufeff') ? 1 : 0
  const opening = fence.exec(text.slice(mark))?.[0]
  if (opening === undefined) return isWhole || text.includes('\n') ? noFrontmatter : undefined
  const start = mark + opening.length
  closing.lastIndex = start - 1
  const close = closing.exec(text)
  if (close === null || (!isWhole && closing.lastIndex === text.length)) return isWhole ? noFrontmatter : undefined
  const read = yaml(text.slice(start, Math.max(start, close.index)))
  if (!read.ok) return notYaml(read.reason, lineAt(text, start) + read.line)
  const pairs = read.value ?? {}
  if (!isPairs(pairs)) return notPairs
  const [name, description, type] = ['name', 'description', 'type'].map(field => filled(own(pairs, field)))
  if (name === undefined) return notText('name', own(pairs, 'name') || undefined)
  if (description === undefined) return notText('description', own(pairs, 'description') || undefined)
  if (!types.includes(type)) {
    return {
      problem: {
        code: 'invalid-value',
        field: 'type',
        message: `A skill of the type "${type}" is not loaded.`,
        hint: 'Remove `type`.',
      },
    }
  }
  const isHidden = ['disable-model-invocation', 'disable_model_invocation', 'disableModelInvocation'].some(
    field => own(pairs, field) === true,
  )
  const whenToUse = ['when-to-use', 'when_to_use', 'whenToUse'].map(field => own(pairs, field)).find(Boolean)
  const named = own(pairs, 'arguments')
  return {
    data: {
      name: inOneLine(name),
      description,
      ...(typeof whenToUse === 'string' && { when_to_use: whenToUse }),
      ...((typeof named === 'string' || Array.isArray(named)) && { arguments: named }),
      ...((isHidden || !inline.includes(type)) && { 'disable-model-invocation': 'true' }),
    },
    body: closing.lastIndex + (/^\s*/.exec(text.slice(closing.lastIndex))?.[0].length ?? 0),
  }
}
