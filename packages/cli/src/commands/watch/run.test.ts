import { rmSync } from 'node:fs'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { plain } from '../../../test/console.js'
import { run } from '../../run.js'
import type { Output } from '../../io.js'

const skill = (description: string): string => `---\ndescription: ${description}\n---\nBody.\n`

function project(entries: TreeEntries): TempTree {
  const tree = tempTree({ '.git/HEAD': '', ...entries })
  onTestFinished(() => tree.dispose())
  return tree
}

/** Runs `skills watch` and collects each line as it is printed. */
function watching(cwd: string, argv: readonly string[] = [], isTerminal = false) {
  const controller = new AbortController()
  const lines: string[] = []
  let look = (): void => {}
  const output = (isOut: boolean): Output => ({
    isTerminal,
    columns: 80,
    write: text => {
      if (!isOut) return
      lines.push(...text.split('\n').filter(line => line !== ''))
      look()
    },
  })
  const code = run(['watch', ...argv], {
    stdout: output(true),
    stderr: output(false),
    cwd,
    home: `${cwd}/no-home`,
    managedDirs: [],
    env: {},
    program: 'skills',
    signal: controller.signal,
  })
  onTestFinished(async () => {
    controller.abort()
    await code
  })
  return {
    lines,
    /** Resolves with the lines since the last call once one of them starts with a text. */
    until: (start: string) =>
      new Promise<readonly string[]>(resolve => {
        look = () => {
          const at = lines.findIndex(line => plain(line).startsWith(start))
          if (at === -1) return
          look = () => {}
          resolve(lines.splice(0, at + 1))
        }
        look()
      }),
    end: () => {
      controller.abort()
      return code
    },
  }
}

describe('skills watch', () => {
  it('says how many skills there are, then what changes, and ends with 130', async () => {
    const { path, write, remove } = project({ '.claude/skills/a/SKILL.md': skill('A.') })
    const { until, end, lines } = watching(path)
    expect(await until('1 skill')).toEqual(['1 skill'])
    write({ '.claude/skills/b/SKILL.md': skill('B.') })
    expect(await until('+')).toEqual(['+\tb\tproject\t.claude/skills/b/SKILL.md'])
    write({ '.claude/skills/b/SKILL.md': skill('Other.') })
    expect(await until('~')).toEqual(['~\tb\tproject\t.claude/skills/b/SKILL.md'])
    remove('.claude/skills/b')
    expect(await until('−')).toEqual(['−\tb\tproject\t.claude/skills/b/SKILL.md'])
    expect(await end()).toBe(130)
    expect(lines).toEqual([])
  })

  it('watches where the distribution looks that is named', async () => {
    const { path, write } = project({ '.opencode/skills/a/SKILL.md': '---\nname: a\ndescription: A.\n---\n' })
    const { until } = watching(path, ['--distribution', 'opencode'])
    await until('1 skill')
    write({ '.opencode/skill/folder/SKILL.md': '---\nname: b\ndescription: B.\n---\n' })
    expect(await until('+')).toEqual(['+\tb\tconfiguration\t.opencode/skill/folder/SKILL.md'])
  })

  it('tells of problems as they appear and are solved', async () => {
    const { path, write } = project({ '.claude/skills/a/SKILL.md': skill('A.') })
    const { until } = watching(path)
    await until('1 skill')
    write({ '.claude/skills/b/SKILL.md': '---\nuser-invocable: maybe\n---\n' })
    expect((await until('!')).at(-1)).toMatch(/^!\terror\t\.claude\/skills\/b\/SKILL\.md:2:\d+\t/)
    write({ '.claude/skills/b/SKILL.md': skill('B.') })
    await until('+')
    expect((await until('✓')).at(-1)).toMatch(/^✓\terror\t\.claude\/skills\/b\/SKILL\.md:2:\d+\t/)
  })

  it('prints an object a line with --json', async () => {
    const { path, write } = project({ '.claude/skills/a/SKILL.md': '---\nuser-invocable: maybe\n---\n' })
    const { until } = watching(path, ['--json'])
    const [started = ''] = await until('{"event":"started"')
    expect(JSON.parse(started)).toMatchObject({ skills: 0, errors: 1, warnings: 0 })
    expect(JSON.parse(started).places).toContain(`${path}/.claude/skills`)
    write({ '.claude/skills/a/SKILL.md': skill('A.') })
    const [added = ''] = await until('{"event":"added"')
    expect(JSON.parse(added)).toEqual({
      event: 'added',
      name: 'a',
      source: 'project',
      path: `${path}/.claude/skills/a/SKILL.md`,
    })
    const [solved = ''] = await until('{"event":"solved"')
    expect(JSON.parse(solved)).toMatchObject({ severity: 'error', line: 2, name: 'a' })
  })

  it('finds skills where there was not even a folder', async () => {
    const { path, write } = project({})
    const { until } = watching(path)
    expect(await until('0 skills')).toEqual(['0 skills'])
    write({ '.claude/skills/a/SKILL.md': skill('A.') })
    expect(await until('+')).toHaveLength(1)
    rmSync(`${path}/.claude`, { recursive: true })
    expect(await until('−')).toHaveLength(1)
  })

  it('is coloured on a terminal, and lets no name of a file control it', async () => {
    const { path, write } = project({ '.claude/skills/a/SKILL.md': skill('A.') })
    const { until } = watching(path, [], true)
    expect(plain((await until('1 skill'))[0] ?? '')).toMatch(/^1 skill – watching; Ctrl-C .*$/)
    write({ '.claude/skills/b\u001b[2J/SKILL.md': skill('B.') })
    const [line = ''] = await until('!')
    expect(line).toContain('\u001b[31m!')
    expect(plain(line)).toContain('b<U+001B>[2J')
  })

  it('ends at once when it is given up before everything is watched', async () => {
    const { path } = project({ '.claude/skills/a/SKILL.md': skill('A.') })
    const { end, lines } = watching(path)
    expect(await end()).toBe(130)
    expect(lines).toEqual([])
  })
})
