import { chmodSync, mkdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { asking, requestFor, script, shortly, temporary, type Asking, type AskingOptions } from '../test/asking.js'
import { mostProjectRules, type SettingsFile } from './settings-files.js'
import { permissionRules, unreadableRules } from './index.js'
import { fakeClock, withoutRoot } from '@skills/testing'
import type { TrustVerdict } from '@skills/invocation'

async function over(
  settings: Readonly<Record<string, unknown>>,
  { path = temporary().path, ...options }: AskingOptions & { readonly path?: string } = {},
): Promise<Asking & { readonly path: string }> {
  const tree = temporary(
    Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [
        `${name}.json`,
        typeof value === 'string' ? value : JSON.stringify({ permissions: value }),
      ]),
    ),
  )
  const files = Object.keys(settings).map((name): SettingsFile => ({
    path: `${tree.path}/${name}.json`,
    source: `${name}Settings`,
    isProject: name === 'project',
  }))
  return { ...(await asking({ files, ...options })), path: tree.path }
}

const trusting =
  (level: TrustVerdict['level']) =>
  ({ source }: { readonly source: string }): TrustVerdict =>
    source === 'project' ? { level, isApproved: true } : { level: 'trusted', isApproved: true }

describe('a settings file', () => {
  it('gives rules that are named with it', async () => {
    const asked = await over({ user: { allow: ['Skill(a)'], deny: ['Skill(b)'], ask: ['Skill(c)'] } })
    expect(await Promise.all(['a', 'b', 'c'].map(name => shortly(asked, requestFor(name))))).toEqual([
      'allow Skill(a)',
      'deny Skill(b)',
      'ask Skill(c)',
    ])
    expect((await asked.check(requestFor('b'))).decisionReason.source).toBe('userSettings')
    expect(
      (await asked.rules.listRules()).map(
        ({ behavior, text, path }) => `${behavior} ${text} ${path?.replace(asked.path, '')}`,
      ),
    ).toEqual(['allow Skill(a) /user.json', 'deny Skill(b) /user.json', 'ask Skill(c) /user.json'])
  })

  it('allows skills by a name with their source, or only if it is the file in which answers are saved', async () => {
    const { source } = requestFor('a').entry.command
    const settings = { user: { allow: [`Skill(${source}:a)`] }, local: { allow: [`Skill(${source}:b)`] } }
    const rulesOf = async (sourceNames: 'all' | 'saved') => {
      const { check } = await over(settings, { sourceNames })
      const decided = await Promise.all(['a', 'b'].map(name => check(requestFor(name))))
      return decided.map(({ decisionReason: { rule } }) => rule)
    }
    expect(await rulesOf('all')).toEqual([`Skill(${source}:a)`, `Skill(${source}:b)`])
    expect(await rulesOf('saved')).toEqual([undefined, `Skill(${source}:b)`])
  })

  it('is read in time in proportion to its rules', async () => {
    const timeOf = async (count: number): Promise<number> => {
      const { rules } = await over({ user: { allow: Array.from({ length: count }, (_, index) => `Skill(a${index})`) } })
      const begun = process.cpuUsage().user / 1000
      expect(await rules.listRules()).toHaveLength(count)
      return process.cpuUsage().user / 1000 - begun
    }
    await timeOf(200)
    const short = await timeOf(200)
    // Quadratic time would take ten thousand times as long for a hundred times the number.
    expect(await timeOf(20_000)).toBeLessThan(1_000 * Math.max(short, 1))
  })

  it('need not exist, and counts from when it does, until it changes', async () => {
    const { path, write, remove } = temporary()
    const asked = await asking({ files: [{ path: `${path}/late/s.json`, source: 's' }] })
    expect(await shortly(asked, requestFor('a'))).toBe('ask')
    write({ 'late/s.json': '{"permissions":{"deny":["Skill(a)"]}}' })
    expect(await shortly(asked, requestFor('a'))).toBe('deny Skill(a)')
    write({ 'late/s.json': '{"permissions":{"deny":["Skill(b)"]}}' })
    expect(await shortly(asked, requestFor('a'))).toBe('ask')
    remove('late')
    expect(await shortly(asked, requestFor('b'))).toBe('ask')
  })

  it('is looked at once for what one call asks in a tenth of a second, and its host may add rules meanwhile', async () => {
    const { path, write } = temporary()
    const clock = fakeClock(Date.now() + 60_000)
    const asked = await asking({ files: [{ path: `${path}/s.json`, source: 's' }], clock })
    const call = { signal: new AbortController().signal }
    const behaviorOf = async (name: string, given = call): Promise<string> =>
      (await asked.permission.check(requestFor(name), given)).behavior
    expect(await behaviorOf('a')).toBe('ask')
    write({ 's.json': '{"permissions":{"deny":["Skill(a)"]}}' })
    await clock.advance(99)
    expect(await behaviorOf('a')).toBe('ask')
    expect(await behaviorOf('a', { ...call })).toBe('deny')
    expect(await behaviorOf('a')).toBe('deny')
    write({ 's.json': '{"permissions":{}}' })
    asked.rules.addRules({ behavior: 'deny', rules: ['Skill(b)'] })
    expect(await behaviorOf('b')).toBe('deny')
    expect(await behaviorOf('a')).toBe('ask')
    write({ 's.json': '{"permissions":{"deny":["Skill(a)"]}}' })
    await clock.advance(100)
    expect(await behaviorOf('a')).toBe('deny')
  })

  it('that cannot be understood has everything asked about, what is allowed elsewhere too, and is reported once', async () => {
    const broken = [
      '{',
      '',
      '[]',
      'null',
      '{"permissions":[]}',
      '{"permissions":{"deny":"Skill(a)"}}',
      '{"permissions":{"allow":{}}}',
      '\u0000',
      '{"permissions":{"deny":["Skill(a)"]}} // x',
      // The rule of the first of two equal keys would be lost.
      '{"permissions":{"deny":["Skill(a)"]},"permissions":{}}',
      '{"permissions":{"deny":["Skill(a)"],"deny":[]}}',
      '{"permissions":{"ask":[],"ask":[]}}',
    ]
    for (const text of broken) {
      const asked = await over({ user: text }, { allow: ['Skill', 'Bash'], deny: ['Skill(b)'] })
      expect((await asked.check(requestFor('a'))).behavior, text).toBe('ask')
      expect((await asked.check(script('id'))).behavior, text).toBe('ask')
      expect((await asked.check(requestFor('b'))).behavior, text).toBe('deny')
      expect(
        asked.told.map(({ code, path }) => `${code} ${path}`),
        text,
      ).toEqual([`invalid-settings ${asked.path}/user.json`])
      expect((await asked.check(requestFor('a'))).decisionReason).toEqual({
        type: 'unreadable',
        source: 'userSettings',
      })
    }
  })

  it('has the question about it say where it cannot be read, on one line, and suggests no rule', async () => {
    const asked = await over(
      { user: '{\n  "permissions": {\n    "deny": [\n      "Skill(a)",\n    ]\n  }\n}' },
      { allow: ['Skill'] },
    )
    const decision = await asked.check(requestFor('a'))
    expect(decision).toEqual({
      behavior: 'ask',
      message: expect.stringMatching(/^Execute skill: a \(.* \S*\/user\.json:5:5 cannot be read: .* JSON: .*\)$/),
      decisionReason: { type: 'unreadable', source: 'userSettings' },
    })
    expect(asked.told).toMatchObject([{ line: 5, column: 5 }])
    expect(await unreadableRules({ files: [{ path: `${asked.path}/user.json`, source: 'userSettings' }] })).toEqual(
      asked.told,
    )
    expect(
      await unreadableRules({ deny: [{ rule: 'Bash(rm', source: '/c.json' }, 'Read'], allow: ['Skill(x'] }),
    ).toMatchObject([{ code: 'invalid-rule', message: expect.stringContaining('"Bash(rm" of /c.json') }])
  })

  it('that the host could not read is asked about in the same way', async () => {
    const asked = await asking({
      allow: ['Skill'],
      deny: ['Skill(b)'],
      unreadable: [{ source: '/c.json', problem: 'the rules of /c.json:1:2 cannot be read: the file is not JSON' }],
    })
    expect(await asked.check(requestFor('a'))).toEqual({
      behavior: 'ask',
      message: 'Execute skill: a (the rules of /c.json:1:2 cannot be read: the file is not JSON)',
      decisionReason: { type: 'unreadable', source: '/c.json' },
    })
    expect((await asked.check(requestFor('b'))).behavior).toBe('deny')
  })

  it('says what is wrong with it as other files do, and where', async () => {
    const messages = ['{\n"a": 1\n"b": 2}', '{"permissions":7}', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`].map(
      async text => {
        const asked = await over({ user: text })
        await asked.check(requestFor('a'))
        return asked.told.map(
          ({ message, line }) => `${message.replace(asked.path, '')}${line === undefined ? '' : ` ${line}`}`,
        )
      },
    )
    expect(await Promise.all(messages)).toEqual([
      [expect.stringMatching(/^The settings file \/user\.json .* JSON: .*[^.]\. 3$/s)],
      [expect.stringMatching(/ \/user\.json .*"permissions" .* object\.$/)],
      [expect.stringMatching(/ \/user\.json .* 100 levels /)],
    ])
  })

  it('that is no file, or too large, has everything asked about', async () => {
    const { path, write } = temporary({ 'large.json': ' '.repeat(1024 * 1024 + 1), 'loop.json': { link: 'loop.json' } })
    mkdirSync(`${path}/folder.json`)
    write({})
    for (const name of ['large', 'folder', 'loop']) {
      const asked = await asking({ files: [{ path: `${path}/${name}.json`, source: 's' }], allow: ['Skill'] })
      expect((await asked.check(requestFor('a'))).behavior, name).toBe('ask')
      expect(
        asked.told.map(({ code }) => code),
        name,
      ).toEqual(['unreadable-settings'])
    }
  })

  it('that may not be read, or lies where no one may look, has everything asked about', async () => {
    const { path } = temporary({
      'shut.json': { content: '{}', mode: 0o000 },
      'shut/s.json': '{}',
      shut: { dir: true, mode: 0o000 },
      'dangling.json': { link: 'nowhere' },
    })
    chmodSync(path, 0o755)
    const outcomes = await withoutRoot(async () => {
      const found: string[] = []
      for (const name of ['shut.json', 'shut/s.json', 'dangling.json']) {
        const asked = await asking({ files: [{ path: `${path}/${name}`, source: 's' }], allow: ['Skill'] })
        found.push(`${name} ${(await asked.check(requestFor('a'))).behavior} ${asked.told.map(({ code }) => code)}`)
      }
      return found
    })
    expect(outcomes).toEqual([
      'shut.json ask unreadable-settings',
      'shut/s.json ask unreadable-settings',
      'dangling.json ask unreadable-settings',
    ])
  })

  it('leaves its other keys to others', async () => {
    expect(
      await shortly(
        await over({ user: '\uFEFF{"permissions":{"deny":["Skill(a)"],"defaultMode":1},"hooks":[]}' }),
        requestFor('a'),
      ),
    ).toBe('deny Skill(a)')
    for (const text of [
      '{}',
      '{"permissions":null}',
      '{"permissions":{"deny":null}}',
      '{"__proto__":{"permissions":{"allow":["Skill"]}}}',
    ]) {
      const asked = await over({ user: text })
      expect([await shortly(asked, requestFor('a')), asked.told], text).toEqual(['ask', []])
    }
  })
})

describe('a rule that does not parse', () => {
  it('is reported with its place, and lets nothing pass unasked that it may have forbidden', async () => {
    const text =
      '{\n  "permissions": {\n    "deny": [\n      "Bash(rm",\n      7\n    ],\n    "allow": ["Skill(x"]\n  }\n}'
    const asked = await over({ user: text }, { allow: ['Bash', 'Skill'] })
    expect(await asked.check(script('id'))).toMatchObject({
      behavior: 'ask',
      message: expect.stringMatching(/"id" for skill: deploy \(.*"Bash\(rm" of userSettings /),
      decisionReason: { type: 'unreadable', rule: 'Bash(rm', source: 'userSettings' },
    })
    expect((await asked.check(requestFor('x'))).behavior, 'no one knows what a number forbids').toBe('ask')
    expect(asked.told.map(({ severity, field, line, message }) => [severity, field, line, message])).toEqual([
      [
        'warning',
        'permissions.allow[0]',
        7,
        'The allow rule "Skill(x" of userSettings has no closing parenthesis (character 8).',
      ],
      [
        'error',
        'permissions.deny[0]',
        4,
        'The deny rule "Bash(rm" of userSettings has no closing parenthesis (character 8).',
      ],
      ['error', 'permissions.deny[1]', undefined, 'The deny rule "7" of userSettings is not text (character 1).'],
    ])
  })

  it('among many is told of with a few others, and of the rest how many there are', async () => {
    const timeOf = async (count: number): Promise<number> => {
      const asked = await over(
        { user: { deny: Array.from({ length: count }, (_, index) => `Bash(x${index}`) } },
        { allow: ['Skill'] },
      )
      const begun = process.cpuUsage().user / 1000
      expect((await asked.check(script('id'))).behavior).toBe('ask')
      const took = process.cpuUsage().user / 1000 - begun
      expect((await asked.check(requestFor('a'))).behavior).toBe('allow')
      expect(asked.told).toHaveLength(6)
      expect(asked.told.at(-1)).toMatchObject({
        severity: 'error',
        code: 'invalid-rule',
        message: `${count - 5} more rules of ${asked.path}/user.json cannot be understood or are doubtful.`,
      })
      return took
    }
    await timeOf(200)
    const short = await timeOf(200)
    // Quadratic time would take forty thousand times as long for two hundred times the number.
    expect(await timeOf(40_000)).toBeLessThan(2_000 * Math.max(short, 1))
  })

  it('touches only the tool that it names', async () => {
    const asked = await asking({ deny: ['Bash(rm', 'mcp__a__b__*'], ask: ['Read('], allow: ['Skill', 'Bash'] })
    expect(await shortly(asked, requestFor('a'))).toBe('allow Skill')
    for (const tool of ['Bash', 'Read', 'mcp__a__b__c'])
      expect((await asked.check(script('x', { tool }))).behavior, tool).toBe('ask')
  })

  it('allows nothing', async () => {
    const asked = await asking({ allow: ['Skill(a', '*', 'Skill(mcp__*)'] })
    expect(await shortly(asked, requestFor('a'))).toBe('ask')
    expect(asked.told.map(({ severity, code }) => `${severity} ${code}`)).toEqual(Array(3).fill('warning invalid-rule'))
  })
})

describe('a project', () => {
  const shipped = { allow: ['Skill', 'Bash'], deny: ['Skill(b)'], ask: ['Skill(c)'] }

  it('that ships rules grants nothing, and what it denies counts', async () => {
    const asked = await over({ project: shipped }, { trust: trusting('untrusted'), allow: ['Skill(c)'] })
    expect(await Promise.all(['a', 'b', 'c'].map(name => shortly(asked, requestFor(name))))).toEqual([
      'ask',
      'deny Skill(b)',
      'allow Skill(c)',
    ])
    expect(await shortly(asked, script('id'))).toBe('ask')
  })

  it('that is trusted is obeyed, by the trust provider or by the host', async () => {
    for (const options of [
      { trust: trusting('trusted') },
      { trust: trusting('untrusted'), projectAllows: () => true },
    ]) {
      const asked = await over({ project: shipped }, options)
      expect(await Promise.all(['a', 'b', 'c'].map(name => shortly(asked, requestFor(name))))).toEqual([
        'allow Skill',
        'deny Skill(b)',
        'ask Skill(c)',
      ])
    }
    const distrusted = await over({ project: shipped }, { trust: trusting('trusted'), projectAllows: () => false })
    expect(await shortly(distrusted, requestFor('a'))).toBe('ask')
  })

  it('that ships a broken file or rule has more asked about, and never less', async () => {
    const asked = await over(
      { project: { deny: ['Skill(x'] } },
      { trust: trusting('untrusted'), allow: ['Skill', 'Bash'] },
    )
    expect([(await asked.check(requestFor('a'))).behavior, (await asked.check(script('id'))).behavior]).toEqual([
      'ask',
      'allow',
    ])
    expect(
      (await (await over({ project: '{' }, { trust: trusting('untrusted'), allow: ['Skill'] })).check(requestFor('a')))
        .behavior,
    ).toBe('ask')
  })

  it('that ships more rules than anyone writes, or one that is longer, has everything asked about', async () => {
    const many = (length: number) => ({ deny: Array.from({ length }, (_, index) => `Skill(x${index})`) })
    const options: AskingOptions = { trust: trusting('untrusted'), allow: ['Skill', 'Bash'] }
    expect(await shortly(await over({ project: many(mostProjectRules) }, options), requestFor('a'))).toBe('allow Skill')
    const asked = await over({ project: many(mostProjectRules + 1) }, options)
    expect(await asked.check(requestFor('a'))).toMatchObject({
      behavior: 'ask',
      decisionReason: { type: 'unreadable', source: 'projectSettings' },
    })
    expect(asked.told).toMatchObject([
      {
        code: 'invalid-settings',
        message: `The settings file ${asked.path}/project.json has 1001 rules, and the settings file of a project may have at most 1000.`,
      },
    ])
    const long = await over({ project: { deny: [`Skill(${'x'.repeat(5000)})`] } }, options)
    expect((await long.check(requestFor('a'))).behavior).toBe('ask')
    expect(long.told[0]?.message).toMatch(/"Skill\(x{54}…" of projectSettings .* 4096 .*\(character 4097\)\.$/)
    const own = await over({ user: many(mostProjectRules + 1) }, { allow: ['Skill'] })
    expect(await shortly(own, requestFor('a')), 'those of the user are as many as they like').toBe('allow Skill')
  })

  it('that ships approvals or configuration changes nothing: only the lists of rules are read', async () => {
    const text = JSON.stringify({
      permissions: { defaultMode: 'bypassPermissions', additionalDirectories: ['/'] },
      trust: true,
      approvals: { a: true },
      enableAllProjectMcpServers: true,
    })
    expect(await shortly(await over({ project: text }, { trust: trusting('trusted') }), requestFor('a'))).toBe('ask')
  })
})

describe('settings files', () => {
  it('have names of their own and absolute paths', () => {
    const file = { path: '/a', source: 'a' }
    for (const files of [[file, file], [{ path: '/a', source: 'session' }], [{ path: 'a', source: 'a' }]])
      expect(() => permissionRules({ files })).toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
  })
})
