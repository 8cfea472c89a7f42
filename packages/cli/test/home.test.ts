import { readdirSync, realpathSync } from 'node:fs'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { processIo } from '../src/process-io.js'
import { runIn, type Ran } from './console.js'

const unset = { XDG_STATE_HOME: '', XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '' }
const told = ({ code, stderr }: Ran): unknown => ({ code, stderr })

/** Returns what the program takes for its home folder if `HOME` is this. */
function homeOf(HOME: string): string {
  vi.stubEnv('HOME', HOME)
  try {
    return processIo(new AbortController().signal).home
  } finally {
    vi.unstubAllEnvs()
  }
}

function project() {
  const tree = tempTree({
    'p/.git': { dir: true },
    'p/.claude/skills/deploy/SKILL.md': '---\ndescription: Deploys.\n---\nRun !`date`\n',
    file: '',
    home: { dir: true },
  })
  onTestFinished(() => tree.dispose())
  const cwd = `${realpathSync(tree.path)}/p`
  return {
    tree,
    cwd,
    withHome: (HOME: string, ...args: readonly string[]) =>
      runIn(args, { cwd, home: homeOf(HOME), env: { PATH: process.env['PATH'], ...unset, HOME } }),
  }
}

test.each([
  ['', 'There is no home folder, so nothing can be remembered. Set HOME to your home folder'],
  ['rel', 'There is no home folder, so nothing can be remembered: "rel" is not absolute. Set HOME to your home folder'],
])('a home folder given as "%s" is none, and what needs one says so', async (home, message) => {
  const { cwd, withHome } = project()
  expect(await withHome(home, 'list')).toMatchObject({ code: 0, stdout: 'deploy\tproject\tDeploys.\n' })
  for (const args of [
    ['trust', '--yes'],
    ['run', 'deploy', '--yes'],
  ]) {
    expect(told(await withHome(home, ...args)), args.join(' ')).toEqual({
      code: 1,
      stderr: expect.stringContaining(message),
    })
  }
  expect(told(await withHome(home, 'new', 'mine', '--user'))).toEqual({
    code: 1,
    stderr: expect.stringContaining('HOME '),
  })
  expect(readdirSync(cwd).toSorted()).toEqual(['.claude', '.git'])
})

test('a home folder that is a file is named as what is in the way', async () => {
  const { tree, withHome } = project()
  const home = `${realpathSync(tree.path)}/file`
  expect(told(await withHome(home, 'trust', '--yes'))).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      new RegExp(`${home}/\\.local/state/skills could not .*: ${home} is not a folder\\. `),
    ) as string,
  })
  expect(told(await withHome(home, 'run', 'deploy', '--yes'))).toEqual({
    code: 1,
    stderr: expect.stringMatching(/is not trusted, .* trust\n$/),
  })
  expect(told(await withHome(home, 'new', 'mine', '--user'))).toEqual({
    code: 1,
    stderr: expect.stringContaining('not a folder'),
  })
})
