import { processHost } from '@skills/core'
import { comparedAgents, knownAgents, referenceAgent } from '@skills/distributions/internal'
import { compat } from '@skills/inspect/compat'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { fieldFindings } from './field-findings.js'

const { signal } = new AbortController()
/** Agents that tell their models descriptions; Cline tells names alone. */
const telling = knownAgents.filter(name => name !== 'cline')

test('a skill of name and description alone gets no line, as a comparison that tries both fields says', async () => {
  const tree = tempTree({
    'plain/SKILL.md': '---\nname: plain\ndescription: Is plain.\n---\nDo it.\n',
    'far/.git/HEAD': '',
  })
  onTestFinished(() => tree.dispose())
  const folder = `${tree.path}/plain`
  const [reference, agents] = [await referenceAgent('standard'), await comparedAgents(telling)]
  const host = processHost({ cwd: `${tree.path}/far`, home: `${tree.path}/far`, env: {} })
  const tried = await compat({ reference, agents, host, files: [`${folder}/SKILL.md`], signal })
  expect(tried.skills.flatMap(one => one.agents.flatMap(({ fields }) => fields.map(({ use }) => use)))).toEqual(
    telling.flatMap(() => ['used', 'used']),
  )
  expect([...(await fieldFindings([folder], telling, signal))]).toEqual([[folder, []]])
})

test('skills compared together get the lines that each gets alone, also if their names are the same', async () => {
  const text = (field: string) => `---\nname: deploy\ndescription: Deploys it.\n${field}\n---\nDo it.\n`
  const tree = tempTree({
    'one/deploy/SKILL.md': text('disable-model-invocation: true'),
    'two/deploy/SKILL.md': text('context: fork'),
    'three/other/SKILL.md': text('user-invocable: false'),
    'four/plain/SKILL.md': '---\nname: plain\ndescription: Is plain.\n---\nDo it.\n',
  })
  onTestFinished(() => tree.dispose())
  const folders = ['one/deploy', 'two/deploy', 'three/other', 'four/plain'].map(path => `${tree.path}/${path}`)
  const together = await fieldFindings(folders, telling, signal)
  const alone = new Map<string, readonly string[]>()
  for (const folder of folders) alone.set(folder, (await fieldFindings([folder], telling, signal)).get(folder) ?? [])
  expect([...together].toSorted()).toEqual([...alone].toSorted())
  const [one, two, three, plain] = folders.map(folder => together.get(folder)?.join('\n') ?? '')
  expect([one, two, three, plain]).toEqual([
    expect.stringContaining('`disable-model-invocation`'),
    expect.stringContaining('`context`'),
    expect.stringContaining('`user-invocable`'),
    '',
  ])
})

test('an agent that tells its model names alone reads a description for another purpose', async () => {
  const tree = tempTree({ 'plain/SKILL.md': '---\nname: plain\ndescription: Is plain.\n---\nDo it.\n' })
  onTestFinished(() => tree.dispose())
  const [[, lines] = []] = await fieldFindings([`${tree.path}/plain`], ['cline'], signal)
  expect(lines).toEqual([expect.stringMatching(/^cline .*`description`/)])
})
