import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, renameSync, truncateSync } from 'node:fs'
import { createSkills, loadResult, systemClock, type GateRules, type Provider } from '@skills/core'
import { fakeClock, fakeHost, withoutRoot, type TempTreeEntry } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { managedSource } from './index.js'
import { parsePolicy } from './policy-schema.js'
import { managing, owner, shown, sourceOver, temporary, withPolicy } from '../test/engine.js'

const isRoot = process.getuid?.() === 0
const isPosix = process.platform !== 'win32'

/** One skill of each source. */
const everywhere = Object.fromEntries(
  ['managed/.claude/skills', 'user', 'project', 'additional', 'plugin'].map(folder => [
    `${folder}/in-${folder.split('/')[0] ?? ''}/SKILL.md`,
    'x',
  ]),
)

/** Returns the ids of the sources that have skills under a policy. */
async function sourcesUnder(skills: unknown): Promise<readonly string[]> {
  const { path } = withPolicy(skills, everywhere)
  const plugins = [
    sourceOver(path, 'user'),
    sourceOver(path, 'project', { source: 'additional' }),
    sourceOver(path, 'plugin'),
  ]
  return (await shown(managing(path, plugins))).map(line => line.split(' from ')[1] ?? '')
}

describe('a policy over sources', () => {
  it.each([
    ['nothing', {}, ['managed', 'user', 'project', 'additional', 'plugin']],
    ['one that is disabled', { disabledSources: ['user'] }, ['managed', 'project', 'additional', 'plugin']],
    [
      'the project, which takes additional folders along',
      { disabledSources: ['project'] },
      ['managed', 'user', 'plugin'],
    ],
    ['additional folders alone', { disabledSources: ['additional'] }, ['managed', 'user', 'project', 'plugin']],
    ['all but those that are allowed', { allowedSources: ['plugin'] }, ['managed', 'plugin']],
    [
      'all but the project with its additional folders',
      { allowedSources: ['project'] },
      ['managed', 'project', 'additional'],
    ],
    ['additional folders too where the project is not allowed', { allowedSources: ['additional'] }, ['managed']],
    ['everything that can be switched off', { allowedSources: [] }, ['managed']],
    [
      'what is allowed and disabled',
      { allowedSources: ['user', 'plugin'], disabledSources: ['user'] },
      ['managed', 'plugin'],
    ],
    [
      'the managed source never',
      { disabledSources: ['managed', 'builtin'] },
      ['managed', 'user', 'project', 'additional', 'plugin'],
    ],
  ])('switches off %s', async (_what, policy, expected) => {
    expect(await sourcesUnder(policy)).toEqual(expected)
  })

  it('leaves built-in commands alone', async () => {
    const { path } = withPolicy({ allowedSources: [], disabledSources: ['builtin'] }, { 'builtin/help/SKILL.md': 'x' })
    expect(await shown(managing(path, [sourceOver(path, 'builtin')]))).toEqual(['help from builtin'])
  })

  it('keeps a source from being asked, and its place says why', async () => {
    const { path } = withPolicy({ disabledSources: ['user'] }, everywhere)
    const { places } = await managing(path, [sourceOver(path, 'user')]).skills.catalog()
    expect(places).toContainEqual({
      path: 'user',
      state: 'skipped',
      found: 0,
      provider: 'user',
      note: `The policy ${path}/managed/managed-settings.json switches off the source "user".`,
    })
  })
})

