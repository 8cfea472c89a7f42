import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { loadParser, readerVersion, readFields, readFlatSkill } from './index.js'

const blocks = [
  '', 'name: a', 'name: "a b"\ndescription: Text. # comment', 'description: >\n  folded\n  text\n\n  more', "description: 'it''s'", 'description: |\n  a\n  b', 'description: a: b',
  'description: "\\u00e9 \\ud83d"', 'allowed-tools: Read, Bash(git:*)', 'allowed-tools: [Read, "Bash(npm:*)"]', 'disallowed-tools:\n  - A\n  - B', 'user-invocable: no', 'user-invocable: maybe',
  'disable-model-invocation: 1', 'paths: "**"', 'paths: a/**, b', 'metadata:\n  a: 1.10\n  b: [x, null]', 'tags: [a]\nmetadata: text', 'model: inherit', 'effort: high', 'context: fork', 'context: other',
  'arguments: a b', 'argument-hint: [x]', 'hooks:\n  stop:\n    - matcher: y', 'shell: powershell', 'requires: a, b', 'requires:\n  bins: [x]\n  skills: y', 'hooks: text', 'description: a\n- b: c\nname: d', 'aliases: [p, q]', 'version: 1.10', 'license: ~', 'descripton: x', 'a: &x 1\nb: *x',
  'name: a\nname: b', '\tname: a', 'name: [', 'when_to_use: x\nwhenToUse: y', `description: ${'x'.repeat(1100)}`, '__proto__: x', 'on-shell-error: skip', 'agent: a\nbackground: true',
]

/** Everything that is read of a file, by both paths. */
async function readingsOf(files: readonly string[]): Promise<string> {
  const parser = await loadParser()
  return JSON.stringify(files.map(file => {
    const bytes = Buffer.from(file)
    const parsed = parser.parse(bytes)
    return [readFlatSkill(bytes, bytes.length, true), parsed, 'data' in parsed ? readFields(parsed.data) : undefined]
  }))
}

// What is kept on disk was read by an earlier version: when this fails because reading gives something else, raise `readerVersion` and write the new digest here.
test('the version of what reading gives is raised with what reading gives', async () => {
  const files = blocks.flatMap(block => [`---\n${block}\n---\nBody.\n`, `---\r\n${block.replaceAll('\n', '\r\n')}\r\n---\r\nBody.`, `${block}\n`])
  const digest = createHash('sha256').update(await readingsOf(files)).digest('hex').slice(0, 16)
  expect([readerVersion, digest]).toEqual([4, '3ea6c8646a50703b'])
})
