import { commandOf, type FrontmatterReader } from '@skills/skill-md'
import { expect, test } from 'vitest'
import { codexFrontmatter } from './agents/codex/frontmatter.js'
import { geminiFrontmatter } from './agents/gemini-cli/frontmatter.js'
import { openclawFrontmatter } from './agents/openclaw/frontmatter.js'
import { opencodeFrontmatter } from './agents/opencode/frontmatter.js'

const spaces = ' '.repeat(512 * 1024)

// Before, each took minutes, growing with the square of its length. Now each takes a fraction of a second.
test.each([
  ['codex', codexFrontmatter, `a: x${spaces}y\nb: c: d`],
  ['codex, of many comments', codexFrontmatter, `a: b: ${'[ #'.repeat(150_000)}`],
  ['gemini-cli', geminiFrontmatter, `description: ${spaces}x\u2028y`],
  ['opencode', opencodeFrontmatter, `a: ${spaces}x\ry: z: z`],
  ['opencode, of many pairs', opencodeFrontmatter, ` ${'a: "" '.repeat(80_000)}`],
  ['opencode, of open quotes', opencodeFrontmatter, `a: [${'"\\"'.repeat(150_000)}`],
  ['openclaw', openclawFrontmatter, `description: "${spaces}x\nb: c: d`],
])('%s reads a line of many spaces in proportion to its length', async (_, dialect, lines) => {
  const text = `---\n${lines}\n---\nBody.\n`
  const { command, diagnostics } = await commandOf(Buffer.from(text), {
    name: 'one',
    source: 'project',
    layout: { dialect, names: 'field' },
  })
  expect([command?.name, ...diagnostics.map(({ code }) => code)]).not.toEqual([])
})

test('no reader is given more than the first mebibyte of a file', async () => {
  const lengths: number[] = []
  const dialect: FrontmatterReader = (text, _yaml, { isWhole }) => {
    lengths.push(text.length)
    return isWhole ? { data: { name: 'one', description: 'D.' }, body: 0 } : undefined
  }
  const bytes = Buffer.from('x'.repeat(3 * 1024 * 1024))
  const { command } = await commandOf(bytes, { name: 'one', source: 'project', layout: { dialect } })
  expect([command?.name, Math.max(...lengths)]).toEqual(['one', 1024 * 1024])
})