describe('a policy over skills', () => {
  const skills = {
    'user/deploy/SKILL.md': '---\nname: Ship\naliases: [release]\n---\n',
    'project/deploy/SKILL.md': 'another',
    'user/lint/SKILL.md': 'x',
    'managed/.claude/skills/audit/SKILL.md': 'x',
  }
  const named = async (...disabledSkills: readonly string[]): Promise<readonly string[]> => {
    const { path } = withPolicy({ disabledSkills }, skills)
    return shown(managing(path, [sourceOver(path, 'user'), sourceOver(path, 'project')]))
  }
  const all = ['audit from managed', 'deploy from user', 'lint from user', 'project:deploy from project']

  it.each([
    ['by name, of any source', 'deploy', ['audit from managed', 'lint from user']],
    ['by name, in another case and with a slash before it', ' /DEPLOY', ['audit from managed', 'lint from user']],
    [
      'by a qualified name, of one source',
      'user:deploy',
      ['audit from managed', 'lint from user', 'deploy from project'],
    ],
    ['by its display name', 'ship', ['audit from managed', 'lint from user', 'deploy from project']],
    ['by an alias', 'release', ['audit from managed', 'lint from user', 'deploy from project']],
    ['that is managed itself', 'audit', ['deploy from user', 'lint from user', 'project:deploy from project']],
    ['that no one has, without a word', 'nowhere', all],
    ['by a part of its name never', 'depl', all],
  ])('switches off a skill %s', async (_what, name, expected) => {
    expect(await named(name)).toEqual(expected)
  })

  it('names compare after Unicode normalisation', async () => {
    const { path } = withPolicy({ disabledSkills: ['cafe\u0301'] }, { 'user/caf\u00e9/SKILL.md': 'x' })
    expect(await shown(managing(path, [sourceOver(path, 'user')]))).toEqual([])
  })

  it('is explained with the file to look at', async () => {
    const { path } = withPolicy({ disabledSkills: ['user:deploy'], disableShell: true }, skills)
    const { skills: engine } = managing(path, [sourceOver(path, 'user')])
    const file = `${path}/managed/managed-settings.json`
    const byKey = `"skills.disabledSkills" in ${file} names "user:deploy"; only an administrator can change that.`
    expect(await engine.explain('deploy')).toMatchObject({
      answers: [
        {
          status: 'disabled',
          source: 'user',
          notListedBecause: [
            { cause: 'gate', text: `The policy ${file} names "user:deploy" among its disabled skills.` },
          ],
        },
      ],
      notes: [
        { provider: 'managed-policy', path: file, text: byKey },
        {
          provider: 'managed-policy',
          path: file,
          text: `"skills.disableShell" in ${file} keeps commands embedded in skills from running.`,
        },
      ],
    })
    expect((await engine.explain('user:deploy')).notes[0]).toEqual({
      provider: 'managed-policy',
      path: file,
      text: byKey,
    })
  })

  it('says of a name that no command has which places were not looked at', async () => {
    const { path } = withPolicy({ disabledSources: ['user', 'mcp'], allowedSources: ['project'] }, skills)
    const { notes } = await managing(path, [sourceOver(path, 'user')]).skills.explain('deploy')
    const file = `${path}/managed/managed-settings.json`
    expect(notes.map(({ text }) => text)).toEqual([
      `"skills.disabledSources" in ${file} switches off user, mcp, so another source may have a skill of this name.`,
      expect.stringMatching(/^"skills\.allowedSources" in .* project /),
    ])
  })

  it('says nothing of sources that it names and that no policy switches off', async () => {
    const notesUnder = async (policy: object): Promise<readonly string[]> => {
      const { notes } = await managing(withPolicy(policy, skills).path).skills.explain('nowhere')
      return notes.map(({ text }) => text.replace(/ in \S+|, so another.*/g, ''))
    }
    expect(await notesUnder({ disabledSources: ['builtin', 'managed'] })).toEqual([])
    expect(await notesUnder({ disabledSources: ['builtin', 'user'] })).toEqual([
      '"skills.disabledSources" switches off user',
    ])
    expect(await notesUnder({ allowedSources: ['managed', 'user'] })).toEqual([
      '"skills.allowedSources" allows user besides managed and builtin',
    ])
    expect(await notesUnder({ allowedSources: ['builtin'] })).toEqual([
      '"skills.allowedSources" allows nothing besides managed and builtin',
    ])
  })

  it('says of a command whose source is off by which key', async () => {
    const { path } = withPolicy({ disabledSources: ['additional'] }, everywhere)
    const { notes } = await managing(path, [sourceOver(path, 'project', { source: 'additional' })]).skills.explain(
      'in-additional',
    )
    expect(notes).toMatchObject([{ text: expect.stringMatching(/^"skills\.disabledSources" in /) }])
  })
})

