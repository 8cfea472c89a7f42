/* oxlint-disable no-restricted-imports -- the README imports the package by its name, as its readers do */
// #region usage
import { createSkills, type Plugin } from '@skills/core'
import { invocationKinds, Invoker } from '@skills/invocation'
import { permissionRules } from '@skills/permission-rules'

function agentSkills(plugins: readonly Plugin[], home: string, mayRun: (question: string) => Promise<boolean>) {
  const permission = permissionRules({
    allow: ['Skill(notes)', 'Bash(git log *)'],
    deny: ['Skill(release:*)', 'Bash(rm:*)'],
    files: [{ path: `${home}/.claude/settings.json`, source: 'localSettings' }],
  })
  const skills = createSkills({
    kinds: invocationKinds,
    plugins: [permission, ...plugins],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  return new Invoker(skills, {
    async onAsk({ request, decision }) {
      if (!(await mayRun(decision.message))) return 'deny'
      const [exactlyThis] = decision.suggestions ?? []
      if (exactlyThis !== undefined) {
        permission.addRules(exactlyThis, request.entry)
        await permission.save('localSettings')
      }
      return 'allow'
    },
  })
}
// #endregion usage

import { readFileSync } from 'node:fs'
import { defineProvider, loadResult } from '@skills/core'
import { expect, it } from 'vitest'
import { skill, temporary, trustProvider } from '../test/asking.js'

it('asks once, and keeps the answer, as the README shows', async () => {
  const { path } = temporary()
  const commands = [skill('deploy'), skill('release')]
  const plugins: readonly Plugin[] = [
    trustProvider(),
    defineProvider({
      kind: 'source',
      id: 'test',
      setup: () => ({ source: 'user', list: () => loadResult({ commands }) }),
    }),
    defineProvider({
      kind: 'executor',
      id: 'inline',
      setup: () => ({
        execute: ({ entry }) => ({
          data: { success: true, commandName: entry.name, status: 'inline' },
          newMessages: [],
        }),
      }),
    }),
  ]
  const questions: string[] = []
  const invoker = agentSkills(plugins, path, async question => questions.push(question) > 0)
  for (let times = 0; times < 2; times++)
    expect((await invoker.invoke({ name: 'deploy', caller: 'model' })).data.success).toBe(true)
  expect(questions).toEqual(['Execute skill: deploy'])
  expect(JSON.parse(readFileSync(`${path}/.claude/settings.json`, 'utf8'))).toEqual({
    permissions: { allow: ['Skill(user:deploy)'] },
  })
  await expect(invoker.invoke({ name: 'release', caller: 'model' })).rejects.toHaveProperty('code', 'E_DENIED')
})
