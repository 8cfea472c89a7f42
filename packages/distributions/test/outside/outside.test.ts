import { createSkills, SkillsError, type Diagnostic } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { enginePort } from '@skills/invocation/skill-tool'
import { memoryState } from '@skills/state'
import { fakeHost, tempTree } from '@skills/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { standard, type StandardOptions } from '@skills/distributions/standard'
import { alphabetical } from './alphabetical.js'
import { batchExecutor } from './batch-executor.js'
import { nodeShell } from './node-shell.js'

const skill = (name: string, fields: string, body: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${fields}---\n${body}\n`

/** Makes an agent over the skills of a user, composed by a host with plugins of its own. */
function agent(files: Readonly<Record<string, string>>, options: Partial<StandardOptions>) {
  const tree = tempTree(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`home/.claude/skills/${name}/SKILL.md`, text])),
  )
  onTestFinished(() => tree.dispose())
  const diagnostics: Diagnostic[] = []
  const host = fakeHost({ cwd: tree.path, home: `${tree.path}/home`, env: { PATH: process.env['PATH'] } })
  const skills = createSkills(
    standard({
      host,
      onDiagnostic: diagnostic => diagnostics.push(diagnostic),
      state: memoryState(),
      builtin: false,
      ...options,
    }),
  )
  onTestFinished(() => skills.close())
  return { skills, invoker: new Invoker(skills), diagnostics, codes: () => diagnostics.map(({ code }) => code) }
}

describe('an executor from outside', () => {
  const sum = skill('sum', 'context: Batch\n', 'Add up $ARGUMENTS.')

  test('runs what names it as its context, and throws its own code', async () => {
    const queue: string[] = []
    const { skills, invoker, diagnostics } = agent(
      { sum },
      { executors: [batchExecutor(queue)], rules: { allow: ['Skill'] } },
    )
    const started: unknown[] = []
    skills.hook('invocation:start', ({ executionContext }) => started.push(executionContext))
    expect((await skills.catalog()).require('sum').command).toMatchObject({ context: 'batch' })
    expect(diagnostics).toEqual([])
    expect(await invoker.run('/sum 1 2')).toMatchObject([{ data: { status: 'forked', agentId: 'job-1' } }])
    await invoker.run('/sum 3 4')
    expect(queue.map(text => text.split('\n').at(-2))).toEqual(['Add up 1 2.', 'Add up 3 4.'])
    expect(started).toEqual(['batch', 'batch'])
    expect(diagnostics).toMatchObject([{ code: 'queue-nearly-full', provider: 'batch', name: 'sum' }])
    const refused: unknown = await invoker.run('/sum 5').catch((error: unknown) => error)
    expect(SkillsError.is(refused) && refused.code).toBe('E_QUEUE_FULL')
  })

  test('is a word that no one knows where it is not registered', async () => {
    const { skills, codes, diagnostics } = agent({ sum }, {})
    expect((await skills.catalog()).require('sum').command).toMatchObject({ context: 'inline' })
    expect(codes()).toEqual(['unknown-choice'])
    expect(diagnostics[0]?.message).toMatch(/^`context` .* fork, .*"Batch"/)
  })

  test('is named among the words for one that is misspelt', async () => {
    const { skills, diagnostics } = agent({ sum: sum.replace('Batch', 'bach') }, { executors: [batchExecutor([])] })
    await skills.catalog()
    expect(diagnostics).toMatchObject([{ message: expect.stringMatching(/^`context` .* batch, .*"bach"/) }])
  })

  test('runs skills that a program brings along, too', async () => {
    const queue: string[] = []
    const bundled = { skills: [{ name: 'own', description: 'Own.', context: 'batch', body: 'Own text.' } as const] }
    const known = agent({}, { executors: [batchExecutor(queue)], bundled, rules: { allow: ['Skill'] } })
    await known.invoker.run('/own')
    expect(queue).toEqual(['Own text.'])
    const unknown = agent({}, { bundled })
    await unknown.skills.catalog()
    expect(unknown.diagnostics).toMatchObject([
      { code: 'malformed-command', message: expect.stringMatching(/^.*context .*"batch" /) },
    ])
  })
})

describe('a shell from outside', () => {
  const body = 'Sum: !`console.log(Number($0) + Number($1), "$0")`'
  const add = skill('add', 'shell: node\n', body)
  const textOf = (messages: readonly { readonly content: unknown }[] = []): string => JSON.stringify(messages)

  test('runs the commands of skills that name it, with values in the environment, under rules for its tool', async () => {
    const { skills, invoker, codes } = agent({ add }, { plugins: [nodeShell], rules: { allow: ['Skill', 'Node'] } })
    const asked: unknown[] = []
    skills.hook('permission:decided', ({ request: { tool, content, values } }) => asked.push({ tool, content, values }))
    const [outcome] = (await invoker.run('/add 40 2')) ?? []
    expect(textOf(outcome?.newMessages)).toContain('Sum: 42 $0')
    expect(asked.at(-1)).toEqual({
      tool: 'Node',
      content: 'console.log(Number(process.env.SKILL_ARG_0) + Number(process.env.SKILL_ARG_1), "$0")',
      values: { SKILL_ARG_0: '40', SKILL_ARG_1: '2' },
    })
    expect(codes()).toEqual([])
  })

  test('runs nothing that a rule denies, and no argument becomes a part of the script', async () => {
    const denied = agent({ add }, { plugins: [nodeShell], rules: { allow: ['Skill'], deny: ['Node'] } })
    expect(textOf((await denied.invoker.run('/add 40 2'))?.[0]?.newMessages)).toContain('[shell command not run')
    const allowed = agent({ add }, { plugins: [nodeShell], rules: { allow: ['Skill', 'Node'] } })
    expect(textOf((await allowed.invoker.run('/add 1 "2);process.exit(3);("'))?.[0]?.newMessages)).toContain('Sum: NaN')
  })

  test('is a word that no one knows where it is not registered', async () => {
    const { skills, diagnostics } = agent({ add }, {})
    expect((await skills.catalog()).get('add')).toBeUndefined()
    expect(diagnostics).toMatchObject([
      { code: 'invalid-choice', message: expect.stringMatching(/^`shell` .*powershell, .*"node"/) },
    ])
  })
})

describe('a strategy of the listing from outside', () => {
  const files = { b: skill('b', '', 'B.'), a: skill('a', '', 'A.') }
  const off = { bundled: false } as const

  test('lays the listing out that names it', async () => {
    const { skills } = agent(files, {
      ...off,
      plugins: [alphabetical],
      listing: { strategy: 'alphabetical', budget: 5 },
    })
    const listing = await enginePort(skills).listing({})
    expect([listing.text, listing.omitted, listing.budgetChars]).toEqual(['* a', ['b'], 5])
  })

  test('is refused with the names there are where it is not registered', async () => {
    const { skills } = agent(files, { ...off, listing: { strategy: 'alphabetical' } })
    await expect(enginePort(skills).listing({})).rejects.toMatchObject({
      code: 'E_INVALID_OPTION',
      message: expect.stringMatching(
        /"alphabetical"\. .*fair, filling, shortlist, proportional, cutoff, fixed, xml, grouped, dealt\.$/,
      ),
    })
  })
})