describe('a policy over embedded commands', () => {
  it('answers the one who is about to run them', async () => {
    const answer = async (policy: unknown): Promise<string | undefined> => {
      const { path } = withPolicy(policy, everywhere)
      return shellIn(path)
    }
    expect(await answer({})).toBeUndefined()
    expect(await answer({ disableShell: false })).toBeUndefined()
    expect(await answer({ disableShell: true })).toMatch(/^The policy \S+ switches off commands embedded in skills\.$/)
    expect(await shellIn(temporary({ managed: { dir: true } }).path)).toBeUndefined()
    const own = (text: string) => shellIn(temporary({ ...everywhere, 'managed/managed-settings.json': text }).path)
    expect(await own('{ "disableSkillShellExecution": false }')).toBeUndefined()
    expect(await own('{ "disableSkillShellExecution": true }')).toMatch(/ commands embedded /)
    expect(await own('{ "disableSkillShellExecution": true, "disableSkillShellExecution": false }')).toMatch(
      /cannot be understood/,
    )
    expect(await shellIn(temporary({ 'managed/managed-settings.json': '{' }).path)).toMatch(/^The policy \S+ cannot /)
  })
})

/** Returns the gate's answer about running the embedded commands of the only managed skill. */
async function shellIn(path: string): Promise<string | undefined> {
  let given: string | undefined
  const asker: Provider<'source', 'gate'> = {
    kind: 'source',
    id: 'asker',
    needs: ['gate'],
    setup: ctx => ({
      source: 'bundled',
      list: () => loadResult({}),
      async explain(_name, command) {
        if (command === undefined) throw new Error('There is no command to ask about.')
        given = (await ctx.use('gate').each((gate, call) => gate.forbids?.('shell', command, call))).find(
          ({ value }) => value !== undefined,
        )?.value
        return []
      },
    }),
  }
  const { path: skills } = temporary({ 'builtin/any/SKILL.md': 'x' })
  const { skills: engine } = managing(path, [sourceOver(skills, 'builtin'), asker])
  const { notes } = await engine.explain('any')
  expect(notes.filter(({ provider }) => provider === 'asker')).toEqual([])
  return given
}

describe('a policy that is missing', () => {
  it('restricts nothing, and nothing is said', async () => {
    const { path } = temporary({ 'managed/other.json': '{', 'user/a/SKILL.md': 'a' })
    const running = managing(path, [sourceOver(path, 'user')])
    expect(await shown(running)).toEqual(['a from user'])
    expect(running.told).toEqual([])
    expect((await running.skills.explain('nowhere')).notes).toEqual([])
  })

  it('is a file without our key, anything else it has', async () => {
    const { path } = temporary({
      'managed/managed-settings.json': '\ufeff{ "permissions": { "deny": ["Bash"] }, "disabledSources": ["user"] }',
      'user/a/SKILL.md': 'a',
    })
    const running = managing(path, [sourceOver(path, 'user')])
    expect(await shown(running)).toEqual(['a from user'])
    expect(running.told).toEqual([])
  })
})

