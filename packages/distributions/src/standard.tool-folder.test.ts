import { chmodSync } from 'node:fs'
import { createSkills, defineProvider, type Plugin } from '@skills/core'
import { askPermission, Invoker, type AgentContext, type Runner } from '@skills/invocation'
import { fakeHost, tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { standard } from './agents/standard/index.js'
import { openState, trustFolder } from './trust.js'

const skill = (...lines: readonly string[]): string =>
  ['---', 'description: Runs it.', 'allowed-tools: Bash(${CLAUDE_SKILL_DIR}/x.sh:*)', ...lines, '---', 'Run it.'].join(
    '\n',
  )

async function opened(plugins: readonly Plugin[] = [], ...lines: readonly string[]) {
  const tree = tempTree({
    'repo/.git/HEAD': '',
    'home/.claude/skills/mine/SKILL.md': skill(...lines),
    'repo/.claude/skills/ours/SKILL.md': skill(...lines),
  })
  const host = fakeHost({ cwd: `${tree.path}/repo`, home: `${tree.path}/home`, uid: process.getuid?.(), env: {} })
  await trustFolder(openState(host, { report: () => {} }), '.', host)
  const skills = createSkills(
    standard({ host, managed: { dirs: [] }, bundled: false, plugins, onDiagnostic: () => {} }),
  )
  onTestFinished(async () => {
    await skills.close()
    tree.dispose()
  })
  const folders = { mine: `${tree.path}/home/.claude/skills/mine`, ours: `${tree.path}/repo/.claude/skills/ours` }
  return {
    skills,
    folders,
    invoker: new Invoker(skills, { onAsk: ({ request }) => (request.tool === 'Skill' ? 'allow' : 'deny') }),
  }
}

test.each(['mine', 'ours'] as const)(
  'what the skill "%s" allows itself of its own folder is allowed while it is at work, and nothing beside it',
  async name => {
    const { skills, invoker, folders } = await opened()
    const { data, contextModifier } = await invoker.invoke({ name, caller: 'user' })
    expect(data['allowedTools']).toEqual([`Bash(${folders[name]}/x.sh:*)`])
    const none: AgentContext = {}
    const context = contextModifier?.(none) ?? none
    const behavior = async (command: string, at = context) =>
      (await askPermission(skills, { tool: 'Bash', input: { command } }, { context: at })).behavior
    expect(await behavior(`${folders[name]}/x.sh now`)).toBe('allow')
    expect(await behavior(`${folders[name]}/x.sh now`, none)).toBe('deny')
    for (const other of [
      `${folders[name]}/y.sh`,
      '/x.sh',
      `${folders[name === 'mine' ? 'ours' : 'mine']}/x.sh`,
      `${folders[name]}/x.sh; id`,
    ])
      expect(await behavior(other), other).toBe('deny')
  },
)

test('an embedded command of its folder runs without a question where its own rule covers it, and no other does', async () => {
  const tree = tempTree({
    'repo/.git/HEAD': '',
    'home/.claude/skills/mine': { dir: true },
    'home/.claude/skills/mine/y.sh': '#!/bin/sh\necho no',
  })
  const { path } = tree
  tree.write({
    'home/.claude/skills/mine/SKILL.md': skill().replace(
      'Run it.',
      'First: !`${CLAUDE_SKILL_DIR}/x.sh "$0"` then: !`"${CLAUDE_SKILL_DIR}"/y.sh` and: !`$1/x.sh`',
    ),
    'home/.claude/skills/mine/x.sh': '#!/bin/sh\necho "ran with $1"',
  })
  for (const name of ['x.sh', 'y.sh']) chmodSync(`${path}/home/.claude/skills/mine/${name}`, 0o755)
  const host = fakeHost({
    cwd: `${path}/repo`,
    home: `${path}/home`,
    uid: process.getuid?.(),
    env: { PATH: process.env['PATH'] },
  })
  const skills = createSkills(standard({ host, managed: { dirs: [] }, bundled: false, onDiagnostic: () => {} }))
  onTestFinished(async () => {
    await skills.close()
    tree.dispose()
  })
  const asked: string[] = []
  const onAsk = ({ request }: { readonly request: { readonly tool: string; readonly content: string } }) => {
    if (request.tool !== 'Skill') asked.push(request.content)
    return request.tool === 'Skill' ? ('allow' as const) : ('deny' as const)
  }
  const { newMessages } = await new Invoker(skills, { onAsk }).invoke({
    name: 'mine',
    args: "'a; id' /elsewhere",
    caller: 'model',
  })
  expect(JSON.stringify(newMessages)).toMatch(/First: ran with a; id then: \[shell/)
  expect(JSON.stringify(newMessages)).toMatch(/and: \[shell command not run: .* \$1 /)
  expect(asked).toEqual(['"${SKILL_ARG_0}"/y.sh'])
})

test('a fork is restricted to it', async () => {
  const answers: string[] = []
  let folder = ''
  const run: Runner['run'] = async ({ authorize }) => {
    for (const content of [`${folder}/x.sh now`, `${folder}/y.sh`])
      answers.push((await authorize({ tool: 'Bash', content, input: { command: content } })).message)
    return { text: '' }
  }
  const { invoker, folders } = await opened(
    [defineProvider({ kind: 'runner', id: 'scripted', setup: () => ({ run }) })],
    'context: fork',
  )
  folder = folders.mine
  await invoker.invoke({ name: 'mine', caller: 'user' })
  // The first one is asked about, the second one is denied without a question.
  expect(answers).toEqual([expect.stringContaining(' no.'), expect.not.stringContaining(' no.')])
})
