import { createSkills, defineProvider } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { enginePort } from '@skills/invocation/skill-tool'
import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { standard, type StandardOptions } from './agents/standard/index.js'

const skill = (name: string): string => `---\nname: ${name}\ndescription: About ${name}.\n---\nB`

function opened(options: Partial<StandardOptions>) {
  const tree = tempTree({
    'home/.acme/skills/mine/SKILL.md': skill('mine'),
    'home/.claude/skills/claude/SKILL.md': skill('claude'),
    'repo/.git/HEAD': '',
    'repo/.acme/skills/ours/SKILL.md': skill('ours'),
    'repo/.acme/commands/ship.md': 'Ship.',
    'repo/.claude/skills/theirs/SKILL.md': skill('theirs'),
    'repo/app/.acme/skills/deep/SKILL.md': skill('deep'),
    'repo/app/page.ts': '',
  })
  onTestFinished(() => tree.dispose())
  const skills = createSkills(
    standard({
      host: { cwd: `${tree.path}/repo`, home: `${tree.path}/home`, env: {} },
      bundled: false,
      builtin: false,
      onDiagnostic: () => {},
      ...options,
    }),
  )
  onTestFinished(() => skills.close())
  return {
    skills,
    path: tree.path,
    names: async () => (await skills.catalog()).entries.map(({ name }) => name).toSorted(),
  }
}

it('looks into the folders of the host, nested ones as well, and into no others', async () => {
  const { skills, names, path } = opened({
    project: { folders: [{ name: '.acme', commands: ['commands'] }] },
    user: { folders: ['.acme'] },
  })
  expect(await names()).toEqual(['mine', 'ours', 'ship'])
  skills.emit('file:touched', { paths: [`${path}/repo/app/page.ts`] })
  await skills.catalog()
  expect(await names()).toEqual(['deep', 'mine', 'ours', 'ship'])
})

it('has the formatter and the executors of the host in the place of its own', async () => {
  const formatter = defineProvider({
    kind: 'formatter',
    id: 'mine',
    setup: () => ({
      format: entries => ({
        text: `${entries.length} skills`,
        entries: [],
        omitted: [],
        truncated: [],
        budgetChars: 100,
        usedChars: 8,
      }),
    }),
  })
  const executor = defineProvider({
    kind: 'executor',
    id: 'inline',
    setup: () => ({
      execute: ({ command }) => ({
        data: { success: true, commandName: command.name, status: 'inline' },
        newMessages: [{ type: 'user', content: 'By the host.' }],
      }),
    }),
  })
  const { skills } = opened({ formatter, executors: [executor] })
  expect((await enginePort(skills).listing({})).text).toBe('2 skills')
  expect(JSON.stringify(await new Invoker(skills, { onAsk: () => 'allow' }).run('/claude'))).toContain('By the host.')
})

it('refuses what has no effect', () => {
  const given = (options: object) => () => standard({ onDiagnostic: () => {}, ...options })
  expect(given({ project: { folder: ['.acme'] } })).toThrow(
    expect.objectContaining({
      code: 'E_INVALID_OPTION',
      message: expect.stringContaining('"folder". Did you mean "folders"?'),
    }),
  )
  expect(given({ user: ['.acme'] })).toThrow(
    expect.objectContaining({ code: 'E_INVALID_OPTION', message: expect.stringContaining(' user are [".acme"]') }),
  )
})