describe('a policy that cannot be understood', () => {
  const broken: readonly (readonly [string, TempTreeEntry, string, object])[] = [
    ['no JSON', '{\n  "skills": {\n}', 'is not JSON', { code: 'invalid-policy', type: 'parse', line: 3 }],
    ['empty', '', 'is not JSON', { code: 'invalid-policy', type: 'parse' }],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'is not JSON', { code: 'invalid-policy', type: 'parse' }],
    ['a list', '[]', 'The policy must be an object', { code: 'invalid-policy', type: 'validation' }],
    [
      'one whose part is a list',
      '{\n"skills": []}',
      '"skills" of the policy must be an object',
      { code: 'invalid-policy', field: 'skills', line: 2 },
    ],
    [
      'one whose part is nothing',
      '{ "skills": null }',
      '"skills" of the policy must be an object',
      { code: 'invalid-policy', field: 'skills' },
    ],
    [
      'one with a text for a list',
      '{ "skills": {\n\n"disabledSkills": "deploy" } }',
      '"skills.disabledSkills" of the policy must be a list of names',
      { field: 'skills.disabledSkills', line: 3 },
    ],
    [
      'one with a number for a name',
      '{ "skills": { "allowedSources": ["user", 1] } }',
      '"skills.allowedSources[1]" of the policy must be a name',
      { field: 'skills.allowedSources[1]', line: 1 },
    ],
    [
      'one with a text for a flag',
      '{ "skills": { "disableShell": "yes" } }',
      '"skills.disableShell" of the policy must be true or false',
      { field: 'skills.disableShell' },
    ],
    [
      'one with its part twice',
      '{ "skills": { "disabledSkills": ["deploy"] },\n "skills": {} }',
      '"skills" of the policy is written twice',
      { code: 'invalid-policy', type: 'validation', field: 'skills', line: 2 },
    ],
    [
      'one with a key twice, under other letters',
      '{ "skills": { "disabledSkills": ["deploy"],\n"disabled\\u0053kills": [],\n"disabledSkills": [] } }',
      '"skills.disabledSkills" of the policy is written twice',
      { field: 'skills.disabledSkills', line: 3 },
    ],
    [
      'one with a key twice in a part that stands twice',
      '{ "skills": { "disableShell": true,\n"disableShell": false },\n"skills": {} }',
      '"skills" of the policy is written twice',
      { field: 'skills', line: 3 },
    ],
    ['a folder', { dir: true }, 'is a folder, not a file', { code: 'unreadable-policy', type: 'io' }],
    ['a link to nothing', { link: 'nowhere.json' }, 'leads to nothing', { code: 'unreadable-policy', type: 'io' }],
  ]

  it.each(broken)(
    'is an error that says what, and leaves managed and built-in commands alone: %s',
    async (_what, entry, message, more) => {
      const { path } = temporary({
        ...everywhere,
        'builtin/help/SKILL.md': 'x',
        'managed/managed-settings.json': entry,
      })
      const running = managing(
        path,
        ['user', 'project', 'builtin'].map(id => sourceOver(path, id)),
      )
      expect(await shown(running)).toEqual(['in-managed from managed', 'help from builtin'])
      expect(running.told).toEqual([
        expect.objectContaining({
          severity: 'error',
          provider: 'managed',
          path: `${path}/managed/managed-settings.json`,
          message: expect.stringContaining(message),
          hint: 'Until the policy is corrected, only managed and built-in commands load, and no command embedded in a skill runs.',
          ...more,
        }),
      ])
      expect((await running.skills.catalog()).errors).toEqual(running.told)
      const { notes } = await running.skills.explain('in-user')
      expect(notes.map(({ provider, text }) => [provider, text])).toContainEqual([
        'managed-policy',
        expect.stringContaining(`${path}/managed/managed-settings.json cannot`) as string,
      ])
    },
  )

  it('is one that is too large', async () => {
    const { path } = withPolicy({}, everywhere)
    truncateSync(`${path}/managed/managed-settings.json`, 2 * 1024 * 1024)
    const running = managing(path, [sourceOver(path, 'user')])
    expect(await shown(running)).toEqual(['in-managed from managed'])
    expect(running.told).toMatchObject([
      { code: 'unreadable-policy', message: expect.stringContaining('2097152 bytes') },
    ])
  })

  it.runIf(isPosix)('is a named pipe, which nothing waits for', async () => {
    const { path } = temporary(everywhere)
    execFileSync('mkfifo', [`${path}/managed/managed-settings.json`])
    const running = managing(path, [sourceOver(path, 'user')])
    expect(await shown(running)).toEqual(['in-managed from managed'])
    expect(running.told).toMatchObject([
      { code: 'unreadable-policy', message: expect.stringContaining('a named pipe') },
    ])
  })

  it.runIf(isPosix)('is one that may not be read, or stands in a folder that may not be entered', async () => {
    const { path } = withPolicy({}, { 'user/a/SKILL.md': 'a' })
    // Libraries are loaded here, because later they may not be readable.
    await import('./read-policy.js')
    for (const shut of ['managed', 'managed/managed-settings.json']) {
      chmodSync(path, 0o755)
      chmodSync(`${path}/${shut}`, 0)
      const running = managing(path, [sourceOver(path, 'user')], { owner: 0 })
      expect(await withoutRoot(() => shown(running)), shut).toEqual([])
      expect(running.told, shut).toContainEqual(
        expect.objectContaining({
          severity: 'error',
          code: 'unreadable-policy',
          message: expect.stringContaining(`${path}/managed/managed-settings.json `) as string,
        }),
      )
      chmodSync(`${path}/${shut}`, 0o755)
    }
  })

  it.each([
    [
      'what is for other programs',
      '{ "env": { "a": 1, "a": 2 }, "env": {}, "hooks": [{ "skills": 1, "skills": 2 }], "more": { "skills": { "disableShell": 1 } }, "skills": { "disableShell": true } }',
    ],
    [
      'a key of another object, or a text',
      '{ "disableShell": 1, "skills": { "allowedSources": ["skills", "skills", "disableShell", "disableShell"], "x": { "disableShell": 1 }, "disableShell": true }, "x": ["skills", { "skills": 2 }] }',
    ],
    ['what stands in a text', '{ "a": "{ \\"skills\\": {}, ", "skills": { "b": "\\\\", "disableShell": true } }'],
  ])('is not one that has twice %s', async (_what, text) => {
    const { path } = temporary({ ...everywhere, 'managed/managed-settings.json': text })
    const running = managing(path)
    await running.skills.catalog()
    expect(running.told.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(await shellIn(path)).toMatch(/ commands embedded /)
  })

  it('is found in proportion to the text, and nested more than 100 levels deep is none', () => {
    const texts = [
      `{"x":${'['.repeat(99)}${']'.repeat(99)},"skills":{}}`,
      `{"skills":{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":0`).join()}},"x":"${'\\"'.repeat(250_000)}"}`,
    ]
    const before = process.cpuUsage()
    for (const text of texts) expect(parsePolicy(text)).toHaveProperty('section')
    expect(() => parsePolicy(`{"x":${'['.repeat(250_000)}${']'.repeat(250_000)},"skills":{}}`)).toThrow(' 100 levels')
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000)
  })

  it('is told of once until it is corrected', async () => {
    const tree = temporary({ ...everywhere, 'managed/managed-settings.json': '{' })
    const running = managing(tree.path, [sourceOver(tree.path, 'user')])
    await running.skills.catalog()
    await running.skills.refresh()
    expect(running.told).toHaveLength(1)
    tree.write({ 'managed/managed-settings.json': '{}' })
    expect((await running.skills.refresh()).size).toBe(2)
    tree.write({ 'managed/managed-settings.json': '{' })
    expect((await running.skills.refresh()).size).toBe(1)
    expect(running.told).toHaveLength(2)
  })
})

