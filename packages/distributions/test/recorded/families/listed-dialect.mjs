// @ts-check
import { plainFences, values } from './frontmatter-values.mjs'

const lines = [
  'bad line',
  '# comment',
  '',
  '  x: y',
  '\tx: y',
  '...',
  '- item',
  '{a: b}',
  'license: MIT',
  'license: [a]',
  'metadata: text',
  'metadata: [1]',
  'metadata:\n  a: 1\n  a: 2',
  'metadata:\n  a: [b',
  'metadata:\n  a: b',
  'metadata: {a: {b: c}}',
  'x: [a, b]',
  'y: {a: b}',
  'allowed-tools: [Read, {a: b}]',
  'allowed-tools: Read',
  'argument-hint: [a] [b]',
  'model: @x',
  'version: 1.0',
  'x: "a" b',
  "x: 'a",
  'x: `a`',
  'x: %a',
  'x: *a',
  'x: !a b',
  'x: a: b',
  'x: a #b',
  'x y: [z',
  'x.y: a: b',
  '1x: a: b',
  '_x: a: b',
  'x-y: a: b',
  ' x: a: b',
  'x : a: b',
]
const fences = [
  ...plainFences(8),
  ['\ufeff---\n', '---\n'],
  ['--- \n', '---  \n'],
  ['---\n', '--- x\n'],
  ['---\n', '---x\n'],
  ['----\n', '----\n'],
  ['\n---\n', '---\n'],
  [' ---\n', '---\n'],
  ['---\n', ' ---\n'],
  ['---\n', ''],
  ['---\r\n', '---\r\n'],
  ['---\n\n', '\n---\n'],
  ['---\n', '---'],
  ['---\t\n', '---\n'],
  ['---yaml\n', '---\n'],
]

const plain = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim()
const nameIn = (/** @type {string} */ text) => /^[^]*?(?=: )/.exec(text)?.[0] ?? ''

/**
 * Frontmatter, good and broken, of skills that a program lists: whether it loads the skill, its name and description.
 * A name is tried once a tree, because of two skills with one name a program may list either.
 * @type {import('./areas.mjs').Area}
 */
export const listedDialect = {
  narrower: [
    [
      ({ theirs, ours }) => ours === `project:${theirs}`,
      'A name with a colon, and a second skill of a name, are listed with their source before the name.',
    ],
    [
      ({ theirs, ours }) => plain(theirs) === plain(ours),
      'White space at the ends of a description, and line feeds in a name, are dropped.',
    ],
    [
      ({ theirs, ours }) => /[\\\p{Cc}]/u.test(nameIn(theirs)) && (ours === '<none>' || /^s\d+$/.test(nameIn(ours))),
      'A name that is a path, or that holds an invisible character, could pass for another one.',
    ],
  ],
  batches(random) {
    const batch = () => {
      /** @type {Record<string, string>} */
      const files = {}
      const tried = new Set()
      const rows = Array.from({ length: 300 }, (_, at) => {
        const folder = `s${at}`
        const value = random.one(values)
        const isNamed = random.chance(25) && !tried.has(value)
        if (isNamed) tried.add(value)
        const block = isNamed ? [`name: ${value}`, 'description: D.'] : [`name: ${folder}`, `description: ${value}`]
        if (random.chance(4)) block.shift()
        if (random.chance(4)) block.pop()
        if (random.chance(5)) block.push(`description: again`)
        if (random.chance(55)) block.splice(random.number(3), 0, random.one(lines))
        const [open = '', close = ''] = random.one(fences)
        files[`project/@/skills/${folder}/SKILL.md`] =
          `${open}${block.join('\n')}\n${close}${random.one(['Body.\n', '', '---\nBody.\n'])}`
        return folder
      })
      return { files, steps: [{ prompt: '', rows }] }
    }
    return [batch(), batch()]
  },
}
