import { describe, expect, test } from 'vitest'
import { checkOptions } from './options.js'
import { createSkills, type SkillsOptions } from './create-skills.js'

interface Options {
  readonly fraction?: number
  readonly budget?: number
}

const check = (given: unknown): void => checkOptions<Options>('format()', given, { fraction: 1, budget: 1 })
/** Options as plain JavaScript passes them, without types. */
const untyped = (options: object): SkillsOptions => ({ plugins: [], onDiagnostic: () => {}, ...options })

test('an option that has no effect is refused, with the closest one or all there are', () => {
  check({ fraction: 1, budget: undefined })
  check({ other: undefined })
  expect(() => check({ fracton: 1 })).toThrow('format() has no option "fracton". Did you mean "fraction"?')
  expect(() => check({ strategy: 1 })).toThrow(
    expect.objectContaining({ code: 'E_INVALID_OPTION', message: expect.stringContaining('"strategy".') }),
  )
  expect(() => check({ toString: 1 })).toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
})

test.each([[], null, 'fraction', 5])('options that are %j are refused', given => {
  expect(() => check(given)).toThrow(`The options of format() are ${JSON.stringify(given)}. Give an object.`)
})

describe('createSkills', () => {
  test('refuses options that it does not have, and takes those that a distribution has for its host', () => {
    expect(() => createSkills(untyped({ presedence: [] }))).toThrow(
      expect.objectContaining({
        code: 'E_INVALID_OPTION',
        message: expect.stringMatching(/^createSkills\(\) .*"presedence"/),
        hint: expect.stringContaining('"precedence"'),
      }),
    )
    expect(() => createSkills(untyped({ rules: { deny: [] } }))).toThrow('createSkills() has no option "rules".')
    expect(() =>
      createSkills(
        untyped({
          name: 'mine',
          tool: {},
          port: {},
          invoker: {},
          visibility: {},
          inline: {},
          shell: false,
          fork: false,
        }),
      ),
    ).not.toThrow()
  })

  test('refuses a provider without an id, or without a setup', () => {
    expect(() => createSkills(untyped({ plugins: [{ kind: 'source', setup: () => {} }] }))).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION', message: expect.stringMatching(/"source" .* id\./) }),
    )
    expect(() => createSkills(untyped({ plugins: [{ kind: 'source', id: 'mine' }] }))).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION', message: expect.stringMatching(/"source" .* setup\./) }),
    )
  })
})