describe('words of a policy that do nothing', () => {
  const warned = async (policy: object): Promise<readonly object[]> => {
    const { path } = withPolicy(policy)
    const running = managing(path)
    await running.skills.catalog()
    return running.told
  }

  it('are unknown keys, each a warning with the closest one', async () => {
    expect(await warned({ disabledSkill: ['a'], colour: 1, disabledSkills: ['b'] })).toMatchObject([
      {
        severity: 'warning',
        code: 'unknown-policy-key',
        field: 'skills.disabledSkill',
        line: 1,
        hint: 'Did you mean "disabledSkills"?',
      },
      {
        severity: 'warning',
        code: 'unknown-policy-key',
        field: 'skills.colour',
        hint: 'A policy can have disabledSources, allowedSources, disabledSkills, disableShell.',
      },
    ])
  })

  it('are found on their lines, anything else has such a key', async () => {
    const { path } = temporary({
      'managed/managed-settings.json': '{\n  "colour": 1,\n  "skills": {\n    "colour": 2\n  }\n}',
    })
    const running = managing(path)
    await running.skills.catalog()
    expect(running.told).toMatchObject([{ code: 'unknown-policy-key', field: 'skills.colour', line: 4 }])
  })

  it('are sources that cannot be switched off; to allow them is no mistake', async () => {
    expect(await warned({ disabledSources: ['managed'], allowedSources: ['managed', 'builtin'] })).toMatchObject([
      {
        severity: 'warning',
        code: 'fixed-source',
        field: 'skills.disabledSources',
        message: expect.stringContaining('"managed"'),
      },
    ])
  })

  it("are sources that look like a slip; those of a distribution's own do not", async () => {
    expect(await warned({ disabledSources: ['projects', 'User', 'warehouse'] })).toMatchObject([
      { severity: 'warning', code: 'unknown-policy-source', hint: 'Did you mean "project"?' },
      { code: 'unknown-policy-source', hint: 'Did you mean "user"?' },
    ])
  })
})

