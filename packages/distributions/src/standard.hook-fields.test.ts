import { existsSync, readFileSync } from 'node:fs'
import { createSkills, type Diagnostic, type Skills } from '@skills/core'
import { Invoker } from '@skills/invocation'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { standard } from './agents/standard/index.js'

interface Guarded {
  readonly skills: Skills
  readonly told: readonly Diagnostic[]
  /** Returns the output of the hooks. */
  log(): string
}

/** Opens a session in which a user skill with this hook was invoked. */
async function guarded(hook: string): Promise<Guarded> {
  const tree = tempTree({
    'home/.claude/skills/guard/SKILL.md': `---\ndescription: Guards.\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks: [{ type: command, ${hook} }]\n---\nGuard.\n`,
    'repo/.git/HEAD': '',
  })
  const told: Diagnostic[] = []
  const skills = createSkills(
    standard({ host: { cwd: `${tree.path}/repo`, home: `${tree.path}/home` }, onDiagnostic: one => told.push(one) }),
  )
  onTestFinished(async () => {
    await skills.close()
    tree.dispose()
  })
  await new Invoker(skills, { onAsk: () => 'allow' }).invoke({ name: 'guard', caller: 'user' })
  const file = `${tree.path}/repo/log`
  return { skills, told, log: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') }
}

test.each([
  ['once: true', 1],
  ['once: yes', 1],
  ['once: false', 3],
  ['timeout: 10, once: "on"', 1],
])('a hook with `%s` in a SKILL.md runs %i times of three', async (fields, times) => {
  const { skills, told, log } = await guarded(`command: 'echo run >> log', ${fields}`)
  for (let turn = 0; turn < 3; turn++) await skills.decide('PreToolUse', { toolName: 'Bash' })
  expect(log()).toBe('run\n'.repeat(times))
  expect(told).toEqual([])
})

test('a hook has the time that a SKILL.md gives it', async () => {
  const { skills, told, log } = await guarded(`command: 'echo begun >> log; sleep 20; echo ended >> log', timeout: 0.5`)
  expect(await skills.decide('PreToolUse', { toolName: 'Bash' })).toEqual({})
  expect(log()).toBe('begun\n')
  expect(told).toMatchObject([{ code: 'hook-failed', message: expect.stringContaining('took longer than 500 ms') }])
})
