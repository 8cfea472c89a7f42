import { describe, expect, it } from 'vitest'
import { isModelVisible, isUserVisible, type PromptCommand } from '@skills/core'
import { bundledSource, type BundledSkill } from './index.js'
import { engineOf, never } from '../test/bundled.js'

const greet: BundledSkill = { name: 'greet', description: 'Says hello.', body: 'Say hello to $ARGUMENTS.' }

/** Makes a registration as a caller without a type checker may write it. */
function unchecked(parts: object): BundledSkill {
  return Object.assign({}, greet, parts)
}

describe('a skill that is registered', () => {
  it('is a command of the source "bundled" with the defaults of every skill', async () => {
    const command = await engineOf([greet]).command('greet')
    expect(command).toMatchObject({
      type: 'prompt',
      name: 'greet',
      displayName: 'greet',
      description: 'Says hello.',
      hasUserSpecifiedDescription: true,
      source: 'bundled',
      loadedFrom: 'bundled',
      isSkill: true,
      userInvocable: true,
      isHidden: false,
      disableModelInvocation: false,
      context: 'inline',
      shell: 'bash',
      progressMessage: 'loading',
      contentLength: 24,
    })
    expect([command.baseDir, command.filePath, command.file]).toEqual([undefined, undefined, undefined])
    expect([isModelVisible(command), isUserVisible(command)]).toEqual([true, true])
  })

  it('has every field that frontmatter has, under its name in commands', async () => {
    const fields = {
      displayName: 'Greeter',
      aliases: ['hi'],
      description: 'Says hello.',
      whenToUse: 'When a guest comes.',
      argumentHint: '[name]',
      argumentNames: ['name'],
      version: '1.2.0',
      allowedTools: ['Read'],
      disallowedTools: ['Write'],
      model: 'small',
      effort: 'high',
      context: 'fork',
      agent: 'host',
      background: true,
      paths: ['src/**'],
      shell: 'powershell',
      onShellError: 'skip',
      hooks: { Stop: [] },
      requires: ['other'],
      license: 'MIT',
      compatibility: 'Any.',
      userInvocable: false,
      disableModelInvocation: true,
      metadata: { colour: 'blue' },
    } as const
    expect(await engineOf([{ name: 'greet', body: 'Hello.', ...fields }]).command('greet')).toMatchObject(fields)
  })

  it('has no model when it says "inherit", and no field that is null', async () => {
    const command = await engineOf([unchecked({ model: 'inherit', effort: null, aliases: null, paths: null })]).command(
      'greet',
    )
    expect([command.model, command.effort, command.aliases, command.paths]).toEqual([undefined, undefined, [], []])
  })

  it('is hidden from users when it is not for them', async () => {
    const command = await engineOf([{ ...greet, userInvocable: false }]).command('greet')
    expect([command.isHidden, isUserVisible(command), isModelVisible(command)]).toEqual([true, false, true])
  })

  it('is nowhere while isEnabled() answers false', async () => {
    let isOn = false
    const { names } = engineOf([greet, { ...greet, name: 'sometimes', isEnabled: () => isOn }])
    expect(await names()).toEqual(['greet'])
    isOn = true
    expect(await engineOf([greet, { ...greet, name: 'sometimes', isEnabled: () => isOn }]).names()).toEqual([
      'greet',
      'sometimes',
    ])
  })

  it('with a body gives it as a template, as it is', async () => {
    expect(await engineOf([greet]).load('greet', 'world')).toEqual({ template: 'Say hello to $ARGUMENTS.' })
  })

  it('with getPrompt gives the blocks that it makes of the arguments, which no one expands', async () => {
    const asked: unknown[] = []
    const skill: BundledSkill = {
      name: 'greet',
      getPrompt: (args, { baseDir, signal }) => {
        asked.push([baseDir, signal.aborted])
        return [
          { type: 'text', text: `Hello $ARGUMENTS ${args}` },
          { type: 'image', data: 'AA==', mimeType: 'image/png' },
        ]
      },
    }
    expect(await engineOf([skill]).load('greet', '!`date`')).toEqual({
      blocks: [
        { type: 'text', text: 'Hello $ARGUMENTS !`date`' },
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
      ],
    })
    expect(asked).toEqual([[undefined, false]])
  })

  it('whose getPrompt fails, fails with that; and one that gives no blocks is a mistake that is named', async () => {
    const failing: BundledSkill = { name: 'greet', getPrompt: () => Promise.reject(new Error('No one is there.')) }
    await expect(engineOf([failing]).load('greet')).rejects.toThrow('No one is there.')
    // @ts-expect-error -- what a caller without a type checker may do
    const text: BundledSkill = { name: 'greet', getPrompt: () => 'Hello.' }
    await expect(engineOf([text]).load('greet')).rejects.toThrow(
      expect.objectContaining({ code: 'E_PROVIDER_FAILED', message: expect.stringContaining('"greet"') }),
    )
  })

  it('whose getPrompt or whose list never answers is given up with its caller', async () => {
    let isStuck = false
    const engine = engineOf(() =>
      isStuck ? new Promise<never>(() => {}) : [greet, { name: 'slow', getPrompt: () => new Promise<never>(() => {}) }],
    )
    const commands = [await engine.command('slow'), await engine.command('greet')]
    for (const command of commands) {
      const controller = new AbortController()
      const loading = Promise.resolve(command.load('', { signal: controller.signal }))
      controller.abort()
      await expect(loading).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
      isStuck = true
    }
  })

  it('is the same command from load to load, and comes by name', async () => {
    const engine = engineOf([
      { ...greet, name: 'b' },
      { ...greet, name: 'a' },
    ])
    const [before, after]: PromptCommand[] = [await engine.command('a'), await engine.command('a')]
    expect(before).toBe(after)
    expect(await engine.names()).toEqual(['a', 'b'])
  })
})

