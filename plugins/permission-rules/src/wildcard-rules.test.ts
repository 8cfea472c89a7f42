import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asking, entryOf, requestFor, script, shortly, skill } from '../test/asking.js'
import { fitsWildcard } from '@skills/rules'
import { broadProbeOf } from './rule-book.js'
import { WildcardRules, type WildcardMap } from './wildcard-rules.js'

const ground = { place: { cwd: '/work', home: '/home/me', platform: process.platform } }

async function found(map: WildcardMap, tool: string, content: string): Promise<string | undefined> {
  const request = requestFor('a', { tool, content })
  return new WildcardRules([{ source: 'map', map }]).find(request, await broadProbeOf(request, ground), ground)
    ?.behavior
}

describe('a map of wildcards', () => {
  it('is decided by the last entry that matches', async () => {
    expect(await found({ bash: { '*': 'allow', rm: 'deny' } }, 'Bash', 'rm')).toBe('deny')
    expect(await found({ '*': 'deny', bash: 'allow' }, 'Bash', 'rm')).toBe('allow')
    expect(await found({ edit: { 'src/*': 'allow' } }, 'edit', 'etc/passwd')).toBeUndefined()
    expect(await found({ bash: { 'rm *': 'deny', '*': 'allow' } }, 'Bash', 'rm x')).toBe('allow')
  })

  it('only restricts if it narrows: each source decides by itself, and what one allows lifts only its own entries', async () => {
    const decided = async (narrowing: readonly (readonly WildcardMap[])[], own: WildcardMap = {}) => {
      const request = requestFor('a', { tool: 'Skill', content: 'a' })
      const sources = narrowing.map((maps, at) => ({ source: `file ${at}`, narrowing: () => maps }))
      const rules = new WildcardRules([{ source: 'host', map: own }, ...sources])
      return rules.find(request, await broadProbeOf(request, ground), ground)?.behavior
    }
    expect(await decided([[{ skill: 'allow' }]])).toBeUndefined()
    expect(await decided([[{ skill: 'deny' }, { skill: { a: 'allow' } }]])).toBeUndefined()
    expect(await decided([[{ skill: 'deny' }], [{ skill: { a: 'allow' } }]])).toBe('deny')
    expect(await decided([[{ skill: 'ask' }], [{ skill: 'deny' }]])).toBe('deny')
    expect(await decided([[{ skill: 'ask' }]], { skill: 'allow' })).toBe('ask')
    expect(await decided([[{ skill: 'allow' }]], { skill: 'deny' })).toBe('deny')
    expect(await decided([[]], { skill: 'allow' })).toBe('allow')
  })

  it('takes an asterisk as anything, and after a space also as nothing at all', async () => {
    const matches = async (pattern: string, text: string, tool = 'read'): Promise<boolean> =>
      (await found({ [tool]: { [pattern]: 'allow' } }, tool, text)) === 'allow'
    expect(
      await Promise.all([
        matches('ls *', 'lstmeval'),
        matches('ls*', 'lstmeval'),
        matches('git *', 'git'),
        matches('foo+bar', 'foo+bar'),
        matches('C:/Windows/System32/*', 'C:\\Windows\\System32\\x'),
      ]),
    ).toEqual([false, true, true, true, true])
    expect(
      await Promise.all([matches('a?c', 'abc'), matches('a?c', 'ac'), matches('*b*', 'abc'), matches('a.c', 'abc')]),
    ).toEqual([true, false, true, false])
  })

  it('fits as a regular expression of the same meaning would', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.', '\n') })
    fc.assert(
      fc.property(text, text, (one, pattern) => {
        const regex = new RegExp(
          `^${[...pattern].map(char => (char === '*' ? '[^]*' : char === '?' ? '[^]' : char.replace(/\./, String.raw`\.`))).join('')}$`,
        )
        expect(fitsWildcard(one, pattern)).toBe(regex.test(one))
      }),
      { numRuns: 2000 },
    )
    expect(fitsWildcard('a'.repeat(20_000), `${'*a'.repeat(50)}b`)).toBe(false)
  })

  it('allows a script with something open only as one simple command', async () => {
    const asked = await asking({
      wildcards: [{ source: 'opencode.json', map: { bash: { 'git *': 'allow', 'git push *': 'deny' } } }],
      safe: false,
    })
    expect((await asked.check(script('git log'))).behavior).toBe('allow')
    expect((await asked.check(script('git log; id'))).behavior).toBe('ask')
    expect(await asked.check(script('id; git push'))).toMatchObject({
      behavior: 'deny',
      decisionReason: { rule: 'bash: { "git push *": "deny" }', source: 'opencode.json' },
    })
    expect((await asked.check(script('git log', { trust: 'untrusted' }))).behavior).toBe('deny')
  })

  it('holds for skills by canonical name', async () => {
    const asked = await asking({
      wildcards: [{ source: 'map', map: { '*': 'ask', skill: { 'my-*': 'allow', 'my-x*': 'deny', other: 'deny' } } }],
      safe: false,
    })
    const outcomes = await Promise.all(
      ['my-a', 'my-xa', 'MY-XA', 'other', 'else'].map(name => shortly(asked, requestFor(name))),
    )
    expect(outcomes).toEqual([
      'allow skill: { "my-*": "allow" }',
      'deny skill: { "my-x*": "deny" }',
      'deny skill: { "my-x*": "deny" }',
      'deny skill: { "other": "deny" }',
      'ask *: { "*": "ask" }',
    ])
    expect(await shortly(asked, requestFor(entryOf(skill('plain', { aliases: ['other'] }))))).toBe(
      'deny skill: { "other": "deny" }',
    )
  })

  it('asks where it says something else, and reports it', async () => {
    const map: WildcardMap = JSON.parse('{ "skill": { "a": "denied" } }')
    const asked = await asking({ wildcards: [{ source: 'map', map }], allow: ['Skill'] })
    expect((await asked.check(requestFor('a'))).behavior).toBe('ask')
    expect((await asked.check(requestFor('b'))).behavior).toBe('allow')
    expect(asked.told).toMatchObject([
      {
        code: 'invalid-rule',
        message: 'The entry skill: { "a": "denied" } of map says neither allow nor deny nor ask.',
      },
    ])
  })
})
