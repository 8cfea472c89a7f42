import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { lintFiles } from '@skills/inspect'
import { checkEvalCases, readEvalCases } from './read-eval-cases.js'

const skill = '---\nname: deploy\ndescription: Deploys the service to staging.\n---\nDo it.\n'

let tree: TempTree | undefined
afterEach(() => tree?.dispose())

async function read(text: string, more: TreeEntries = {}) {
  tree?.dispose()
  tree = tempTree({ 'deploy/SKILL.md': skill, 'deploy/evals/evals.json': text, ...more })
  return readEvalCases(`${tree.path}/deploy/SKILL.md`, 'deploy')
}

it('reads what skill-creator writes: prompts, files, expectations', async () => {
  const { cases, diagnostics } = await read(
    JSON.stringify({
      skill_name: 'deploy',
      evals: [
        {
          id: 1,
          prompt: 'Ship it',
          expected_output: 'It is on staging',
          files: ['evals/files/a.txt'],
          expectations: ['It names the host'],
        },
      ],
    }),
    { 'deploy/evals/files/a.txt': 'a' },
  )
  expect(diagnostics.map(({ code }) => code)).toEqual(['one-sided-evals'])
  expect(cases?.tasks).toEqual([
    {
      id: '1',
      prompt: 'Ship it',
      expectedOutput: 'It is on staging',
      files: [{ from: 'evals/files/a.txt', path: 'a.txt' }],
      allow: [],
      assertions: [{ judge: 'It names the host' }],
    },
  ])
  expect(cases?.queries).toMatchObject([{ id: '1', prompt: 'Ship it', shouldTrigger: true }])
})

it('reads queries, also as the list alone that skill-creator keeps them in', async () => {
  const queries = [
    { query: 'Ship it', should_trigger: true },
    { query: 'What is shipping?', should_trigger: false },
  ]
  const expected = [
    { id: 'query 1', prompt: 'Ship it', shouldTrigger: true },
    { id: 'query 2', prompt: 'What is shipping?', shouldTrigger: false },
  ]
  expect((await read(JSON.stringify({ queries }))).cases?.queries).toMatchObject(expected)
  expect(await read(JSON.stringify(queries))).toMatchObject({ diagnostics: [], cases: { queries: expected } })
})

it.each([
  ['{', 1, 'The cases are not JSON'],
  ['3', 1, 'The file must be an object.'],
  ['{"evals": [\n{"promt": "x"}]}', 2, '`evals[0]` has an unknown key "promt"'],
  ['{"evals": [{"prompt": " "}]}', 1, '`evals[0].prompt` must be a text that is not empty.'],
  ['[{"query": "x"}]', 1, '`[0]` needs "should_trigger": true or false.'],
  ['[{"query": "x", "should_trigger": "yes"}]', 1, '`[0].should_trigger` must be true or false.'],
  ['{"evals": [{"prompt": "x", "files": ["../a"]}]}', 1, '`evals[0].files[0]` must be a relative path'],
  ['{"evals": [{"prompt": "x", "files": [{"path": "a"}]}]}', 1, 'needs either "text" (its content) or "from"'],
  ['{"evals": [{"prompt": "x", "assertions": [{}]}]}', 1, '`evals[0].assertions[0]` needs one of file, contains'],
  ['{"evals": [{"prompt": "x", "assertions": [{"matches": "("}]}]}', 1, 'must be a regular expression.'],
  ['{"evals": [{"prompt": "x", "assertions": [{"file": "a", "command": "b"}]}]}', 1, 'may not have command or judge'],
  ['{"evals": [{"prompt": "x", "assertions": [{"judge": "a", "command": "b"}]}]}', 1, 'has several conditions'],
  ['{"evals": [{"id": 1, "prompt": "x"}, {"id": "1", "prompt": "y"}]}', 1, 'has two cases with the id "1".'],
  ['{"evals": [{"prompt": "x", "files": ["gone.txt"]}]}', undefined, 'needs the file gone.txt, but the folder'],
])('says of %s what is wrong and where', async (text, line, message) => {
  const { cases, diagnostics } = await read(text)
  expect(cases).toBeUndefined()
  expect(diagnostics[0]).toMatchObject({ severity: 'error', message: expect.stringContaining(message) })
  expect(diagnostics[0]?.line).toBe(line)
})

it('reads no file through a link that leads out of the skill', async () => {
  const { cases, diagnostics } = await read('{"evals": [{"prompt": "x", "files": ["evals/files/a.txt"]}]}', {
    'secret.txt': 'x',
    'deploy/evals/files/a.txt': { link: '../../../secret.txt' },
  })
  expect(cases).toBeUndefined()
  expect(diagnostics[0]?.code).toBe('missing-eval-file')
})

it('gives cases or says what is wrong, for any JSON', async () => {
  const key = fc.constantFrom('evals', 'queries', 'prompt', 'query', 'files', 'assertions', 'schema', 'id', 'x')
  const { value } = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      fc.constantFrom<unknown>(null, true, 1, '', 'a', '../a', '('),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }))
  await fc.assert(
    fc.asyncProperty(value, async made => {
      const { cases, diagnostics } = await read(JSON.stringify(made))
      expect(cases === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'))
    }),
    { numRuns: 200 },
  )
})

it('lint checks the cases beside a skill', async () => {
  await read('{"skill_name": "release", "queries": [{"query": "x", "should_trigger": true}]}')
  const { files, counts } = await lintFiles([`${tree?.path}/deploy/SKILL.md`], { beside: checkEvalCases })
  expect(files[0]?.diagnostics.map(({ code, path }) => [code, path])).toEqual([
    ['other-skill-evals', `${tree?.path}/deploy/evals/evals.json`],
    ['one-sided-evals', `${tree?.path}/deploy/evals/evals.json`],
  ])
  expect(counts).toMatchObject({ errors: 0, warnings: 1, infos: 1 })
})
