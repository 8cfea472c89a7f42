import { defineProvider, loadResult, promptCommand } from '@skills/core'
import { describe, expect, it } from 'vitest'
import { conditional, start } from '../test/engine.js'

describe('a skill with paths', () => {
  it('that has no paths but ** is always active', async () => {
    const { awake } = start({
      'repo/.claude/skills/a/SKILL.md': conditional('"**"'),
      'repo/.claude/skills/b/SKILL.md': conditional('["**", "**"]'),
    })
    expect(await awake()).toEqual(['a', 'b'])
  })

  it.each([
    ['exact', []],
    ['any', ['a', 'b']],
  ] as const)('in other letters than its file is active with letters %s', async (letters, names) => {
    const entries = {
      'repo/.claude/skills/a/SKILL.md': conditional('SRC/*.TS'),
      'repo/.claude/skills/b/SKILL.md': conditional('src/A.ts'),
      'repo/.claude/skills/c/SKILL.md': conditional('SRC/*.js'),
    }
    const { awake, touch } = start(entries, { letters })
    await awake()
    touch('src/a.ts')
    expect(await awake()).toEqual(names)
  })

  it('whose patterns are invalid goes by the others, and is told of once', async () => {
    const { awake, touch, skills, told, cwd } = start({
      'repo/.claude/skills/a/SKILL.md': conditional('["[ab", src/]'),
    })
    await awake()
    skills.invalidate()
    await awake()
    expect(told).toEqual([
      {
        severity: 'warning',
        type: 'validation',
        code: 'paths-pattern',
        field: 'paths',
        name: 'a',
        provider: 'conditional',
        path: `${cwd}/.claude/skills/a/SKILL.md`,
        message:
          'The pattern "[ab" of "a" has a bracket that is not closed, or a character class that does not exist, so it never matches.',
        hint: 'Write it as in a .gitignore in the working folder, such as src/**/*.ts.',
      },
    ])
    touch('[ab', 'a')
    expect(await awake()).toEqual([])
    touch('src/x')
    expect(await awake()).toEqual(['a'])
  })

  it('whose patterns lead out with ../ stays dormant rather than being told of always, and says so', async () => {
    const { awake, skills, told, cwd, tree } = start({
      'repo/.claude/skills/a/SKILL.md': conditional('../shared/**'),
      'shared/x': '',
    })
    await awake()
    skills.emit('file:touched', { paths: [`${tree.path}/shared/x`, `${cwd}/shared/x`, `${cwd}/../shared/x`] })
    expect(await awake()).toEqual([])
    expect((await skills.catalog()).get('a')?.dormant).toMatch(/never .*: \.\.\/shared\/\*\*\.$/)
    expect(told).toMatchObject([
      {
        severity: 'warning',
        type: 'traversal',
        code: 'paths-pattern',
        message: expect.stringContaining('"../shared/**" of "a" '),
      },
    ])
  })

  it('is told of again when what was corrected is broken again', async () => {
    const { awake, skills, told, tree } = start({ 'repo/.claude/skills/a/SKILL.md': conditional('../x') })
    await awake()
    for (const paths of ['src', '../x']) {
      tree.write({ 'repo/.claude/skills/a/SKILL.md': conditional(paths) })
      await skills.refresh()
    }
    expect(told.map(({ code }) => code)).toEqual(['paths-pattern', 'paths-pattern'])
  })

  it('names patterns in one line, without what a line of text does not hold, and not all of many', async () => {
    const bundled = defineProvider({
      kind: 'source',
      id: 'bundled',
      setup: () => ({
        source: 'bundled',
        list: () =>
          loadResult({
            commands: [
              promptCommand({
                name: 'a',
                source: 'bundled',
                loadedFrom: 'bundled',
                description: 'd',
                paths: ['a\nb\u202e\u{e0041}', `${'x'.repeat(79)}😀😀`, 'c', 'd', 'e', 'f', 'g'],
                load: () => ({ template: '' }),
              }),
            ],
          }),
      }),
    })
    const { skills, awake, touch } = start({}, { plugins: [bundled] })
    expect((await skills.catalog()).get('a')?.dormant).toMatch(/: ab, x{79}😀…, c, d, e and 2 more\.$/)
    touch('g')
    expect(await awake()).toEqual(['a'])
  })
})
