import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asking, entryOf, requestFor, script, shortly, skill } from '../test/asking.js'

describe('the order of rules', () => {
  it('is deny, ask, allow, harmless, ask', async () => {
    const both = { deny: ['Skill(a)'], ask: ['Skill(a)', 'Skill(b)'], allow: ['Skill(a)', 'Skill(b)', 'Skill(c)'] }
    const asked = await asking(both)
    expect(await shortly(asked, requestFor('a'))).toBe('deny Skill(a)')
    expect(await shortly(asked, requestFor('b'))).toBe('ask Skill(b)')
    expect(await shortly(asked, requestFor('c'))).toBe('allow Skill(c)')
    expect(await shortly(asked, requestFor(entryOf(skill('d', { model: undefined }))))).toBe('allow safe')
    expect(await shortly(asked, requestFor('d'))).toBe('ask')
  })

  it('lets no rule outdo one that denies', async () => {
    const names = ['a', 'a:b', 'a:b:c', 'b', 'mcp__a__b']
    const contents = [
      '',
      '(*)',
      '(a)',
      '(a:*)',
      '(a:b)',
      '(a:b:*)',
      '(a *)',
      '(b)',
      '(/b)',
      '(user:*)',
      '(user:b)',
      '(mcp__a__*)',
    ]
    const rule = fc.constantFrom(...contents.map(content => `Skill${content}`))
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule),
        fc.array(rule),
        fc.array(rule),
        fc.array(rule),
        fc.constantFrom(...names),
        fc.constantFrom('segment' as const, 'text' as const),
        async (deny, ask, allow, more, name, prefix) => {
          const request = requestFor(name)
          const alone = await (await asking({ deny, prefix, safe: false })).check(request)
          const asked = await asking({
            deny,
            ask,
            allow,
            prefix,
            wildcards: [{ source: 'map', map: { '*': 'allow' } }],
          })
          asked.rules.addRules({ behavior: 'allow', rules: more })
          const all = await asked.check(request)
          const isDenied = alone.behavior === 'deny'
          expect([all.behavior === 'deny', isDenied ? all : alone]).toEqual([isDenied, alone])
        },
      ),
      { numRuns: 400 },
    )
  })

  it('does not depend on the order in which rules are written', async () => {
    const rules = ['Skill(a)', 'Skill(b:*)', 'Skill', 'Bash(git *)']
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(rules),
        fc.shuffledSubarray(rules),
        fc.shuffledSubarray(rules),
        fc.constantFrom('a', 'b', 'b:c', 'd'),
        async (deny, ask, allow, name) => {
          const one = await (await asking({ deny, ask, allow })).check(requestFor(name))
          const other = await (
            await asking({ deny: deny.toReversed(), ask: ask.toReversed(), allow: allow.toReversed() })
          ).check(requestFor(name))
          expect(other.behavior).toBe(one.behavior)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('a decision', () => {
  it('has the shape that hosts know, and names the rule as written with its source', async () => {
    const asked = await asking({
      deny: [{ rule: 'Skill(/b)', source: 'policySettings' }],
      ask: ['Skill(c *)'],
      allow: [{ rule: 'Skill(a:*)', source: 'cliArg' }],
    })
    expect(await asked.check(requestFor('a'))).toEqual({
      behavior: 'allow',
      message: 'The rule Skill(a:*) of cliArg allows "a".',
      decisionReason: { type: 'rule', rule: 'Skill(a:*)', source: 'cliArg' },
    })
    expect(await asked.check(requestFor('b'))).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(/Skill\(\/b\) of policySettings denies "b"\./) as string,
      decisionReason: { type: 'rule', rule: 'Skill(/b)', source: 'policySettings' },
    })
    expect(await asked.check(requestFor('c'))).toEqual({
      behavior: 'ask',
      message: 'Execute skill: c',
      decisionReason: { type: 'rule', rule: 'Skill(c *)', source: 'options' },
    })
    expect(await asked.check(requestFor('x'))).toEqual({
      behavior: 'ask',
      message: 'Execute skill: x',
      decisionReason: { type: 'default' },
      suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Skill', ruleContent: 'x' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
        {
          type: 'addRules',
          rules: [{ toolName: 'Skill', ruleContent: 'x:*' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
    })
  })

  it('suggests the exact name alone where the host wants no more', async () => {
    const asked = await asking({ suggest: { prefixes: false, destination: 'userSettings' } })
    expect((await asked.check(requestFor('x'))).suggestions).toEqual([
      {
        type: 'addRules',
        rules: [{ toolName: 'Skill', ruleContent: 'x' }],
        behavior: 'allow',
        destination: 'userSettings',
      },
    ])
  })

  it('suggests only rules that would have allowed it', async () => {
    const scripts = [
      'git status',
      'git log -5',
      'a (b) * \\',
      'a; b',
      'python -c x y',
      'a\nb',
      'git log "${SKILL_ARG_0}" x',
      'npx --yes a',
      'ls *',
      'ls:*',
    ]
    for (const one of scripts) {
      for (const values of [{}, { SKILL_ARG_0: 'v' }]) {
        const { suggestions = [] } = await (await asking()).check(script(one, { values }))
        for (const suggestion of suggestions) {
          const asked = await asking()
          asked.rules.addRules({ ...suggestion, destination: 'session' })
          expect((await asked.check(script(one, { values }))).behavior, `${one} ${JSON.stringify(suggestion)}`).toBe(
            'allow',
          )
          expect((await asked.check(script('id'))).behavior, one).toBe('ask')
        }
      }
    }
    const texts = async (one: string, values = {}): Promise<unknown> =>
      (await (await asking()).check(script(one, { values }))).suggestions?.map(({ rules }) => rules[0]?.ruleContent)
    expect(await texts('git log -5')).toEqual(['git log -5', 'git log:*'])
    expect(await texts('python x y')).toEqual(['python x y'])
    expect(
      await texts('sh -c "${SKILL_ARG_0}"', { SKILL_ARG_0: 'id' }),
      'another value would run another program',
    ).toBeUndefined()
  })
})

describe('names', () => {
  it('that words begin are forbidden as text where that is wanted, and allowed and run as words', async () => {
    const outcomes = async (prefix: 'text' | 'text-or-words', behavior: 'allow' | 'ask' | 'deny') => {
      const asked = await asking({ [behavior]: ['Skill(my *)'], prefix, safe: false })
      return Promise.all(['my', 'my-a', 'other'].map(async name => (await asked.check(requestFor(name))).behavior))
    }
    expect(await outcomes('text', 'deny')).toEqual(['deny', 'ask', 'ask'])
    expect(await outcomes('text-or-words', 'deny')).toEqual(['deny', 'deny', 'ask'])
    expect(await outcomes('text-or-words', 'allow')).toEqual(['allow', 'ask', 'ask'])
    const shell = await asking({ deny: ['Bash(git *)'], allow: ['Bash'], prefix: 'text-or-words' })
    expect((await shell.check(script('gitk'))).behavior).toBe('allow')
  })

  it('match whole segments, or as text', async () => {
    const outcomes = async (prefix: 'segment' | 'text'): Promise<readonly string[]> => {
      const asked = await asking({ allow: ['Skill(my:*)'], prefix })
      return Promise.all(
        ['my', 'my:a', 'my:a:b', 'mya', 'my-a', 'm', 'a:my', 'My'].map(
          async name => `${name} ${(await asked.check(requestFor(name))).behavior}`,
        ),
      )
    }
    expect(await outcomes('segment')).toEqual([
      'my allow',
      'my:a allow',
      'my:a:b allow',
      'mya ask',
      'my-a ask',
      'm ask',
      'a:my ask',
      'My ask',
    ])
    expect(await outcomes('text')).toEqual([
      'my allow',
      'my:a allow',
      'my:a:b allow',
      'mya allow',
      'my-a allow',
      'm ask',
      'a:my ask',
      'My ask',
    ])
  })

  it('match with and without arguments', async () => {
    const asked = await asking({ allow: ['Skill(a)', 'Skill(b *)'] })
    for (const name of ['a', 'b'])
      for (const args of ['', 'x y'])
        expect((await asked.check(requestFor(name, { args }))).behavior, name).toBe('allow')
  })

  it('take an asterisk literally and say so', async () => {
    const asked = await asking({ allow: ['Skill(my-*)'], deny: ['Skill(your-*)'] })
    expect(await shortly(asked, requestFor('my-a'))).toBe('ask')
    expect(await shortly(asked, requestFor('my-*'))).toBe('allow Skill(my-*)')
    expect(asked.told.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      expect.stringMatching(/^literal-asterisk: .*deny rule "Skill\(your-\*\)" of options /),
      'literal-asterisk: The allow rule "Skill(my-*)" of options has an asterisk that is taken literally: only ":*" at the end of a namespace matches every name in it.',
    ])
  })

  it('never slip past a deny: not by an alias, a display name, a slash, a case, a qualifier or a way of writing', async () => {
    const command = skill('déploy', { displayName: 'Ship it', aliases: ['release'] })
    const written = [
      'déploy',
      'de\u0301ploy',
      '/déploy',
      'DÉPLOY',
      'Ship it',
      'release',
      'user:déploy',
      'user:*',
      'déploy *',
      'déploy:*',
    ]
    for (const name of ['déploy', 'user:déploy', 'de\u0301ploy']) {
      for (const content of written) {
        const asked = await asking({ deny: [`Skill(${content})`], allow: ['Skill'] })
        expect(
          (
            await asked.check(
              requestFor(entryOf(command, { name, isQualified: name.includes(':') }), { content: '/release' }),
            )
          ).behavior,
          `${content} for ${name}`,
        ).toBe('deny')
      }
    }
    for (const rule of ['skill(déploy)', 'S*', '*', 'SKILL'])
      expect(
        (await (await asking({ deny: [rule], allow: ['Skill'] })).check(requestFor(entryOf(command)))).behavior,
        rule,
      ).toBe('deny')
  })

  it('allow by the canonical name alone', async () => {
    const command = skill('deploy', { displayName: 'Ship', aliases: ['release'] })
    for (const rule of ['Skill(Ship)', 'Skill(release)', 'Skill(Deploy)', 'skill(deploy)'])
      expect((await (await asking({ allow: [rule] })).check(requestFor(entryOf(command)))).behavior, rule).toBe('ask')
  })

  it('with a source allow only skills of that source; a name with the same prefix does not count', async () => {
    const asked = await asking({ allow: ['Skill(user:deploy)', 'Skill(mcp__github__*)'] })
    const behavior = async (...[name, source, parts]: [string, string, object?]): Promise<string> =>
      (await asked.check(requestFor(entryOf(skill(name, { source, ...parts }))))).behavior
    expect(await behavior('deploy', 'user')).toBe('allow')
    expect(await behavior('deploy', 'project')).toBe('ask')
    expect(await behavior('user:deploy', 'plugin')).toBe('ask')
    expect(await behavior('user:deploy', 'project', { qualifier: 'user' })).toBe('ask')
    // No command has the source "legacy", but a plugin may have that name.
    const named = await asking({ allow: ['Skill(legacy:deploy)', 'Skill(acme:deploy)'] })
    for (const name of ['legacy:deploy', 'acme:deploy'])
      expect(await shortly(named, requestFor(entryOf(skill(name, { source: 'plugin' }))))).toBe(`allow Skill(${name})`)
    expect(await behavior('mcp__github__x', 'mcp')).toBe('allow')
    expect(await behavior('mcp__github__x', 'project')).toBe('ask')
    expect(await behavior('mcp__gitlab__x', 'mcp')).toBe('ask')
  })

  it('of a text prefix do not reach into the source', async () => {
    const asked = await asking({
      allow: ['Skill(us:*)'],
      prefix: 'text',
      wildcards: [{ source: 'map', map: { skill: { 'use*': 'allow' } } }],
    })
    expect((await asked.check(requestFor('deploy'))).behavior).toBe('ask')
  })

  it('of a server may be written as its tools are', async () => {
    const request = requestFor(entryOf(skill('mcp__github__review', { source: 'mcp' })), { trust: 'remote' })
    for (const rule of ['mcp__github__*', 'mcp__github', 'Skill(mcp__github__*)', 'Skill(mcp__github__review)']) {
      const trust = (): { level: 'remote'; isApproved: boolean } => ({ level: 'remote', isApproved: true })
      expect(await shortly(await asking({ allow: [rule], trust }), request)).toBe(`allow ${rule}`)
      expect(await shortly(await asking({ deny: [rule], allow: ['Skill'], trust }), request)).toBe(`deny ${rule}`)
    }
  })
})

describe('Bash', () => {
  it('is allowed by a prefix only as one simple command', async () => {
    const asked = await asking({ allow: ['Bash(git:*)', 'Bash(npm run build)', 'Bash(ls *)'] })
    for (const one of ['git', 'git status', 'npm run build', 'ls -la', 'ls', 'timeout 30 git log'])
      expect((await asked.check(script(one))).behavior, one).toBe('allow')
    for (const one of [
      'git status; id',
      'git $(id)',
      'git log > f',
      'git status\nid',
      'gitx',
      'npm run build x',
      'npm run',
      'lsof',
      'npm run build; id',
      'git & id',
      'X=1 git status',
      '\u00a0git status',
      'git\u00a0',
      'git status\r\n',
    ]) {
      expect((await asked.check(script(one))).behavior, one).toBe('ask')
    }
  })

  it('is allowed exactly as it is written, and in no other way', async () => {
    const asked = await asking({ allow: [String.raw`Bash(a; b > \(c\))`] })
    expect((await asked.check(script(' a; b > (c)\n'))).behavior).toBe('allow')
    for (const one of ['a; b > (c) d', 'a; b  > (c)', 'a; B > (c)'])
      expect((await asked.check(script(one))).behavior, one).toBe('ask')
  })

  it('is allowed by what a trusted skill allows itself, after what is denied and asked', async () => {
    const granted = ['Bash(git *)', 'Read']
    const asked = await asking({ deny: ['Bash(git push:*)'], ask: ['Bash(git reset:*)'] })
    expect(await asked.check(script('git status', { granted }))).toEqual({
      behavior: 'allow',
      message: expect.stringMatching(/Bash\(git \*\) of allowed-tools of deploy .*"deploy" /) as string,
      decisionReason: { type: 'rule', rule: 'Bash(git *)', source: 'allowed-tools of deploy' },
    })
    expect(await shortly(asked, script('git push', { granted }))).toBe('deny Bash(git push:*)')
    expect(await shortly(asked, script('git reset', { granted }))).toBe('ask Bash(git reset:*)')
    expect(await shortly(asked, script('id', { granted }))).toBe('ask')
    const several = ['Bash(git add:*, git status)', 'Bash(']
    expect(
      await Promise.all(
        ['git add x', 'git status', 'git status x', 'git add:*, git status'].map(one =>
          shortly(asked, script(one, { granted: several })),
        ),
      ),
    ).toEqual(['allow Bash(git add:*)', 'allow Bash(git status)', 'ask', 'ask'])
    expect(await shortly(asked, script('echo a, b', { granted: ['Bash(echo a, b)'] }))).toBe('allow Bash(echo a, b)')
    expect(asked.told).toMatchObject([
      {
        code: 'invalid-rule',
        name: 'deploy',
        field: 'allowed-tools',
        message: expect.stringMatching(/"Bash\(" of allowed-tools of deploy .*character 6\)/),
      },
    ])
    expect(await shortly(asked, requestFor('deploy', { granted: ['Skill'] })), 'a skill does not allow itself').toBe(
      'ask',
    )
    expect(await shortly(asked, script('git status', { granted, tool: 'PowerShell' }))).toBe('ask')
  })

  it('never runs for a skill that is untrusted or comes from a server, even with rules that allow it', async () => {
    const asked = await asking({ allow: ['Bash', 'Bash(git *)'] })
    for (const trust of ['untrusted', 'remote'] as const)
      expect(await shortly(asked, script('git status', { trust, granted: ['Bash'] }))).toBe('deny')
    expect((await asked.check(script('id', { trust: 'remote' }))).message).toBe(
      '"deploy" may not use Bash: a skill from a server never runs anything.',
    )
  })

  it('under PowerShell is allowed by its own rules', async () => {
    const asked = await asking({ allow: ['PowerShell(git *)', 'Bash'] })
    expect((await asked.check(script('git status', { tool: 'PowerShell' }))).behavior).toBe('allow')
    for (const one of ['git status; id', 'git (id)', 'git $x'])
      expect((await asked.check(script(one, { tool: 'PowerShell' }))).behavior, one).toBe('ask')
  })
})

describe('trust', () => {
  it('is needed for a rule to allow', async () => {
    const asked = await asking({ allow: ['Skill'] })
    expect(await asked.check(requestFor('a', { trust: 'untrusted' }))).toEqual({
      behavior: 'ask',
      message: expect.stringMatching(/^Execute skill: a \(.*\bSkill of options /) as string,
      decisionReason: { type: 'default', rule: 'Skill', source: 'options' },
    })
  })

  it('is looked up again with the approval, so that a skill that changed is asked about', async () => {
    let isApproved = true
    const calls: unknown[] = []
    const asked = await asking({
      allow: ['Skill(a)', 'Bash(git *)'],
      trust: ({ name }, asksApproval) => {
        calls.push([name, asksApproval])
        return { level: 'trusted', isApproved }
      },
    })
    expect((await asked.check(requestFor('a'))).behavior).toBe('allow')
    isApproved = false
    expect(await asked.check(requestFor('a'))).toMatchObject({
      behavior: 'ask',
      message: expect.stringMatching(/^Execute skill: a \(.*Skill\(a\) of options /),
    })
    expect((await asked.check(script('git log'))).behavior).toBe('ask')
    expect((await asked.check(script('git log', { granted: ['Bash'] }))).behavior).toBe('ask')
    expect(calls).toEqual([
      ['a', true],
      ['a', true],
      ['deploy', true],
      ['deploy', true],
    ])
  })

  it('that was revoked meanwhile does not count', async () => {
    for (const level of ['untrusted', 'remote'] as const)
      expect(
        (await (await asking({ allow: ['Skill'], trust: () => ({ level, isApproved: true }) })).check(requestFor('a')))
          .behavior,
        level,
      ).toBe('ask')
  })
})