describe.runIf(isPosix)('a policy that others can write to', () => {
  it.each([
    ['the file', 'managed/managed-settings.json', 0o666],
    ['its folder', 'managed', 0o777],
  ])('is obeyed with a warning: %s', async (_what, open, mode) => {
    const { path } = withPolicy({ disabledSources: ['user'] }, everywhere)
    chmodSync(`${path}/${open}`, mode)
    const running = managing(path, [sourceOver(path, 'user')])
    expect((await shown(running)).filter(line => line.endsWith('user'))).toEqual([])
    expect(running.told).toContainEqual({
      severity: 'warning',
      type: 'validation',
      code: 'open-policy',
      path: `${path}/managed/managed-settings.json`,
      provider: 'managed',
      message: `${path}/${open} may be written to by everybody, so users other than an administrator can change the policy. The policy still applies.`,
      hint: 'Have an administrator run "chown root" and "chmod go-w" on it.',
    })
  })

  it.runIf(isRoot)(
    'is obeyed with a warning when it belongs to another user (given away by the superuser)',
    async () => {
      const { path } = withPolicy({ disabledSources: ['user'] }, everywhere)
      chownSync(`${path}/managed/managed-settings.json`, 65534, 65534)
      const running = managing(path, [sourceOver(path, 'user')])
      expect(await shown(running)).toEqual(['in-managed from managed'])
      expect(running.told).toMatchObject([{ code: 'open-policy', message: expect.stringContaining(' 65534') }])
    },
  )

  it('is not judged by its mode on Windows', async () => {
    const { path } = withPolicy({}, { managed: { dir: true, mode: 0o777 } })
    const running = managing(path, [], {}, { host: fakeHost({ platform: 'win32' }) })
    await running.skills.catalog()
    expect(running.told).toEqual([])
  })
})

describe('two policies', () => {
  it('both restrict', async () => {
    const { path } = temporary({
      'one/managed-settings.json':
        '{ "skills": { "disabledSources": ["user"], "allowedSources": ["user", "plugin"] } }',
      'two/managed-settings.json':
        '{ "skills": { "disabledSkills": ["a"], "allowedSources": ["user", "plugin", "project"] } }',
      'user/x/SKILL.md': 'x',
      'plugin/a/SKILL.md': 'a',
      'plugin/b/SKILL.md': 'b',
      'project/y/SKILL.md': 'y',
    })
    const plugins = ['user', 'plugin', 'project'].map(id => sourceOver(path, id))
    expect(await shown(managing(path, plugins, { dirs: [`${path}/one`, `${path}/two`] }))).toEqual(['b from plugin'])
    expect(await shown(managing(path, plugins, { dirs: [`${path}/nowhere`, `${path}/two`] }))).toEqual([
      'x from user',
      'y from project',
      'b from plugin',
    ])
  })

  it('of which one is broken leave managed and built-in commands', async () => {
    const { path } = temporary({
      'one/managed-settings.json': '{}',
      'two/managed-settings.json': '{',
      'user/x/SKILL.md': 'x',
    })
    expect(await shown(managing(path, [sourceOver(path, 'user')], { dirs: [`${path}/one`, `${path}/two`] }))).toEqual(
      [],
    )
  })
})

