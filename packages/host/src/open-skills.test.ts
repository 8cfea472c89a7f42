import { defineProvider, loadResult, promptCommand, type Diagnostic, type Plugin } from '@skills/core'
import { standard } from '@skills/distributions'
import { defineField } from '@skills/core/fields'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openSkills, type HostSkills } from './index.js'
import { largeSource, numberedNames } from '@skills/testing/internal'
import { hostFolder, skillMd } from '../test/host-folder.js'

const deploy = {
  'repo/.claude/skills/deploy/SKILL.md': skillMd('Deploys the site.', 'Deploy $ARGUMENTS now.', 'owner: web'),
}
const owner = defineField({ name: 'owner', type: 'text', asks: false })

function closing(skills: HostSkills): HostSkills {
  onTestFinished(() => skills.close())
  return skills
}

const namesOf = async (skills: HostSkills): Promise<readonly string[]> =>
  (await skills.catalog()).entries.map(({ name }) => name)

test('a model in whose messages the listing is gets the search tool where a source is never listed whole', async () => {
  const { options } = hostFolder(deploy)
  const make = (name: string) => promptCommand({ name, source: 'large', load: () => ({ template: '' }) })
  const offered = async (plugins: readonly Plugin[]): Promise<boolean> => {
    const skills = closing(await openSkills(undefined, { ...options, bundled: false, plugins }))
    const session = await skills.session({ gives: 'messages' })
    await session.reminder()
    return session.offers('SkillSearch')
  }
  expect(await offered([])).toBe(false)
  expect(await offered([largeSource({ names: numberedNames(10), make })])).toBe(true)
})

test('a shortlist of a session follows what its user types, and keeps what its model was given', async () => {
  const works = { deploy: 'Deploys the site.', photos: 'Resizes photos.', letters: 'Translates letters.' }
  const files = Object.entries(works).map(([name, it]) => [`repo/.claude/skills/${name}/SKILL.md`, skillMd(it, 'Go.')])
  const { options } = hostFolder(Object.fromEntries(files) as Record<string, string>)
  const listing = { strategy: 'shortlist', most: 1 } as const
  const skills = closing(await openSkills(undefined, { ...options, builtin: false, bundled: false, listing }))
  const session = await skills.session({ gives: 'results' })
  const listed = async (): Promise<readonly string[]> =>
    [...(await session.system()).matchAll(/^- (\w+):/gm)].map(([, name = '']) => name)
  await session.send('Please make the photos smaller')
  expect(await listed()).toEqual(['photos'])
  expect(await session.tools()[0]?.describe()).not.toContain('Resizes')
  await session.send('/letters')
  await session.send('Now deploy the site')
  expect(await listed()).toEqual(['deploy', 'letters'])
})

describe('a distribution', () => {
  test('is standard unless another is named, and options adjust it', async () => {
    const { options } = hostFolder(deploy)
    const skills = closing(await openSkills(undefined, { ...options, builtin: false, bundled: false }))
    expect([skills.distribution.name, await namesOf(skills)]).toEqual(['standard', ['deploy']])
    const other = closing(await openSkills('mini', options))
    expect(other.distribution.name).toBe('mini')
  })

  test('may be a function with options of its own, and have fields of its own', async () => {
    const { options } = hostFolder(deploy)
    const house = ({ team, ...more }: Parameters<typeof standard>[0] & { readonly team: string }) => ({
      ...standard({ ...more, builtin: false, bundled: false, layout: { fields: { own: [owner] } } }),
      name: `house of ${team}`,
    })
    const skills = closing(await openSkills(house, { ...options, team: 'web' }))
    const found = await skills.find('deploy')
    const value: string | undefined = found && owner.of(found.command)
    expect([skills.distribution.name, value]).toEqual(['house of web', 'web'])
  })

  test('may be made already, and takes plugins then', async () => {
    const { options } = hostFolder(deploy)
    const { cwd, home, env, host } = options
    const made = standard({ host: { ...host, cwd, home, env }, builtin: false, bundled: false, onDiagnostic: () => {} })
    const mine = defineProvider({
      kind: 'source',
      id: 'mine',
      setup: () => ({
        source: 'user',
        list: () =>
          loadResult({ commands: [promptCommand({ name: 'mine', source: 'user', load: () => ({ template: '' }) })] }),
      }),
    })
    const skills = closing(await openSkills(made, { plugins: [mine] }))
    expect(await namesOf(skills)).toEqual(['mine', 'deploy'])
    await expect(openSkills(made, { cwd })).rejects.toMatchObject({ code: 'E_INVALID_OPTION' })
  })

  test.each([
    ['a name that there is not', 'standart', {}, /Did you mean "standard"/],
    ['an option that it does not have', 'standard', { bundeld: false }, /Did you mean "bundled"/],
    ['a function that makes none', () => undefined, {}, /did not return a distribution/],
  ])('is refused: %s', async (_what, distribution, options, message) => {
    const refused: unknown = await openSkills(distribution as string, options as object).catch(
      (error: unknown) => error,
    )
    expect(refused).toMatchObject({ code: 'E_INVALID_OPTION' })
    const { message: text, hint = '' } = refused as { readonly message: string; readonly hint?: string }
    expect(`${text} ${hint}`).toMatch(message)
  })

  test('of code that no one agreed to runs nothing', async () => {
    const { options } = hostFolder({ 'repo/house.mjs': 'globalThis.ran = true\nexport default (o, base) => base(o)\n' })
    await expect(openSkills('./house.mjs', options)).rejects.toMatchObject({
      code: 'E_DENIED',
      message: expect.stringContaining('house.mjs'),
    })
    expect(globalThis).not.toHaveProperty('ran')
  })
})

