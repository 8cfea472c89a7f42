import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openState } from '@skills/state'
import { trustFolder } from '@skills/distributions/trust'
import { agreed, machine, onMachine, skill, type Machine } from '../test/places.js'
import { agreementFor } from './agreement.js'
import { applyPlan, planAdd, sync } from './index.js'
import { ci } from './ci.js'

const shared = {
  'project/shared/hooks/SKILL.md': skill('hooks'),
  'project/shared/hooks/pre-commit': { content: '#!/bin/sh\necho gone\n', mode: 0o755 },
  'project/shared/objects/SKILL.md': skill('objects'),
}

async function add(at: Machine, skills: readonly string[]): Promise<void> {
  const plan = agreed(await planAdd('./shared', { skills, agents: ['codex'] }, at))
  await applyPlan(plan, { agreed: plan.digest }, at)
}

/** Makes another machine with a clone: both files as one person committed them, and no skill. */
async function clone(skills = ['hooks', 'objects']): Promise<Machine> {
  const at = machine(shared)
  await add(at, skills)
  at.tree.remove('project/.agents')
  return { ...at, ...onMachine(at.tree, {}, 'other-home') }
}

const unagreed = { code: 'E_INSTALL_CONSENT' }

describe('in a clone that no one agreed to', () => {
  it('ci and sync change nothing, and say the digest of what they would write', async () => {
    const at = await clone()
    const found = await agreementFor(at)
    expect(found).toMatchObject({
      isAgreed: false,
      skills: [{ name: 'hooks', source: './shared' }, { name: 'objects' }],
      agents: ['codex'],
      folders: ['.agents/skills'],
    })
    await expect(ci({}, at)).rejects.toMatchObject({
      ...unagreed,
      message: expect.stringContaining(found.digest) as string,
    })
    await expect(sync({}, at)).rejects.toMatchObject(unagreed)
    await expect(ci({ agreed: `sha256:${'0'.repeat(64)}` }, at)).rejects.toMatchObject(unagreed)
    expect(existsSync(`${at.project}/.agents`)).toBe(false)
  })

  it('a yes counts for what it was said to, from then on, and for less than that', async () => {
    const at = await clone()
    const { digest } = await agreementFor(at)
    expect(await ci({ agreed: digest }, at)).toMatchObject({ repaired: ['hooks', 'objects'] })
    at.tree.remove('project/.agents')
    expect(await ci({}, at)).toMatchObject({ repaired: ['hooks', 'objects'] })
    expect(await agreementFor(at)).toMatchObject({ isAgreed: true, skills: [], agents: [] })
    const lock = readFileSync(at.place.lock, 'utf8')
    at.tree.write({ 'project/skills.lock.json': lock.replace('"path": "hooks"', '"path": "objects"') })
    at.tree.remove('project/.agents')
    expect(await agreementFor(at)).toMatchObject({ isAgreed: false, skills: [{ name: 'hooks' }] })
    await expect(ci({}, at)).rejects.toMatchObject(unagreed)
  })

  it('installing one skill is no yes to the others', async () => {
    const at = await clone(['hooks'])
    await add(at, ['objects'])
    expect(await agreementFor(at)).toMatchObject({ isAgreed: false, skills: [{ name: 'hooks' }] })
    await expect(ci({}, at)).rejects.toMatchObject(unagreed)
    expect(readdirSync(at.place.folder)).toEqual(['objects'])
  })

  it('nothing is asked where its folder is trusted, or nothing is written', async () => {
    const at = await clone()
    await trustFolder(openState(at.host, { report: () => undefined }), at.project, at.host)
    expect(await ci({}, at)).toMatchObject({ repaired: ['hooks', 'objects'] })
    const third = { ...at, ...onMachine(at.tree, {}, 'third-home') }
    expect(await ci({}, third)).toEqual({ repaired: [], differences: [] })
  })
})

describe('a repository that has skills put elsewhere', () => {
  it.each([
    ['.agents/skills', '../.git'],
    ['.agents', '.git'],
    ['.agents/skills', '../../home'],
    ['.agents/skills', '../store'],
  ])('by %s -> %s is refused, also by a person who says yes', async (link, target) => {
    const at = await clone()
    at.tree.write({
      'project/.git/hooks/pre-commit.sample': 'x',
      'project/.git/objects/kept': 'unpushed',
      'project/store/HEAD': 'x',
      'project/store/objects/kept': 'x',
      [`project/${link}`]: { link: target },
    })
    const { digest } = await agreementFor(at)
    for (const act of [
      () => ci({ agreed: digest, replace: true }, at),
      () => sync({ agreed: digest, replace: true, agents: ['claude-code'] }, at),
      () => planAdd('./shared', { all: true }, at),
    ])
      await expect(act()).rejects.toMatchObject({
        code: 'E_WRITE',
        message: expect.stringContaining('is a link to') as string,
      })
    expect(readFileSync(`${at.project}/.git/objects/kept`, 'utf8')).toBe('unpushed')
    expect(readdirSync(`${at.project}/.git`)).toEqual(['HEAD', 'hooks', 'objects'])
    expect(readdirSync(`${at.project}/.git/hooks`)).toEqual(['pre-commit.sample'])
    expect(readdirSync(`${at.project}/store`)).toEqual(['HEAD', 'objects'])
  })

  it('over what a person has there is refused, and what was put there by us is put in order', async () => {
    const at = await clone()
    at.tree.write({ 'project/.agents/skills/objects/SKILL.md': 'mine' })
    const { digest } = await agreementFor(at)
    await expect(ci({ agreed: digest }, at)).rejects.toMatchObject({ code: 'E_INSTALL_TAKEN' })
    expect(readdirSync(at.place.folder)).toEqual(['objects'])
    expect(readFileSync(`${at.place.folder}/objects/SKILL.md`, 'utf8')).toBe('mine')
    expect(await ci({ agreed: digest, replace: true }, at)).toMatchObject({ repaired: ['hooks', 'objects'] })
    at.tree.write({ 'project/.agents/skills/objects/SKILL.md': 'changed' })
    await expect(ci({}, at)).rejects.toMatchObject({ code: 'E_INSTALL_TAKEN' })
    expect(await ci({ discards: async () => true }, at)).toMatchObject({ repaired: ['objects'] })
  })
})
