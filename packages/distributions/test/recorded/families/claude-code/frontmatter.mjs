// @ts-check
import { plainFences, values } from '../frontmatter-values.mjs'

const keys = [
  'description',
  'description',
  'description',
  'description',
  'when_to_use',
  'name',
  'other',
  'Description',
  '"description"',
  'argument-hint',
  'x y',
  'x.y',
  '1x',
  '_x',
  'description ',
  ' description',
]
const lines = [
  'bad line',
  '# comment',
  '',
  '  x: y',
  '\tx: y',
  '...',
  '- item',
  '{a: b}',
  'key',
  'license: MIT',
  'metadata:\n  a: 1\n  a: 2',
  'metadata:\n  a: [b',
  'x: [a, b]',
  'y: {a: b}',
  'user-invocable: false',
  'version: 1.0',
]
const bodies = [
  'BODY first\n',
  '# H\n',
  '####### H\n',
  '#H\n',
  '> q\n',
  '- item\n',
  '\n\n  text  \n',
  '',
  'Title\n===\n',
  '<!-- c -->\ntext\n',
  '```\ncode\n```\n',
  `${'x'.repeat(101)}\n`,
  `${'é '.repeat(60)}\n`,
  'a\tb\n',
  '#  H  #\n',
  '***\nx\n',
  '---\nx\n',
]
const fences = [
  ...plainFences(6),
  ['\ufeff---\n', '---\n'],
  ['--- \n', '---  \n'],
  ['---\n', '--- x\n'],
  ['----\n', '----\n'],
  ['\n---\n', '---\n'],
  ['---\n', ''],
  ['---\r\n', '---\r\n'],
  ['---\n\n', '\n---\n'],
]

/**
 * Frontmatter, good and broken, and bodies: how the skill is listed.
 * @type {import('../areas.mjs').Area}
 */
export const area = {
  unlike: 3,
  batches(random) {
    const batch = () => {
      /** @type {Record<string, string>} */
      const files = {}
      const rows = Array.from({ length: 250 }, (_, at) => {
        const name = `s${at}`
        const count = 1 + random.number(3)
        const block = Array.from({ length: count }, () =>
          random.chance(20) ? random.one(lines) : `${random.one(keys)}: ${random.one(values)}`,
        )
        const [open = '', close = ''] = random.one(fences)
        files[`project/.claude/skills/${name}/SKILL.md`] = `${open}${block.join('\n')}\n${close}${random.one(bodies)}`
        return name
      })
      return { files, steps: [{ prompt: 'Hello', rows }] }
    }
    return [batch(), batch()]
  },
}
