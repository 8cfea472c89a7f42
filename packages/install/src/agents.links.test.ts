import { lstatSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { agreed, machine, skill } from '../test/places.js'
import { applyPlan, planAdd } from './index.js'
import { readLock } from './lock.js'
import { verify } from './verify.js'

// A disk without links, such as FAT, or Windows for a person without the right to make them.
vi.mock('node:fs', async original => ({
  ...(await original<typeof import('node:fs')>()),
  symlinkSync: () => {
    throw Object.assign(new Error('EPERM: operation not permitted, symlink'), { code: 'EPERM', syscall: 'symlink' })
  },
}))

test('an agent that would get a link gets a copy on a disk that has no links', async () => {
  const at = machine({ 'project/shared/deploy/SKILL.md': skill('deploy') })
  const plan = agreed(await planAdd('./shared', { agents: ['claude-code'] }, at))
  await applyPlan(plan, { agreed: plan.digest }, at)
  expect(readLock(at.place.lock)['deploy']?.agents).toEqual({ 'claude-code': 'copy .claude/skills' })
  expect(lstatSync(`${at.project}/.claude/skills/deploy`).isDirectory()).toBe(true)
  expect(await verify(at)).toEqual([])
})

test('a link to a source that a person asks for is refused there, with the reason', async () => {
  const at = machine({ 'project/shared/deploy/SKILL.md': skill('deploy') })
  const plan = agreed(await planAdd('./shared', { link: true }, at))
  await expect(applyPlan(plan, { agreed: plan.digest }, at)).rejects.toMatchObject({ code: 'E_WRITE' })
})
