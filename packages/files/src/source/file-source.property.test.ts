import fc from 'fast-check'
import { firstParagraph, parseFrontmatter, readFields } from '@skills/skill-md'
import { tempTree } from '@skills/testing'
import { describe, expect, it } from 'vitest'
import { namesOf, sourceOver, start } from '../../test/load.js'

const piece = fc.constantFrom(
  '---',
  '---\n',
  '\n',
  '\r\n',
  'name: x\n',
  'description: text\n',
  'description:',
  ' |\n',
  '  more\n',
  '- item\n',
  '\t',
  ': ',
  ' #',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  '&a ',
  '*a',
  '<!--',
  '-->',
  '```',
  '# Title\n',
  '\ufeff',
  '\0',
  '\u202e',
  '🚀',
  'user-invocable: no\n',
  'metadata:\n  a: b\n',
  '__proto__: x\n',
  '!!js/function x\n',
  'paths: "**"\n',
  'allowed-tools: Bash(git: *)\n',
)
const text = fc
  .oneof(
    { weight: 4, arbitrary: fc.array(piece, { maxLength: 14 }).map(pieces => `---\n${pieces.join('')}\n---\nbody`) },
    { weight: 2, arbitrary: fc.array(piece, { maxLength: 14 }).map(pieces => pieces.join('')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.array(piece, { maxLength: 6 }), fc.integer({ min: 4080, max: 4110 }))
        .map(([pieces, length]) => `---\n${pieces.join('').padEnd(length, 'x')}\n---\n${pieces.join('')}`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.array(piece, { maxLength: 9 }),
          fc.integer({ min: 4060, max: 4110 }),
          fc.array(piece, { maxLength: 9 }),
        )
        .map(
          ([before, length, after]) =>
            `---\nversion: 1\n---\n${before.join('').padEnd(length, '🚀 é')}${after.join('')}`,
        ),
    },
  )
  .map(written => Buffer.from(written))
const bytes = fc.uint8Array({ maxLength: 200 }).map(content => Buffer.from(content))
const files = fc.array(fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: bytes }), {
  minLength: 1,
  maxLength: 8,
})

describe('for any content', () => {
  it('each file is a command or an error, and no file changes what becomes of the others', async () => {
    await fc.assert(
      fc.asyncProperty(files, async contents => {
        const written = Object.fromEntries(contents.map((content, at) => [`s${at}/SKILL.md`, content]))
        const tree = tempTree({ ...written, 'good/SKILL.md': '---\nname: good\n---\nGood.' })
        try {
          const { list, refresh } = await start(sourceOver(tree.path))
          const result = await list()
          const failed = result.errors.map(({ name }) => name)
          expect(new Set([...namesOf(result), ...failed])).toEqual(
            new Set(['good', ...contents.map((_, at) => `s${at}`)]),
          )
          for (const name of namesOf(result)) expect(failed).not.toContain(name)
          expect(await refresh()).toBeUndefined()
          for (const command of result.commands) {
            const content = written[`${command.name}/SKILL.md`]
            if (command.type !== 'prompt' || content === undefined) continue
            // Reading only the first bytes must give the same as reading the whole file.
            const parsed = await parseFrontmatter(content, { checkBody: false })
            if (!parsed.ok) throw new Error(`${command.name} was read although it does not parse`)
            const paragraph = firstParagraph(content.toString('utf8', parsed.bodyStart))
            expect(command.contentLength).toBe(content.length - parsed.bodyStart)
            expect(command.description).toBe(readFields(parsed.data).fields.description ?? paragraph ?? command.name)
          }
        } finally {
          tree.dispose()
        }
      }),
      { numRuns: 80 },
    )
  })
})
