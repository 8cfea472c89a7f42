import { describe, expect, test } from 'vitest'
import { skillTool, type SkillToolOptions } from '../skill-tool.js'
import { local, portOver, skill, type Loaded } from '../../test/engine.js'
import type { Gate } from '@skills/core'
import type { EnginePort } from '../skill-tool.js'

const loaded: Loaded = {
  commands: [
    skill('deploy', { displayName: 'Ship it', aliases: ['release'] }),
    skill('private', { disableModelInvocation: true }),
    skill('mine'),
    skill('conditional'),
    local('clear'),
    skill('Case'),
    skill('cASE'),
    skill('bare', { hasUserSpecifiedDescription: false, description: '' }),
    skill('off', { isEnabled: () => false }),
  ],
  errors: [
    {
      severity: 'error',
      type: 'parse',
      code: 'unclosed-frontmatter',
      name: 'broken',
      path: '/skills/broken/SKILL.md',
      line: 3,
      message: 'The block </system-reminder>\nis never closed.',
      hint: 'Close it.',
    },
  ],
  overrides: { mine: 'user-only' },
}

async function validate(
  input: unknown,
  options: SkillToolOptions = {},
  parts: Partial<EnginePort> = {},
): Promise<string> {
  const tool = await skillTool(portOver(loaded, parts), options)
  const answer = await tool.validateInput(input)
  return answer.result ? 'valid' : `${answer.errorCode} ${answer.message}`
}

describe('the input of the tool', () => {
  test.each(['deploy', '/deploy', ' \n/deploy ', '/ deploy', 'Ship it', 'release', 'DEPLOY', 'bare', 'Case'])(
    'may name a skill as %j',
    async name => {
      expect(await validate({ skill: name, args: 'x' })).toBe('valid')
    },
  )

  test.each<[unknown, string]>([
    [{ skill: '' }, '1 Invalid skill name: it is empty.'],
    [{ skill: ' / ' }, '1 Invalid skill name: it is empty.'],
    [{ skill: 'a\nb\u001b[0m' }, '1 Invalid skill name: a b[0m'],
    [{ skill: 3 }, '1 Invalid input: skill must be text.'],
    [{}, '1 Invalid input: skill must be text.'],
    [{ skill: 'deploy', args: ['a'] }, '1 Invalid input: args must be text.'],
    ['deploy', '1 Invalid input: the input must be an object.'],
    [undefined, '1 Invalid input: the input must be an object.'],
    [{ skill: 'nowhere' }, '2 Unknown skill: nowhere'],
    [{ skill: 'deplyo' }, '2 Unknown skill: deplyo. Did you mean deploy?'],
    [{ skill: 'privat' }, '2 Unknown skill: privat'],
    [{ skill: 'clera' }, '2 Unknown skill: clera'],
    [{ skill: 'off' }, '2 Unknown skill: off'],
    [{ skill: 'case' }, '2 Unknown skill: case. "case" could be "Case" or "cASE". Use one of these names exactly.'],
    [{ skill: '<command-name>/x' }, '2 Unknown skill: &lt;command-name>/x'],
    [
      { skill: 'broken' },
      '3 Skill broken could not be loaded: /skills/broken/SKILL.md:3: The block &lt;/system-reminder> is never closed. Close it.',
    ],
    [
      { skill: '/Broken' },
      '3 Skill Broken could not be loaded: /skills/broken/SKILL.md:3: The block &lt;/system-reminder> is never closed. Close it.',
    ],
    [{ skill: 'private' }, '4 Skill private is not for models to invoke: it sets disable-model-invocation.'],
    [{ skill: 'mine' }, '4 Skill mine is not for models to invoke: the user keeps it to themselves.'],
    [{ skill: 'clear' }, '5 Skill clear is not a prompt: it runs in the host, and only a user can invoke it.'],
  ])('%j is answered by %j', async (input, answer) => {
    expect(await validate(input)).toBe(answer)
  })

  test('that names a skill whose condition does not hold is answered with the condition', async () => {
    const gate: Gate = {
      rules: () => ({
        dormant: ({ name }) => (name === 'conditional' ? 'It becomes available when a file matches *.css.' : undefined),
      }),
    }
    const tool = await skillTool(portOver({ ...loaded, gate }))
    expect(await tool.validateInput({ skill: 'conditional' })).toEqual({
      result: false,
      errorCode: 2,
      message: 'Unknown skill: conditional. It becomes available when a file matches *.css.',
    })
    expect(await tool.validateInput({ skill: 'condition' })).toEqual({
      result: false,
      errorCode: 2,
      message: 'Unknown skill: condition',
    })
    expect(await tool.validateInput({ skill: 'deploy' })).toEqual({ result: true })
  })

  test('is answered without close names, or without code 3, where a distribution has it so', async () => {
    expect(await validate({ skill: 'deplyo' }, { suggests: false })).toBe('2 Unknown skill: deplyo')
    expect(await validate({ skill: 'broken' }, { tellsLoadErrors: false })).toBe('2 Unknown skill: broken')
  })

  test('has to have the very letters of a name where a distribution has it so', async () => {
    expect(await validate({ skill: 'DEPLOY' }, { letters: 'exact' })).toBe(
      '2 Unknown skill: DEPLOY. Did you mean deploy?',
    )
    for (const name of ['deploy', 'Ship it', 'release']) {
      expect(await validate({ skill: name }, { letters: 'exact' })).toBe('valid')
    }
  })

  test('is told of a skill that an override switches off where a distribution has it so', async () => {
    const over = portOver({ ...loaded, overrides: { deploy: 'off' } })
    const answer = async (options: SkillToolOptions) =>
      (await skillTool(over, options)).validateInput({ skill: 'deploy' })
    expect(await answer({})).toMatchObject({ errorCode: 2 })
    expect(await answer({ texts: { off: name => `${name} is off.` } })).toEqual({
      result: false,
      errorCode: 4,
      message: 'deploy is off.',
    })
  })

  test('may name a remote skill where there are any', async () => {
    const found = (await portOver(loaded).catalog()).require('private')
    const remote = (slug: string) =>
      slug === 'known' ? { ...found, command: skill('known') } : slug === 'private' ? found : undefined
    expect(await validate({ skill: '_canonical_known' })).toBe('2 Unknown skill: _canonical_known')
    expect(await validate({ skill: '/_canonical_known' }, {}, { remote })).toBe('valid')
    expect(await validate({ skill: '_canonical_other' }, {}, { remote })).toBe(
      '6 Remote skill _canonical_other not found.',
    )
    expect(await validate({ skill: '_canonical_private' }, {}, { remote })).toMatch(/^4 /)
    expect(await validate({ skill: 'deploy' }, {}, { remote })).toBe('valid')
  })

  test('has the parameters of the distribution', async () => {
    expect(await validate({ name: 'deploy' }, { nameParameter: 'name', takesArgs: false })).toBe('valid')
    expect(await validate({ skill: 'deploy' }, { nameParameter: 'name' })).toMatch(/^1 Invalid input: name /)
  })
})
