import { commandOf, type FrontmatterReader } from '@skills/skill-md'
import { expect, test } from 'vitest'
import { codexFrontmatter } from './agents/codex/frontmatter.js'
import { geminiFrontmatter } from './agents/gemini-cli/frontmatter.js'
import { opencodeFrontmatter } from './agents/opencode/frontmatter.js'
import { piFrontmatter } from './agents/pi/frontmatter.js'
import { vercelFrontmatter } from './agents/vercel-skills/frontmatter.js'

const block = (lines: string): string => `---\n${lines}\n---\nBody.\n`

/** Returns the problems that a reader finds in a file, as `code field line:column`. */
async function problemsOf(dialect: FrontmatterReader, text: string): Promise<readonly string[]> {
  const { diagnostics } = await commandOf(Buffer.from(text), { name: 'one', source: 'project', layout: { dialect } })
  return diagnostics.map(({ code, field = '-', line, column, type }) => `${type} ${code} ${field} ${line}:${column}`)
}

test.each([
  ['codex', codexFrontmatter, 'description: [a]\nname: one', 'validation invalid-text description 2:14'],
  ['codex', codexFrontmatter, `description: D.\nname: ${'n'.repeat(65)}`, 'validation name-too-long name 3:7'],
  ['codex', codexFrontmatter, 'name: "one', 'parse invalid-yaml - 3:1'],
  ['gemini-cli', geminiFrontmatter, 'name: one', 'validation missing-field description 1:1'],
  ['opencode', opencodeFrontmatter, 'description: D.', 'validation missing-field name 1:1'],
  ['opencode', opencodeFrontmatter, 'description: D.\nname: 12', 'validation invalid-text name 3:7'],
  ['pi', piFrontmatter, 'name: one\ndescription:', 'validation missing-field description 3:1'],
  ['pi', piFrontmatter, '- one', 'parse not-a-mapping - 1:1'],
  ['vercel-skills', vercelFrontmatter, 'name: one\ndescription: {a: b}', 'validation invalid-text description 3:14'],
  [
    'vercel-skills',
    vercelFrontmatter,
    'name: one\ndescription: D.\nmetadata:\n  internal: true',
    'validation internal-skill metadata 4:1',
  ],
])('%s says by code, field and place what is wrong with it (%#)', async (_, dialect, lines, problem) => {
  expect(await problemsOf(dialect, block(lines))).toEqual([problem])
})

test.each([
  ['codex', codexFrontmatter],
  ['gemini-cli', geminiFrontmatter],
  ['opencode', opencodeFrontmatter],
  ['pi', piFrontmatter],
  ['vercel-skills', vercelFrontmatter],
])('%s misses the frontmatter of a file without any', async (_, dialect) => {
  expect(await problemsOf(dialect, 'Body.\n')).toEqual(['parse missing-opening-fence - 1:1'])
})