describe('configuration files', () => {
  const files = {
    'home/.config/skills/skills.config.json': JSON.stringify({ overrides: { deploy: 'off' } }),
    'repo/skills.config.json': JSON.stringify({ rules: { allow: ['Bash'] } }),
  }

  test('are read only where it is asked for; what a project widens counts only where a person agreed', async () => {
    const { options } = hostFolder({ ...deploy, ...files })
    const told: Diagnostic[] = []
    const given = {
      ...options,
      builtin: false,
      bundled: false,
      onDiagnostic: (one: Diagnostic) => void told.push(one),
    } as const
    expect(await namesOf(closing(await openSkills('standard', given)))).toEqual(['deploy'])
    const skills = closing(await openSkills(undefined, { ...given, configuration: true }))
    expect(await namesOf(skills)).toEqual([])
    const { behavior } = await skills.authorize({ tool: 'Bash', input: { command: 'make' } })
    expect(behavior).toBe('deny')
  })
})

describe('one object', () => {
  test('lists, finds, searches, explains and invokes', async () => {
    const { options } = hostFolder(deploy)
    const skills = closing(await openSkills('standard', options))
    expect((await skills.find('DEPLOY'))?.name).toBe('deploy')
    expect(await skills.find('nothing')).toBeUndefined()
    expect((await skills.search('site', { limit: 1 })).results.map(({ name }) => name)).toEqual(['deploy'])
    expect(await skills.explain('deploy')).toMatchObject({ query: 'deploy' })
    const { newMessages } = await skills.invoke('deploy', { args: 'prod' })
    expect(JSON.stringify(newMessages)).toContain('Deploy prod now.')
  })

  test('has tools for one conversation, whose session ends with it', async () => {
    const { options } = hostFolder(deploy)
    const skills = await openSkills('standard', options)
    const ended = vi.fn<() => void>()
    skills.hook('session:end', ended)
    const [runs] = await skills.tools()
    expect((await runs?.execute({ skill: 'deploy', args: 'prod' }))?.text).toContain('Deploy prod now.')
    expect((await skills.authorize({ tool: 'Bash', input: { command: 'make' } })).behavior).toBe('deny')
    await skills.close()
    expect(ended).toHaveBeenCalledOnce()
    await expect(skills.catalog()).rejects.toMatchObject({ code: 'E_CLOSED' })
  })

  test('opens the session of its tools again where it could not be opened', async () => {
    const { options } = hostFolder(deploy)
    const skills = closing(await openSkills('standard', options))
    vi.spyOn(skills, 'session').mockRejectedValueOnce(new Error('no room'))
    await expect(skills.tools()).rejects.toThrow('no room')
    expect((await skills.tools()).map(({ name }) => name)).toContain('SkillSearch')
  })

  test('leaves no listener of a session that could not be opened', async () => {
    const { options } = hostFolder(deploy)
    const skills = closing(await openSkills('standard', options))
    const progress = vi.fn<() => void>()
    const opening = skills.session({ id: 'one', progress }, { signal: AbortSignal.abort() })
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' })
    const event = { type: 'refused', agentId: 'a', tool: 'Bash', content: 'make', message: 'No.' }
    const heard = new Promise(resolve => skills.hook('invocation:progress', resolve))
    skills.engine.emit('invocation:progress', { sessionId: 'one', event } as never)
    await heard
    expect(progress).not.toHaveBeenCalled()
  })

  test('tells of problems as warnings of the process unless the host hears them', async () => {
    const { options } = hostFolder({ ...deploy, 'home/.config/skills/skills.config.json': '{' })
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => warned.mockRestore())
    closing(await openSkills('standard', { ...options, configuration: true }))
    expect(warned).toHaveBeenCalledWith(expect.any(String), { type: 'SkillsWarning', code: 'invalid-configuration' })
  })
})
