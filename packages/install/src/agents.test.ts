import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { createSkills } from '@skills/core'
import { distributionNamed, distributionNames } from '@skills/distributions/distribution-named'
import { describe, expect, it } from 'vitest'
import { agreed, machine, skill, type Machine } from '../test/places.js'
import { agreementFor } from './agreement.js'
import { applyPlan, planAdd, removeSkills, sync } from './index.js'
import type { AddOptions } from './plan.js'
import { ci } from './ci.js'
import { readLock, readManifest } from './lock.js'
import { verify } from './verify.js'

const shared = { 'project/shared/deploy/SKILL.md': skill('deploy'), 'project/shared/review/SKILL.md': skill('review') }

async function add(options: AddOptions, at: Machine): Promise<void> {
  const plan = agreed(await planAdd('./shared', options, at))
  await applyPlan(plan, { agreed: plan.digest }, at)
}

/** Returns the skills that an agent really lists there. */
async function listed(agent: string, { host }: Machine): Promise<readonly string[]> {
  const make = await distributionNamed(agent)
  const skills = createSkills(make({ host, trust: { all: true }, bundled: false, onDiagnostic: () => undefined }))
  const { entries } = await skills.catalog()
  await skills.close()
  return entries.map(({ name }) => name)
}

describe('an agent', () => {
  it.each(distributionNames)('%s finds what was installed for it, by what its distribution follows', async agent => {
    for (const scope of ['project', 'user'] as const) {
      const at = machine(shared, { scope })
      await add({ skills: ['deploy'], agents: [agent] }, at)
      expect(await listed(agent, at)).toContain('deploy')
      expect(await verify(at)).toEqual([])
    }
  })

  it('whose folder a variable moves within the home folder gets the skill there', async () => {
    const at = machine(shared, { scope: 'user' })
    const { home } = at.host
    const moved = { ...at, host: { ...at.host, env: { ...at.host.env, CLAUDE_CONFIG_DIR: `${home}/own/claude` } } }
    await add({ skills: ['deploy'], agents: ['claude-code'] }, moved)
    expect(existsSync(`${home}/own/claude/skills/deploy/SKILL.md`)).toBe(true)
    expect(existsSync(`${home}/.claude`)).toBe(false)
    expect(await listed('claude-code', moved)).toContain('deploy')
    expect(await verify(moved)).toEqual([])
  })

  it('that does not look into the one folder gets a relative link, which ci makes anew', async () => {
    const at = machine(shared)
    await add({ skills: ['deploy'], agents: ['claude-code', 'codex'] }, at)
    expect(readLock(at.place.lock)['deploy']?.agents).toEqual({ 'claude-code': 'link .claude/skills', codex: 'same' })
    const link = `${at.project}/.claude/skills/deploy`
    expect(readlinkSync(link)).toBe('../../.agents/skills/deploy')
    at.tree.remove('project/.claude')
    expect(await verify(at)).toMatchObject([{ kind: 'missing', path: '.claude/skills/deploy' }])
    expect(await ci({}, at)).toEqual({ repaired: ['deploy'], differences: [] })
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    await removeSkills(['deploy'], {}, at)
    expect(existsSync(link)).toBe(false)
  })

  it('is asked once in a command how it gets and reads skills', async () => {
    const at = machine(shared)
    let models = 0
    // Each model has the search path of the machine.
    const env = {
      ...at.host.env,
      get PATH() {
        return void models++
      },
    }
    const counting = { ...at, host: { ...at.host, env } }
    const plan = agreed(await planAdd('./shared', { skills: ['deploy'], agents: ['claude-code'] }, counting))
    await applyPlan(plan, { agreed: plan.digest }, counting)
    expect(models).toBe(1)
  })

  it('is remembered, and sync gives it what was there, and takes it back', async () => {
    const at = machine(shared)
    await add({ all: true }, at)
    expect(await sync({ agents: ['claude-code'] }, at)).toEqual({ repaired: ['deploy', 'review'], differences: [] })
    expect(readManifest(at.place.manifest).agents).toEqual(['claude-code'])
    expect(readdirSync(`${at.project}/.claude/skills`).toSorted()).toEqual(['deploy', 'review'])
    at.tree.write({ 'project/skills.json': readFileSync(at.place.manifest, 'utf8').replace('"claude-code"', '') })
    await sync({}, at)
    expect(readdirSync(`${at.project}/.claude/skills`)).toEqual([])
    expect(await verify(at)).toEqual([])
    await expect(sync({ agents: ['claude-cod'] }, at)).rejects.toThrow(/Did you mean "claude-code/)
  })

  it('whose link a person replaced by a folder of their own has that kept, unless asked', async () => {
    const at = machine(shared)
    await add({ skills: ['deploy'], agents: ['claude-code'] }, at)
    at.tree.remove('project/.claude/skills/deploy')
    at.tree.write({ 'project/.claude/skills/deploy/SKILL.md': 'mine' })
    await expect(sync({}, at)).rejects.toMatchObject({ code: 'E_INSTALL_TAKEN' })
    expect(readFileSync(`${at.project}/.claude/skills/deploy/SKILL.md`, 'utf8')).toBe('mine')
    expect(await sync({ replace: true }, at)).toEqual({ repaired: ['deploy'], differences: [] })
  })

  it('has nothing of its own replaced', async () => {
    const at = machine({ ...shared, 'project/.claude/skills/deploy/SKILL.md': 'mine' })
    const plan = agreed(await planAdd('./shared', { skills: ['deploy'], agents: ['claude-code'] }, at))
    await expect(applyPlan(plan, { agreed: plan.digest }, at)).rejects.toMatchObject({ code: 'E_INSTALL_TAKEN' })
    await add({ skills: ['deploy'] }, at)
    await expect(sync({ agents: ['claude-code'] }, at)).rejects.toMatchObject({ code: 'E_INSTALL_TAKEN' })
    expect(readFileSync(`${at.project}/.claude/skills/deploy/SKILL.md`, 'utf8')).toBe('mine')
  })

  it('whose folder is a link to the one folder has it already', async () => {
    const at = machine({
      ...shared,
      'project/.agents/skills/.keep': '',
      'project/.claude/skills': { link: '../.agents/skills' },
    })
    await add({ skills: ['deploy'], agents: ['claude-code'] }, at)
    expect(lstatSync(`${at.project}/.agents/skills/deploy`).isDirectory()).toBe(true)
    expect(await verify(at)).toEqual([])
  })

  it('of a hostile lock is given nothing outside of the project', async () => {
    const at = machine(shared)
    await add({ skills: ['deploy'], agents: ['claude-code'] }, at)
    const text = readFileSync(at.place.lock, 'utf8')
    for (const folder of ['../../home', `${at.tree.path}/out`, '.claude/../../x', '.git', '.GIT', '']) {
      at.tree.write({ 'project/skills.lock.json': text.replace('link .claude/skills', `copy ${folder}`) })
      await expect(ci({}, at)).rejects.toThrow('"agents"')
    }
    for (const [folder, link] of [
      ['out', '../home'],
      ['vendor', '.git'],
      ['.claude', '.git'],
      ['.github/workflows', undefined],
      ['node_modules', undefined],
    ] as const) {
      at.tree.write({
        'project/skills.lock.json': text.replace('link .claude/skills', `copy ${folder}`),
        ...(link !== undefined && folder !== '.claude' && { [`project/${folder}`]: { link } }),
      })
      const { digest } = await agreementFor(at)
      for (const act of [() => ci({ agreed: digest }, at), () => removeSkills(['deploy'], { replace: true }, at)])
        await expect(act()).rejects.toMatchObject({ code: 'E_INSTALL_LOCK' })
    }
    expect(existsSync(`${at.tree.path}/home/deploy`)).toBe(false)
    expect(readdirSync(`${at.project}/.git`)).toEqual(['HEAD'])
    expect(await sync({}, at)).toMatchObject({ differences: [] })
    expect(readFileSync(at.place.lock, 'utf8')).toBe(text)
  })

  it('that needs a copy gets the same files, and each is checked', async () => {
    const at = machine(shared)
    await add({ skills: ['deploy'] }, at)
    const text = readFileSync(at.place.lock, 'utf8').replace(
      '"agents": {}',
      '"agents": { "claude-code": "copy .claude/skills" }',
    )
    at.tree.write({ 'project/skills.lock.json': text })
    const { digest } = await agreementFor(at)
    expect(await ci({ agreed: digest }, at)).toEqual({ repaired: ['deploy'], differences: [] })
    expect(readFileSync(`${at.project}/.claude/skills/deploy/SKILL.md`, 'utf8')).toBe(skill('deploy'))
    at.tree.write({ 'project/.claude/skills/deploy/SKILL.md': 'x' })
    expect(await verify(at)).toMatchObject([{ kind: 'changed', path: '.claude/skills/deploy/SKILL.md' }])
  })
})
