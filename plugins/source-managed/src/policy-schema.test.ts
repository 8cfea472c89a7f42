import { describe, expect, it } from 'vitest'
import { parsePolicy } from './policy-schema.js'

const sources = (policy: unknown): unknown => {
  const parsed = parsePolicy(JSON.stringify(policy))
  return 'section' in parsed ? parsed.section?.allowedSources : parsed.message
}

describe('skills of plugins alone', () => {
  const left = ['managed', 'plugin', 'bundled', 'builtin']

  it.each([
    [true, left],
    [['skills'], left],
    [['agents', 'skills'], left],
    [false, undefined],
    [['agents'], undefined],
    [1, 'must be true, false or a list of names'],
  ])('for %j', (strict, expected) => {
    expect(sources({ strictPluginOnlyCustomization: strict })).toEqual(expected)
  })

  it('only ever leaves fewer sources than the policy has', () => {
    expect(sources({ strictPluginOnlyCustomization: true, skills: { allowedSources: ['plugin', 'user'] } })).toEqual([
      'plugin',
    ])
  })
})
