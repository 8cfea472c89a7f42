import { testFixedSource } from '@skills/testing/vitest'
import { describe, expect, test } from 'vitest'
import { kinds as testKinds } from '../test/engine.js'
import { defineKind, SkillsError } from './index.js'
// #region usage
import { createSkills, defineProvider, loadResult, type LocalCommand } from '@skills/core'

// #region command
const hello: LocalCommand = {
  type: 'local',
  name: 'hello',
  displayName: 'Hello',
  aliases: ['hi'],
  description: 'Says hello.',
  hasUserSpecifiedDescription: true,
  source: 'bundled',
  loadedFrom: 'bundled',
  userInvocable: true,
  isHidden: false,
  isEnabled: () => true,
  call: name => ({ text: `Hello, ${name || 'you'}!` }),
}
// #endregion command

const greetings = defineProvider({
  kind: 'source',
  id: 'greetings',
  setup: () => ({ source: 'bundled', list: () => loadResult({ commands: [hello] }) }),
})

async function tour(show: (line: string) => void): Promise<void> {
  const skills = createSkills({
    plugins: [greetings],
    onDiagnostic: ({ severity, message }) => show(`${severity}: ${message}`),
  })
  try {
    const catalog = await skills.catalog()
    for (const { name, command } of catalog.entries) show(`/${name}: ${command.description}`)
    show((await skills.explain('hi')).answers[0]?.status ?? 'unknown')
  } finally {
    await skills.close()
  }
}
// #endregion usage

const problems: string[] = []
const show = (text: string): void => void problems.push(text)

test('an engine is made of plugins, asked, and closed', async () => {
  await tour(show)
  expect(problems.splice(0)).toEqual(['/hello: Says hello.', 'active'])
})

test('errors are told apart by their code', async () => {
  const skills = createSkills({ plugins: [greetings], onDiagnostic: ({ message }) => show(message) })
  const catalog = await skills.catalog()
  // #region errors
  try {
    catalog.require('helo')
  } catch (error) {
    if (!SkillsError.is(error)) throw error
    show(`${error.code}: ${error.message}`)
  }
  // #endregion errors
  expect(problems.splice(0)).toEqual([expect.stringMatching(/^E_UNKNOWN_NAME: .*"helo".*"hello"/)])
  await skills.close()
})

const log: string[] = []
const watch = (folder: string, onChange: (path: string) => void): { stop(): void } => {
  onChange(`${folder}/hello`)
  return { stop: () => log.push('stopped') }
}
// #region setup
const watched = defineProvider({
  kind: 'source',
  id: 'watched',
  async setup({ host, effect, invalidate }) {
    await effect('watcher', () => {
      const watcher = watch(`${host.home}/greetings`, path => invalidate([path]))
      return () => watcher.stop()
    })
    return { source: 'user', list: () => loadResult({ commands: [hello] }) }
  },
})
// #endregion setup

testFixedSource('the source of the README', () => ({ provider: greetings }))
testFixedSource('the source that watches', () => ({ provider: watched }))

test('a set-up keeps what undoes it', async () => {
  log.splice(0)
  const skills = createSkills({ plugins: [watched], onDiagnostic: ({ message }) => show(message) })
  expect((await skills.catalog()).size).toBe(1)
  await skills.close()
  expect(log).toEqual(['stopped'])
})

// #region kind
interface Censor {
  mayShow(name: string): boolean
}

declare module '@skills/core' {
  interface ProviderKinds {
    censor: Censor
  }
}

const censorKind = defineKind('censor', { arity: 'many', onFailure: { closed: () => false }, limitMs: 1000 })
// #endregion kind

describe('a kind of one’s own', () => {
  // #region needs
  const censored = defineProvider({
    kind: 'source',
    id: 'censored',
    needs: ['censor'],
    setup: ctx => ({
      source: 'bundled',
      async list({ signal }) {
        const verdicts = await ctx.use('censor').each(censor => censor.mayShow(hello.name), { signal })
        return loadResult({ commands: verdicts.every(({ value }) => value) ? [hello] : [] })
      },
    }),
  })
  // #endregion needs

  const lenient = defineProvider({ kind: 'censor', id: 'lenient', setup: () => ({ mayShow: () => true }) })
  testFixedSource('the source that asks it', () => ({ provider: censored, kinds: [censorKind], plugins: [lenient] }))

  test.each([
    ['allows', () => true, 1],
    [
      'fails, and so denies',
      () => {
        throw new Error('cannot say')
      },
      0,
    ],
  ])('is asked under its own rules when it %s', async (_, mayShow, size) => {
    const censor = defineProvider({ kind: 'censor', id: 'c', setup: () => ({ mayShow }) })
    const plugins = [censored, censor]
    const skills = createSkills({
      plugins,
      kinds: [censorKind, ...testKinds],
      onDiagnostic: ({ message }) => show(message),
    })
    expect((await skills.catalog()).size).toBe(size)
    await skills.close()
    problems.splice(0)
  })
})