describe('a list that is given by a function', () => {
  it('is not asked for before the source is listed', async () => {
    let asked = 0
    const engine = engineOf(async () => {
      asked++
      return [greet]
    })
    expect(asked).toBe(0)
    expect(await engine.names()).toEqual(['greet'])
    expect(asked).toBe(1)
  })

  it('costs a wrong registration itself alone, and says so', async () => {
    const engine = engineOf(() => [
      unchecked({ name: 'wrong', body: undefined }),
      greet,
      { ...greet, description: 'Another.' },
    ])
    expect((await engine.command('greet')).description).toBe('Says hello.')
    expect(engine.told.map(({ severity, code, name, message }) => [severity, code, name, message])).toEqual([
      [
        'error',
        'invalid-bundled-skill',
        'wrong',
        'The bundled skill "wrong" has neither a body that is a text nor a getPrompt that is a function.',
      ],
      ['error', 'invalid-bundled-skill', 'greet', expect.stringContaining('"greet"')],
    ])
  })

  it('that is none is told of as a failing source', async () => {
    // @ts-expect-error -- what a caller without a type checker may do
    const engine = engineOf(() => undefined)
    expect(await engine.names()).toEqual([])
    expect(engine.told).toMatchObject([{ provider: 'bundled', message: expect.stringContaining('a list') }])
  })
})

