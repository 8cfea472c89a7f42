import { expect, test } from 'vitest'
import { firstParagraph } from '../fields/paragraph.js'
import { readFields } from '../fields/read-fields.js'
import { parseFrontmatter } from './parse-frontmatter.js'

/** Reads a file that was written for one tool or another. */
async function read(file: string) {
  const parsed = await parseFrontmatter(file)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics))
  const { fields, problems } = readFields(parsed.data)
  return {
    fields,
    warnings: [...parsed.diagnostics, ...problems].map(({ code }) => code),
    body: Buffer.from(file).toString('utf8', parsed.bodyStart),
  }
}

test.each<[string, string, Record<string, unknown>, string[]]>([
  ['neither name nor description', '---\nlicense: MIT\n---\n', { license: 'MIT' }, []],
  ['name and description left empty', '---\nname: \ndescription: \n---\n', {}, []],
  [
    'a description on the lines below its key',
    '---\nname: x\ndescription:\n  First part, "quoted" words.\n  Second part.\n---\n',
    { name: 'x', description: 'First part, "quoted" words. Second part.' },
    [],
  ],
  [
    'a description in a stripped block',
    '---\nname: x\ndescription: |-\n  does things\n  carefully\n---\n',
    { name: 'x', description: 'does things\ncarefully' },
    [],
  ],
  [
    'a description with a colon',
    '---\nname: x\ndescription: Helps. Trigger words: character, scene\n---\n',
    { name: 'x', description: 'Helps. Trigger words: character, scene' },
    ['unquoted-text'],
  ],
  ['a name with a colon', '---\nname: gke:troubleshooter\n---\n', { name: 'gke:troubleshooter' }, []],
  [
    'a bracket left open',
    '---\nname: x\ndescription: [unclosed list\n---\n',
    { name: 'x', description: '[unclosed list' },
    ['unclosed-value'],
  ],
  [
    'a description far over the limit',
    `---\ndescription: ${'😀'.repeat(1025)}\n---\n`,
    { description: '😀'.repeat(1025) },
    ['description-too-long'],
  ],
  [
    'a long text in the metadata',
    `---\nmetadata:\n  short-description: ${'x'.repeat(1025)}\n---\n`,
    { metadata: { 'short-description': 'x'.repeat(1025) } },
    [],
  ],
  [
    'a compatibility note of any length',
    `---\ncompatibility: ${'x'.repeat(600)}\n---\n`,
    { compatibility: 'x'.repeat(600) },
    [],
  ],
  ['a licence that looks like a boolean', '---\nlicense: true\n---\n', { license: 'true' }, []],
  [
    'metadata of numbers and booleans',
    '---\nmetadata: {count: 42, active: true}\n---\n',
    { metadata: { count: '42', active: 'true' } },
    [],
  ],
  [
    'a model with colons and slashes',
    '---\nmodel: synthetic/hf:zai-org/GLM-4.7\n---\n',
    { model: 'synthetic/hf:zai-org/GLM-4.7' },
    [],
  ],
  [
    'metadata in JSON over lines',
    '---\nmetadata:\n  {\n    "emoji": "x",\n    "requires": { "bins": ["gh"] },\n  }\n---\n',
    { metadata: { emoji: 'x', requires: { bins: ['gh'] } } },
    [],
  ],
  [
    'metadata in JSON at the margin',
    '---\nname: x\nmetadata: {\n"emoji": "x"\n}\n---\n',
    { name: 'x', metadata: { emoji: 'x' } },
    ['continuation-at-margin'],
  ],
  [
    'keys of another tool',
    '---\nname: x\nglobs: ["**/*.ts"]\nalwaysApply: false\n---\n',
    { name: 'x', metadata: { globs: ['**/*.ts'], alwaysApply: 'false' } },
    [],
  ],
  [
    'a command of another tool',
    '---\nallowed-tools: Bash(git add:*), Bash(git status:*)\nargument-hint: [message]\ndescription: Create a commit\n---\n',
    {
      allowedTools: ['Bash(git add:*)', 'Bash(git status:*)'],
      argumentHint: 'message',
      description: 'Create a commit',
    },
    [],
  ],
  [
    'an argument hint of two brackets',
    '---\nargument-hint: [issue] [priority]\n---\n',
    { argumentHint: '[issue] [priority]' },
    ['text-after-value'],
  ],
  [
    'an argument hint in angle brackets',
    '---\nargument-hint: <duration: e.g. 7d>\n---\n',
    { argumentHint: '<duration: e.g. 7d>' },
    ['unquoted-text'],
  ],
])('%s', async (_, file, fields, warnings) => {
  expect(await read(file)).toEqual({ fields, warnings, body: '' })
})

test('a body is what follows, as it is', async () => {
  expect(await read('---\nname: x\n---\n\n  Text \n')).toMatchObject({ body: '\n  Text \n' })
  expect(await read('\n  No frontmatter  \n')).toMatchObject({ fields: {}, body: '\n  No frontmatter  \n' })
  expect(await read('---\n---\nContent')).toMatchObject({ fields: {}, body: 'Content' })
})

test('a body gives the description that its author did not', async () => {
  expect(firstParagraph((await read('---\nname: x\n---\nFirst paragraph.\n\nSecond.')).body)).toBe('First paragraph.')
})

test('a whole file is checked to its end, unless that is not wanted', async () => {
  expect(await parseFrontmatter('---\nname: x\n---\nBody\0')).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'binary-file', line: 4 }],
  })
  expect(await parseFrontmatter(Buffer.from('2d2d2d0a612062ff', 'hex'))).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'invalid-utf8', line: 2 }],
  })
  expect(await parseFrontmatter('---\nname: x\n---\nBody\0', { checkBody: false })).toMatchObject({
    ok: true,
    bodyLine: 4,
  })
  expect(await parseFrontmatter('---\nname: {a: b}\n---\nBody\0')).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'binary-file' }],
  })
})

test('limits are options', async () => {
  expect(await parseFrontmatter('---\nname: x\n---\n', { limits: { frontmatterBytes: 4 } })).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'frontmatter-too-large' }],
  })
  expect(await parseFrontmatter('---\nname: x\n---\n', { limits: { frontmatterBytes: 8 } })).toMatchObject({ ok: true })
})
