import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { machine, skill } from '../test/places.js'
import { applyPlan, planUpdate } from './index.js'
import { ci } from './ci.js'
import { readManifest } from './lock.js'
import { verify } from './verify.js'

const common = (skills: object, version = 1): string => JSON.stringify({ version, skills })

describe('the skills-lock.json of other installers', () => {
  it('is taken over once, with the folders as they are there', async () => {
    const lock = common({ deploy: { source: './shared', sourceType: 'local', computedHash: '0' } })
    const at = machine({
      'project/shared/deploy/SKILL.md': skill('deploy'),
      'project/.agents/skills/deploy/SKILL.md': skill('deploy'),
      'project/skills-lock.json': lock,
    })
    expect(await verify(at)).toMatchObject([{ kind: 'not-locked', skill: 'deploy' }])
    expect((await ci({}, at)).differences).toHaveLength(1)
    const plan = await planUpdate(undefined, at)
    await applyPlan(plan, { agreed: plan.digest }, at)
    expect(readManifest(at.place.manifest).skills).toEqual({ deploy: { source: './shared' } })
    expect(await verify(at)).toEqual([])
    at.tree.write({ 'project/skills-lock.json': '{' })
    expect(await verify(at)).toEqual([])
  })

  it('does not replace a folder that is another one by now', async () => {
    const at = machine({
      'project/shared/deploy/SKILL.md': skill('deploy'),
      'project/.agents/skills/deploy/SKILL.md': 'mine',
      'project/skills-lock.json': common({ deploy: { source: './shared', sourceType: 'local' } }),
    })
    const plan = await planUpdate(undefined, at)
    await expect(applyPlan(plan, { agreed: plan.digest }, at)).rejects.toMatchObject({ code: 'E_INSTALL_TAKEN' })
    expect(readFileSync(`${at.place.folder}/deploy/SKILL.md`, 'utf8')).toBe('mine')
    expect(existsSync(at.place.manifest)).toBe(false)
  })

  it('names sources of each kind in our words', () => {
    const at = machine({
      'project/skills-lock.json': common({
        a: { source: 'acme/tools', sourceType: 'github', ref: 'v1', skillPath: 'skills/a/SKILL.md' },
        b: { source: 'x/y', sourceUrl: 'https://git.example/x/y.git', sourceType: 'git' },
        c: { source: '../c', sourceType: 'local' },
        d: { source: 'acme.example', sourceUrl: 'https://acme.example', sourceType: 'well-known' },
        e: { source: '@acme/tools', sourceType: 'node_modules' },
      }),
    })
    const { skills } = readManifest(at.place.manifest)
    expect(Object.values(skills).map(({ source }) => source)).toEqual([
      'acme/tools#v1',
      'git+https://git.example/x/y.git',
      '../c',
      'https://acme.example',
      'npm:@acme/tools',
    ])
  })

  it.each([
    [common({}, 2), 'its version is not supported'],
    [common({ a: { source: 'x', sourceType: 'other' } }), 'the source of "a"'],
    [common({ '../a': { source: 'x', sourceType: 'local' } }), 'is not a valid name of a skill'],
  ])('%s is refused', (text, why) => {
    const at = machine({ 'project/skills-lock.json': text })
    expect(() => readManifest(at.place.manifest)).toThrow(why)
  })
})
