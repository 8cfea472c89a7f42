import { describe, expect, test } from 'vitest'
import { engine, kinds, listing, skill, type Greeter } from '../test/engine.js'
import { defineKind, defineProvider, loadResult, SkillsError, type KindDefinition, type Provider } from './index.js'

type PolicyKind = 'greeter' | 'judge' | 'worker'

let setUps: number

function greeter(kind: PolicyKind, contract: number | undefined): Provider<PolicyKind> {
  const setup = (): Greeter => {
    setUps++
    return { greet: name => `hello ${name}` }
  }
  return defineProvider({ kind, id: 'old', ...(contract !== undefined && { contract }), setup })
}

/** Asks an engine that accepts certain contract versions of each kind. */
async function asked(kind: PolicyKind, contract: number | undefined, contracts?: readonly number[]) {
  setUps = 0
  const versioned: readonly KindDefinition[] = kinds.map(one => (contracts === undefined ? one : { ...one, contracts }))
  const { skills, diagnostics } = engine({ kinds: versioned, plugins: [greeter(kind, contract)] })
  const answers = await skills
    .use(kind)
    .each(one => one.greet('you'))
    .catch((error: unknown) => error)
  return { answers, diagnostics }
}

const told = (version: number, kind: PolicyKind, known = '1'): string =>
  `The ${kind} provider "old" was written for version ${version} of the kind "${kind}", but this engine supports version ${known}.`

describe('a provider that was written for another version of its kind', () => {
  test('is left out where the kind isolates, never set up, and a diagnostic says which, and what to do', async () => {
    const { answers, diagnostics } = await asked('greeter', 0)
    expect([answers, setUps]).toEqual([[], 0])
    expect(diagnostics).toEqual([
      expect.objectContaining({
        severity: 'error',
        code: 'provider-contract',
        provider: 'old',
        message: `${told(0, 'greeter')} Update the plugin.`,
      }),
    ])
  })

  test('is refused where the kind throws', async () => {
    const { answers } = await asked('worker', 2)
    expect(answers).toMatchObject({
      code: 'E_CONTRACT_VERSION',
      message: `${told(2, 'worker')} Update the package that defines the kind, such as @skills/core.`,
    })
    expect(setUps).toBe(0)
  })

  test('has the safe answer stand for its own where the kind is closed', async () => {
    const { answers, diagnostics } = await asked('judge', 0)
    expect(answers).toEqual([{ id: 'old', value: 'no: E_CONTRACT_VERSION' }])
    expect(diagnostics).toMatchObject([{ code: 'provider-contract' }])
  })

  test.each([1.5, NaN, -1])('does not pass for a known one as %s', async contract => {
    expect((await asked('greeter', contract)).diagnostics).toMatchObject([{ code: 'provider-contract' }])
  })
})

describe('a provider that an engine can ask', () => {
  test.each([
    ['says nothing, which is 1', undefined, undefined],
    ['says 1', 1, undefined],
    ['says an older version that is still read', 2, [2, 3]],
    ['says the newest', 3, [2, 3]],
  ])('%s', async (_, contract, contracts) => {
    expect(await asked('greeter', contract, contracts)).toEqual({
      answers: [{ id: 'old', value: 'hello you' }],
      diagnostics: [],
    })
  })

  test('is none that says nothing once version 1 is no longer read', async () => {
    const { diagnostics } = await asked('greeter', undefined, [2, 3])
    expect(diagnostics).toMatchObject([{ message: `${told(1, 'greeter', '2 and 3')} Update the plugin.` }])
  })
})

test('a source of another version costs its own commands, and the catalog says that it is incomplete', async () => {
  const list = () => loadResult({ commands: [skill('lost')] })
  const newer: Provider<'source'> = { ...listing('newer', list), contract: 7 }
  const { skills, codes } = engine({
    plugins: [newer, listing('own', () => loadResult({ commands: [skill('kept')] }))],
  })
  const catalog = await skills.catalog()
  expect(catalog.entries.map(({ name }) => name)).toEqual(['kept'])
  expect(catalog.incomplete).toMatchObject([{ provider: 'newer', reason: expect.stringContaining('version 7') }])
  expect(codes()).toEqual(['provider-contract'])
})

test('a plugin that was built with another copy of core is asked, or told so by the same code', async () => {
  // A query makes the loader evaluate the module a second time, as two installed versions would.
  const copy: typeof import('./provider.js') = await import(`./provider.js?${'copy'}`)
  expect(copy.defineProvider).not.toBe(defineProvider)
  const made = (contract: number): Provider<'worker'> =>
    copy.defineProvider({ kind: 'worker', id: 'old', contract, setup: () => ({ greet: name => name }) })
  const ask = (contract: number): Promise<unknown> =>
    engine({ plugins: [made(contract)] })
      .skills.use('worker')
      .first(one => one.greet('you'))
  expect(await ask(1)).toBe('you')
  const refused = await ask(0).catch((error: unknown) => error)
  expect(SkillsError.is(refused) && refused.code).toBe('E_CONTRACT_VERSION')
})

test('a kind is read in version 1 unless its definition says more', () => {
  const kind = defineKind('greeter', { arity: 'many', onFailure: 'isolate', limitMs: 1 })
  expect(kind.contracts).toBeUndefined()
})
