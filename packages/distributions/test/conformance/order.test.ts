/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { defineProvider, loadResult, promptCommand, type Diagnostic } from '@skills/core'
import { describe, expect } from 'vitest'
import { row, skill } from './row.js'

const project = 'repo/.claude/skills'
const user = 'home/.claude/skills'
const everywhere = {
  [`${project}/one/SKILL.md`]: skill('one', '', 'P'),
  [`${user}/one/SKILL.md`]: skill('one', '', 'U'),
}

describe('order of sources', () => {
  row(1, 'SRCKX', "the managed skill comes before the user's, and that before the project's", async open => {
    const opened = await open({ ...everywhere, 'managed/.claude/skills/one/SKILL.md': skill('one', '', 'M') })
    expect((await opened.catalog()).get('one')?.command.source).toBe('managed')
    const without = await open(everywhere)
    expect((await without.catalog()).get('one')?.command.source).toBe('user')
  })
  row(1, 'M', 'the project comes before the user', async open => {
    expect((await (await open(everywhere)).catalog()).get('one')?.command.source).toBe('project')
  })
  row(
    1,
    'NO',
    'configuration folders come before the global folder, that before the project, whose outer folder counts',
    async open => {
      const opened = await open(
        {
          ...everywhere,
          'repo/sub/.claude/skills/one/SKILL.md': skill('one'),
          'repo/sub/.claude/skills/two/SKILL.md': skill('two'),
          'repo/.claude/skills/two/SKILL.md': skill('two'),
          'home/.config/opencode/skill/three/SKILL.md': skill('three'),
          'repo/.opencode/skills/three/SKILL.md': skill('three'),
          'home/.claude/skills/three/SKILL.md': skill('three'),
        },
        { cwd: 'repo/sub' },
      )
      expect(await opened.names()).toEqual(['three from configuration', 'one from user', 'two from project'])
      const path = (name: string) =>
        opened
          .catalog()
          .then(catalog => catalog.get(name)?.command)
          .then(command => (command?.type === 'prompt' ? command.filePath : undefined))
      expect(await path('two')).toBe(`${opened.tree.path}/repo/.claude/skills/two/SKILL.md`)
      expect(await path('three')).toBe(`${opened.tree.path}/repo/.opencode/skills/three/SKILL.md`)
    },
  )
  row(
    1,
    'NO',
    'a caller that has overwritten whom is told once, with both files, across sources too, and explain says it',
    async open => {
      const opened = await open(
        {
          'repo/sub/.claude/skills/one/SKILL.md': skill('one', '', 'Near.'),
          'repo/.claude/skills/one/SKILL.md': skill('one', '', 'Far.'),
          'home/.claude/skills/one/SKILL.md': skill('one', '', 'User.'),
          'home/.config/opencode/skill/one/SKILL.md': skill('one', '', 'Global.'),
          'repo/.opencode/skills/one/SKILL.md': skill('one', '', 'Own.'),
          'repo/.claude/skills/two/SKILL.md': skill('two'),
        },
        { cwd: 'repo/sub' },
      )
      const file = (folder: string) => `${opened.tree.path}/${folder}/one/SKILL.md`
      const near = [file('repo/sub/.claude/skills'), file('repo/.claude/skills')]
      const far = ['repo/.claude/skills', 'home/.claude/skills', 'home/.config/opencode/skill'].map(folder => [
        file(folder),
        file('repo/.opencode/skills'),
      ])
      const expected = [near, ...far]
        .map(([path, other]) => [path, `"one" is overwritten by ${other}, which was found later.`])
        .sort()
      const overwritten = (problems: readonly Diagnostic[]) =>
        problems
          .filter(({ code }) => code === 'overwritten')
          .map(({ path, message }) => [path, message])
          .sort()
      expect(await opened.text('one')).toMatch(/(?:^|\n)Own\.(?:$|\n)/)
      expect(overwritten((await opened.catalog()).warnings)).toEqual(expected)
      await opened.skills.refresh()
      expect(overwritten(opened.told)).toEqual(expected)
      const { answers } = await opened.skills.explain('one')
      expect(answers.map(({ status }) => status)).toEqual(['active', 'shadowed', 'shadowed', 'shadowed', 'shadowed'])
      expect(answers.flatMap(({ diagnostics }) => overwritten(diagnostics)).sort()).toEqual(expected)
    },
  )
  row(1, 'NO', 'a skill that is the same to the letter is overwritten like any other', async open => {
    const opened = await open({ [`${project}/one/SKILL.md`]: skill('one'), [`${user}/one/SKILL.md`]: skill('one') })
    expect(await opened.names()).toEqual(['one from user'])
    expect(opened.told.map(({ code, path }) => [code, path])).toEqual([
      ['overwritten', `${opened.tree.path}/${project}/one/SKILL.md`],
    ])
  })
  row(1, 'C', 'a skill in code comes first of all, and a legacy command after every skill of a file', async open => {
    const opened = await open(
      { ...everywhere, 'repo/.claude/skills/two/SKILL.md': skill('two'), 'home/.claude/commands/two.md': 'T' },
      { bundled: { skills: [{ name: 'one', description: 'In code.', body: 'B' }] } },
    )
    expect(await opened.names()).toEqual(['one from bundled', 'two from project'])
  })
  const order: Readonly<Record<string, readonly string[]>> = {
    S: ['managed', 'user', 'project', 'additional', 'plugin', 'bundled', 'mcp', 'builtin'],
    R: [
      'managed',
      'user',
      'project',
      'additional',
      'legacy',
      'workflow',
      'plugin',
      'bundled',
      'builtin-plugin',
      'builtin',
      'mcp',
    ],
    C: [
      'bundled',
      'builtin-plugin',
      'managed',
      'user',
      'project',
      'additional',
      'legacy',
      'workflow',
      'plugin',
      'builtin',
      'mcp',
    ],
    K: ['managed', 'user', 'project', 'plugin'],
    N: ['configuration', 'user', 'project'],
    O: ['configuration', 'user', 'project'],
    M: ['project', 'user'],
    X: ['managed', 'user', 'project', 'plugin', 'mcp', 'bundled', 'builtin'],
  }
  row(1, 'SRCKNOMX', 'of sources of every kind each has a name before all that come after it', async (open, letter) => {
    const ranked = order[letter] ?? []
    // In some distributions, legacy commands rank like a source of their own.
    const commandsOf = (sources: readonly string[]) =>
      sources
        .toSorted()
        .map(word =>
          promptCommand({
            name: 'one',
            source: word === 'legacy' ? 'user' : word,
            displayName: word,
            loadedFrom: word === 'legacy' ? 'commands' : 'skills',
            load: () => ({ template: word }),
          }),
        )
    const winners = await Promise.all(
      ranked.map(async (_, at) => {
        const commands = commandsOf(ranked.slice(at))
        const opened = await open(
          {},
          {
            plugins: [
              defineProvider({
                kind: 'source',
                id: 'own',
                setup: () => ({ source: 'project', list: () => loadResult({ commands }) }),
              }),
            ],
          },
        )
        return (await opened.catalog()).get('one')?.command.displayName
      }),
    )
    expect(winners).toEqual(ranked)
  })
})
