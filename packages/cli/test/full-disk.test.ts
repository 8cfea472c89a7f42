import { describe, expect, onTestFinished, test } from 'vitest'
import { tempTree } from '@skills/testing'
import { cleanEnv, program, runToEnd } from './built.js'

describe.skipIf(process.platform === 'win32')('a disk without room', () => {
  test.each([
    [['add', './shared', '--yes'], '.cache/skills/content'],
    [['new', 'other'], '.claude/skills/other'],
    [['plugin', 'init', 'bundle'], 'bundle'],
    [['lint', '--fix'], '.claude/skills/loose/SKILL.md'],
    [['trust', '--yes'], 'trust'],
    [['ui', '--export', 'page.html'], 'page.html'],
  ])('is told with the place and what to do: skills %j', async (args, place) => {
    const tree = tempTree({
      home: { dir: true },
      'project/.git': { dir: true },
      'project/shared/deploy/SKILL.md': '---\nname: deploy\ndescription: Deploys it.\n---\nDeploy.\n',
      'project/.claude/skills/loose/SKILL.md': '---\nname: loose\ndescription: Use it: now\n---\nLoose.\n',
    })
    onTestFinished(() => tree.dispose())
    const whole = [program, ...args, '--home', `${tree.path}/home`]
    // No file may have a byte, as on a full disk.
    const limited = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, ...whole]
    const env = cleanEnv({ XDG_CACHE_HOME: `${tree.path}/home/.cache`, XDG_STATE_HOME: `${tree.path}/home/.state` })
    const { code, stdout, stderr } = await runToEnd('sh', limited, { cwd: `${tree.path}/project`, env })
    const told = `${stdout}${stderr}`
    expect([code, told]).toEqual([1, expect.stringContaining(place)])
    expect(told).toMatch(/the disk or your quota is full\.\s+Free some space\. The earlier content is unchanged\./)
  })
})