describe('the rules of a gate', () => {
  /** Sets up only the gate, as the engine would. */
  async function gateOver(path: string): Promise<() => Promise<GateRules | undefined>> {
    const [, provider] = managedSource({ dirs: [`${path}/managed`], owner })
    const given: (GateRules | undefined)[] = []
    const host = fakeHost({ clock: fakeClock(Date.now() + 60_000) })
    const spy: typeof provider = {
      ...provider,
      setup: async ctx => {
        const gate = await provider.setup(ctx)
        return {
          rules: async call => {
            const rules = (await gate.rules?.(call)) ?? {}
            given.push(rules)
            return rules
          },
        }
      },
    }
    const skills = createSkills({ host, plugins: [spy], onDiagnostic: () => {} })
    onTestFinished(() => skills.close())
    return async () => {
      await skills.refresh()
      return given.at(-1)
    }
  }

  it('are the same object until a policy changes, however often they are asked for', async () => {
    const tree = withPolicy({ disabledSkills: ['a'] })
    const rules = await gateOver(tree.path)
    const first = await rules()
    expect(await rules()).toBe(first)
    tree.write({ 'managed/.claude/skills/x/SKILL.md': 'x' })
    expect(await rules()).toBe(first)
    tree.write({ 'managed/managed-settings.json': '{"skills":{"disabledSkills":["b"]}}' })
    const second = await rules()
    expect(second).not.toBe(first)
    expect(await rules()).toBe(second)
  })

  it('are the same object when a file was written again with the same words', async () => {
    const tree = withPolicy({ disabledSkills: ['a'] })
    const rules = await gateOver(tree.path)
    const first = await rules()
    tree.write({ 'managed/again.json': '{"skills":{"disabledSkills":["a"]}}' })
    renameSync(`${tree.path}/managed/again.json`, `${tree.path}/managed/managed-settings.json`)
    expect(await rules()).toBe(first)
  })

  it('are read again while the file may have changed within one tick of its clock', async () => {
    const tree = withPolicy({ disabledSources: ['user'] }, everywhere)
    const running = managing(tree.path, [sourceOver(tree.path, 'user')], {}, { host: fakeHost({ clock: systemClock }) })
    const sizes: number[] = []
    for (const name of Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 'user' : 'none'))) {
      // Both files have the same size, and often the same time.
      tree.write({ 'managed/managed-settings.json': JSON.stringify({ skills: { disabledSources: [name] } }) })
      sizes.push((await running.skills.refresh()).size)
    }
    expect(sizes).toEqual(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 1 : 2)))
  })

  it('come and go with the file', async () => {
    const tree = withPolicy({ disabledSources: ['user'] }, everywhere)
    const running = managing(tree.path, [sourceOver(tree.path, 'user')])
    expect((await running.skills.catalog()).size).toBe(1)
    tree.remove('managed/managed-settings.json')
    expect((await running.skills.refresh()).size).toBe(2)
    tree.write({ 'managed/managed-settings.json': '{"skills":{"disabledSources":["user"]}}' })
    expect((await running.skills.refresh()).size).toBe(1)
  })

  it('follow a link to another file', async () => {
    const tree = temporary({
      'managed/managed-settings.json': { link: 'a.json' },
      'managed/a.json': '{}',
      'managed/b.json': '{"skills":{"disabledSources":["user"]}}',
      'user/a/SKILL.md': 'a',
    })
    const running = managing(tree.path, [sourceOver(tree.path, 'user')])
    expect((await running.skills.catalog()).size).toBe(1)
    tree.write({ 'managed/managed-settings.json': { link: 'b.json' } })
    expect((await running.skills.refresh()).size).toBe(0)
    tree.write({ 'managed/b.json': '{ "skills": {} }' })
    expect((await running.skills.refresh()).size).toBe(1)
  })
})