describe('a registration is refused', () => {
  const refusal = (skill: BundledSkill): unknown => {
    try {
      return bundledSource({ skills: [skill] })
    } catch (error) {
      return error
    }
  }

  it.each([
    [{ name: '' }, 'has no name'],
    [{ name: 7 }, 'has no name'],
    [{ name: '../escape' }, 'has a name with characters other than'],
    [{ name: '..' }, 'has a name with characters other than'],
    [{ name: 'a b' }, 'has a name with characters other than'],
    [{ name: 'evil\u202e' }, 'has a name with characters other than'],
    [{ body: undefined }, 'has neither a body'],
    [{ body: 7 }, 'has neither a body'],
    [{ getPrompt: () => [] }, 'has both a body and a getPrompt'],
    [{ isEnabled: true }, 'has an isEnabled that is not a function'],
    [{ description: ['Says hello.'] }, 'has something other than text as its description'],
    [{ allowedTools: 'Read, Write' }, 'has something other than a list of text as its allowedTools'],
    [{ userInvocable: 'no' }, 'has something other than true or false as its userInvocable'],
    [{ context: true }, 'has something other than text as its context'],
    [{ onShellError: 'shout' }, 'has something other than abort or inline or skip as its onShellError'],
    [{ files: ['a.txt'] }, 'has files that are neither an object from paths to contents nor the path of a folder'],
    [{ files: null }, 'has files that are neither an object from paths to contents nor the path of a folder'],
    [{ files: 'references' }, 'which is not absolute'],
    [{ files: { 'a.txt': 7 } }, 'that is neither text nor bytes'],
  ])('with %j', (parts, message) => {
    expect(refusal(unchecked(parts))).toMatchObject({
      code: 'E_INVALID_OPTION',
      message: expect.stringContaining(message),
    })
  })

  it.each([
    ['../escape.txt', 'leads out of'],
    ['a/../../escape.txt', 'leads out of'],
    ['a/..', 'leads out of'],
    ['..\\escape.txt', 'leads out of'],
    ['/etc/passwd', 'is absolute'],
    ['C:/escape.txt', 'is absolute'],
    ['c:escape.txt', 'is absolute'],
    ['\\\\server\\share', 'is absolute'],
    ['', 'has an empty part'],
    ['a//b', 'has an empty part'],
    ['a/./b', 'has an empty part'],
    ['a/', 'has an empty part'],
    ['a\0b', 'some platforms do not allow'],
    ['a\nb', 'some platforms do not allow'],
    ['file.txt:stream', 'some platforms do not allow'],
    ['a\\b', 'some platforms do not allow'],
    ['\ud800', 'some platforms do not allow'],
    ['nul', 'a device'],
    ['a/COM1.txt', 'a device'],
    ['a./b', 'ends in a dot'],
    ['a ', 'ends in a dot or a space'],
  ])('with the file %j', (path, message) => {
    expect(refusal({ ...greet, files: { 'sound.txt': '', [path]: '' } })).toMatchObject({
      code: 'E_INVALID_OPTION',
      message: expect.stringContaining(message),
    })
  })

  it('with two files that are one where case does not count, and a file that is a folder too', () => {
    expect(refusal({ ...greet, files: { 'Read.md': '', 'read.md': '' } })).toMatchObject({
      message: expect.stringContaining('"Read.md" and "read.md"'),
    })
    expect(refusal({ ...greet, files: { 'caf\u00e9': '', 'cafe\u0301': '' } })).toMatchObject({
      message: expect.stringContaining('the same file'),
    })
    expect(refusal({ ...greet, files: { 'a/b': '', A: '' } })).toMatchObject({
      message: expect.stringMatching(/"A",.*"a\/b"/),
    })
    expect(refusal({ ...greet, files: { 'a/b': '', 'A/c': '' } })).toMatchObject({
      message: expect.stringMatching(/"a" and "A",/),
    })
    expect(refusal({ ...greet, files: { 'a/b': '', 'a/c': '', 'a/d/e': '' } })).toMatchObject({ kind: 'source' })
  })

  it('when its folder for files is not named by its whole path', () => {
    expect(() => bundledSource({ skills: [], cacheDir: 'cache' })).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION' }),
    )
  })
})

it('a skill that is no longer registered names itself when it is invoked, and leaves the catalog', async () => {
  const skills = [greet]
  const engine = engineOf(skills)
  const command = await engine.command('greet')
  skills.pop()
  await expect(Promise.resolve(command.load('', { signal: never }))).rejects.toThrow(
    expect.objectContaining({ code: 'E_FILE_CHANGED', message: expect.stringContaining('"greet"') }),
  )
  expect(await engine.names()).toEqual([])
})
