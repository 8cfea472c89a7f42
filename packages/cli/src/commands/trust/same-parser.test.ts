import { existsSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

/** A project with one skill whose only command is in a fence of Markdown. */
function project(fields = ''): Console {
  tree = tempTree({
    'home/.keep': '',
    'work/.git': { dir: true },
    'work/.claude/skills/fence/SKILL.md': `---\nname: fence\ndescription: Shows it.\n${fields}---\n\n~~~md\n!\`touch ran\`\n~~~\n`,
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

const hasRun = (): boolean => existsSync(`${tree.path}/work/ran`)
const as = (distribution: string, ...words: readonly string[]): readonly string[] => [
  ...words,
  '--distribution',
  distribution,
]

describe('a command in a fence', () => {
  test('is text where the distribution spares fences: nothing asks, before and after trust', async () => {
    const console = project()
    const run = (): Promise<{ readonly code: number; readonly stderr: string }> => runIn(['run', 'fence'], console)
    expect(await run()).toMatchObject({ code: 0, stderr: '' })
    expect((await runIn(['explain', 'fence'], console)).stdout).not.toContain('trusted')
    expect((await runIn(['trust', '--yes'], console)).code).toBe(0)
    expect(await run()).toMatchObject({ code: 0, stderr: '' })
    expect(hasRun()).toBe(false)
  })

  test('runs after one trust where the distribution looks into fences, whichever distribution was trusted under', async () => {
    for (const trusting of ['standard', 'claude-code', 'opencode']) {
      const console = project()
      expect((await runIn(as('claude-code', 'run', 'fence'), console)).code).toBe(1)
      expect((await runIn(as('claude-code', 'explain', 'fence'), console)).stdout).toMatch(
        / until its folder .*trusted/,
      )
      const { stdout } = await runIn(as(trusting, 'trust', '--dry-run'), console)
      expect(stdout).toMatch(/\| runs(?: with other agents)?: touch ran\n/)
      expect((await runIn(as(trusting, 'trust', '--yes'), console)).code).toBe(0)
      const allowed = as('claude-code', 'run', 'fence', '--allow', 'Bash(touch ran)')
      expect(await runIn(allowed, console)).toMatchObject({ code: 0, stderr: '' })
      expect(hasRun()).toBe(true)
      tree.dispose()
    }
  })
})

test('trust under an agent that reads two fields agrees to what the others read too, and shows it', async () => {
  const console = project('allowed-tools: Bash\n')
  const { stdout } = await runIn(as('opencode', 'trust', '--dry-run'), console)
  expect(stdout).toMatch(/^ *\| .* other agents: allows itself: Bash$/m)
  await runIn(as('opencode', 'trust', '--yes'), console)
  expect((await runIn(['run', 'fence'], console)).code).toBe(0)
})
