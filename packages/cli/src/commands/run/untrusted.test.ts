import { tempTree, type TempTree } from '@skills/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

/** An untrusted project with two skills: one is only read, the other asks for more. */
function project(): Console {
  const skill = (name: string, fields: string): string =>
    `---\nname: ${name}\ndescription: Does it.\n${fields}---\nDo it.\n`
  tree = tempTree({
    'home/.keep': '',
    'work/.git': { dir: true },
    'work/.claude/skills/plain/SKILL.md': skill('plain', ''),
    'work/.claude/skills/more/SKILL.md': skill('more', 'allowed-tools: Bash\nmodel: opus\n').replace(
      'Do it.',
      'Do it: !`date`.',
    ),
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

describe.each(['opencode-classic', 'claude-code-classic'])(
  'a distribution that asks about every skill, as %s',
  distribution => {
    test('runs a skill that asks for nothing after a yes, as explain says', async () => {
      const console = project()
      expect((await runIn(['explain', 'plain', '--distribution', distribution], console)).stdout).toMatch(
        /"plain", .* asked/,
      )
      const { code, stdout, stderr } = await runIn(['run', 'plain', '--yes', '--distribution', distribution], console)
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringMatching(/^skills: .*--yes: Skill\(plain\)\n$/) as string,
      })
      expect(stdout).toContain('Do it.')
    })

    test('says of it that no one was there to be asked, where no one is', async () => {
      const { code, stderr } = await runIn(['run', 'plain', '--distribution', distribution], project())
      expect(code).toBe(1)
      expect(stderr).toContain(' Skill(plain).')
      expect(stderr).not.toContain('trust')
    })

    test('runs none that asks for more', async () => {
      // opencode-classic reads no field of this frontmatter that asks for more; only the command in the text does.
      const { code, stderr } = await runIn(['run', 'more', '--yes', '--distribution', distribution], project())
      expect(code).toBe(1)
      expect(stderr).toContain('not trusted')
    })
  },
)
