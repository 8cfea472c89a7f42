import { readFileSync } from 'node:fs'
import { createSkills, type Diagnostic } from '@skills/core'
import { decide, endSession, Invoker, startSession } from '@skills/invocation'
import { tempTree } from '@skills/testing'
import { trustFolder } from '@skills/trust'
import { expect, onTestFinished, test } from 'vitest'
import { standard } from './agents/standard/index.js'

const pluginHooks = (name: string): string =>
  JSON.stringify({
    hooks: {
      SessionStart: [
        { hooks: [{ type: 'command', command: `echo ${name} "$CLAUDE_PLUGIN_ROOT" >> "$CLAUDE_PROJECT_DIR/log"` }] },
      ],
    },
  })

test('hooks of a skill, of a project once it is trusted, and of plugins that the user named take effect', async () => {
  const tree = tempTree({
    'home/.claude/skills/guard/SKILL.md': [
      '---',
      'description: Guards.',
      'hooks:',
      '  PreToolUse:',
      '    - matcher: Bash',
      '      hooks:',
      '        - type: command',
      `          command: 'if grep -q "rm -rf"; then echo "Nothing is removed." >&2; exit 2; fi'`,
      '---',
      'Guard.',
    ].join('\n'),
    'repo/.git/HEAD': '',
    'repo/.claude/skills/own/SKILL.md':
      '---\ndescription: Own.\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: echo own >> log\n---\nOwn.',
    'named/.claude-plugin/plugin.json': '{ "name": "named" }',
    'named/hooks/hooks.json': pluginHooks('named'),
    'other/.claude-plugin/plugin.json': '{ "name": "other" }',
    'other/hooks/hooks.json': pluginHooks('other'),
  })
  const told: Diagnostic[] = []
  const repo = `${tree.path}/repo`
  const skills = createSkills(
    standard({
      host: { cwd: repo, home: `${tree.path}/home` },
      onDiagnostic: diagnostic => told.push(diagnostic),
      published: {
        plugins: [
          { path: `${tree.path}/named`, from: 'user' },
          { path: `${tree.path}/other`, from: 'project' },
        ],
      },
    }),
  )
  onTestFinished(async () => {
    await skills.close()
    tree.dispose()
  })
  await startSession(skills)
  const invoker = new Invoker(skills, { onAsk: () => 'allow' })
  await invoker.invoke({ name: 'guard', caller: 'user' })
  expect(await decide(skills, 'PreToolUse', { toolName: 'Bash', toolInput: { command: 'rm -rf x' } })).toEqual({
    block: true,
    reason: 'Nothing is removed.',
  })
  expect(await decide(skills, 'PreToolUse', { toolName: 'Bash', toolInput: { command: 'ls' } })).toEqual({})

  await expect(invoker.invoke({ name: 'own', caller: 'user' })).rejects.toMatchObject({ code: 'E_DENIED' })
  await skills.use('state').first((state, call) => trustFolder(state, repo, skills.host, call))
  await invoker.invoke({ name: 'own', caller: 'user' })
  await decide(skills, 'Stop', {})
  // A changed text needs a new decision.
  tree.write({ 'repo/.claude/skills/own/more.md': 'x' })
  await decide(skills, 'Stop', {})
  await endSession(skills)
  expect(readFileSync(`${repo}/log`, 'utf8')).toBe(`named ${tree.path}/named\nown\n`)
  expect(told.filter(({ provider }) => provider === 'command').map(({ code, name }) => `${code} ${name}`)).toEqual([
    'hooks-not-registered other',
    'hook-failed own',
  ])
})

test('hooks that were registered before count again once a changed text was approved', async () => {
  const path = 'repo/.claude/skills/own/SKILL.md'
  const text = (body: string): string =>
    `---\ndescription: Own.\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: echo own >> log\n---\n${body}`
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', [path]: text('Own.') })
  const repo = `${tree.path}/repo`
  const skills = createSkills(standard({ host: { cwd: repo, home: `${tree.path}/home` }, onDiagnostic: () => {} }))
  onTestFinished(async () => {
    await skills.close()
    tree.dispose()
  })
  await skills.use('state').first((state, call) => trustFolder(state, repo, skills.host, call))
  const invoker = new Invoker(skills, { onAsk: () => 'allow' })
  await invoker.invoke({ name: 'own', caller: 'user' })
  tree.write({ [path]: text('Another text.') })
  await decide(skills, 'Stop', {})
  await invoker.invoke({ name: 'own', caller: 'user' })
  await decide(skills, 'Stop', {})
  expect(readFileSync(`${repo}/log`, 'utf8')).toBe('own\n')
})
