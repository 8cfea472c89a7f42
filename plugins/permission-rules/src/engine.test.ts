import { defineProvider, type Plugin } from '@skills/core'
import { fakeClock, fakeHost } from '@skills/testing'
import { describe, expect, it } from 'vitest'
import { engine, skill, temporary, trustProvider, type Engine } from '../test/asking.js'
import { allowAll, permissionRules } from './index.js'

const deploy = skill('deploy', { displayName: 'Ship it', aliases: ['release'] })

/** Invokes a skill. Returns `done`, or the code and message of the error. */
async function outcome({ invoker }: Engine, name: string): Promise<string> {
  return invoker.invoke({ name, caller: 'model' }).then(
    ({ data }) => `done ${data.commandName}`,
    (error: { code: string; message: string }) => `${error.code} ${error.message}`,
  )
}

describe('in an engine', () => {
  it('a denied skill cannot be invoked by any name it has', async () => {
    const running = engine([deploy], [trustProvider(), permissionRules({ deny: ['Skill(deploy)'], allow: ['Skill'] })])
    for (const name of ['deploy', '/deploy', ' deploy ', 'DEPLOY', 'release', 'Ship it', '/Release'])
      expect(await outcome(running, name), name).toMatch(/^E_DENIED .*\bSkill\(deploy\) of options .*"deploy"\./)
  })

  it('a skill that is asked about needs an answer', async () => {
    expect(await outcome(engine([deploy], [trustProvider(), permissionRules()]), 'deploy')).toMatch(
      /^E_DENIED Execute skill: deploy/,
    )
    expect(
      await outcome(engine([deploy], [trustProvider(), permissionRules()], { onAsk: () => 'allow' }), 'deploy'),
    ).toBe('done deploy')
    expect(
      await outcome(engine([deploy], [trustProvider(), permissionRules({ allow: ['Skill(deploy)'] })]), 'deploy'),
    ).toBe('done deploy')
  })

  it('what a host answers once can be kept as a rule for the skill of that source', async () => {
    const permission = permissionRules({ safe: false })
    let asked = 0
    const running = engine([deploy], [trustProvider(), permission], {
      onAsk: ({ request, decision }) => {
        asked++
        const [first] = decision.suggestions ?? []
        if (first !== undefined) permission.addRules({ ...first, destination: 'session' }, request.entry)
        return 'allow'
      },
    })
    expect([await outcome(running, 'deploy'), await outcome(running, 'deploy'), asked]).toEqual([
      'done deploy',
      'done deploy',
      1,
    ])
    expect((await permission.listRules()).map(({ text }) => text)).toEqual(['Skill(user:deploy)'])
  })

  it('a skill that is switched off is unknown, even with a rule that allows it', async () => {
    const plugins = [trustProvider(), permissionRules({ allow: ['Skill'] })]
    expect(await outcome(engine([deploy], plugins, { overrides: { deploy: 'off' } }), 'deploy')).toMatch(
      /^E_UNKNOWN_NAME/,
    )
    expect(await outcome(engine([deploy], plugins, { overrides: { deploy: 'user-only' } }), 'deploy')).toMatch(
      /^E_NOT_INVOCABLE/,
    )
    for (const word of ['on', 'pinned', 'name-only'] as const)
      expect(await outcome(engine([deploy], plugins, { overrides: { deploy: word } }), 'deploy'), word).toBe(
        'done deploy',
      )
  })

  it('a trust provider that throws or hangs leaves nothing that a rule allows', async () => {
    const permission = (): Plugin => permissionRules({ allow: ['Skill'], safe: false })
    const throwing = engine(
      [deploy],
      [
        trustProvider(() => {
          throw new Error('No.')
        }),
        permission(),
      ],
    )
    expect(await outcome(throwing, 'deploy')).toMatch(/^E_DENIED/)
    expect(throwing.told.map(({ code }) => code)).toContain('provider-failed')

    const clock = fakeClock(Date.now() + 60_000)
    const hanging = engine([deploy], [trustProvider(() => new Promise(() => {})), permission()], {
      host: fakeHost({ clock }),
    })
    const answer = outcome(hanging, 'deploy')
    await clock.advance(30_000)
    expect(await answer).toMatch(/^E_DENIED/)
    expect(hanging.told.map(({ code }) => code)).toContain('provider-timeout')
  })

  it('a permission provider that throws or hangs denies', async () => {
    const { path } = temporary({ 's.json': '{"permissions":{"allow":["Skill"]}}' })
    const projectAllows = (): never => {
      throw new Error('No idea.')
    }
    const failing = engine(
      [deploy],
      [
        trustProvider(),
        permissionRules({ projectAllows, files: [{ path: `${path}/s.json`, source: 's', isProject: true }] }),
      ],
    )
    expect(await outcome(failing, 'deploy')).toMatch(/^E_DENIED.*No idea\./)
    const other = engine(
      [deploy],
      [
        trustProvider(),
        defineProvider({
          kind: 'permission',
          id: 'x',
          setup: () => ({
            check: () => {
              throw new Error('No.')
            },
          }),
        }),
      ],
    )
    expect(await outcome(other, 'deploy')).toMatch(/^E_DENIED.*No\./)

    const clock = fakeClock(Date.now() + 60_000)
    const stuck = skill('stuck', { model: undefined, load: () => new Promise(() => {}) })
    const hanging = engine([stuck], [trustProvider(), permissionRules()], { host: fakeHost({ clock }) })
    const answer = outcome(hanging, 'stuck')
    await clock.advance(30_000)
    expect(await answer).toMatch(/^E_DENIED.*took longer/)
  })

  it('explain says what would be decided, and by which rule', async () => {
    const permission = permissionRules({
      deny: [{ rule: 'Skill(deploy)', source: 'policySettings' }],
      allow: ['Skill(other)'],
    })
    const { skills } = engine(
      [deploy, skill('other'), skill('plain', { model: undefined }), skill('third')],
      [trustProvider(), permission],
    )
    const notes = async (name: string): Promise<readonly string[]> =>
      (await skills.explain(name)).notes.filter(({ provider }) => provider === 'rules').map(({ text }) => text)
    expect(await notes('release')).toEqual([
      expect.stringMatching(/^Invoking "deploy" is denied: .*Skill\(deploy\) of policySettings/),
    ])
    expect(await notes('other')).toEqual([expect.stringMatching(/^Invoking "other" .*Skill\(other\) of options/)])
    expect(await notes('plain')).toEqual([
      'Invoking "plain" needs no permission: the skill sets nothing that needs permission, and embeds no command.',
    ])
    expect(await notes('third')).toEqual([expect.stringMatching(/"third", .* asked: /)])
    expect(await notes('missing')).toEqual([])
    const changed = engine(
      [deploy],
      [trustProvider(() => ({ level: 'trusted', isApproved: false })), permissionRules({ allow: ['Skill(deploy)'] })],
    )
    expect((await changed.skills.explain('deploy')).notes.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/"deploy", .*Skill\(deploy\) of options /),
    )
  })
})

describe('allowAll', () => {
  it('allows everything and says so, but nothing that a server would run', async () => {
    const running = engine([deploy], [trustProvider(), allowAll()])
    expect(await outcome(running, 'deploy')).toBe('done deploy')
    const [entry] = (await running.skills.catalog()).entries
    if (entry === undefined) throw new Error('There is no skill.')
    expect(
      await running.invoker.decide({ tool: 'Bash', content: 'id', entry, caller: 'user', args: '' }),
    ).toMatchObject({ behavior: 'allow', message: expect.stringContaining('allowAll()') })
    const remote = engine([deploy], [trustProvider(() => ({ level: 'remote', isApproved: true })), allowAll()])
    expect(await outcome(remote, 'deploy')).toBe('done deploy')
    expect(await remote.invoker.decide({ tool: 'Bash', content: 'id', entry, caller: 'user', args: '' })).toMatchObject(
      { behavior: 'deny' },
    )
  })
})
