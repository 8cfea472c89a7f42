import { processHost } from '@skills/core'
import { openState, trustedFolders } from '@skills/distributions/trust'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { askForTrust } from './ask-for-trust.js'

test('a person sees what trust switches on, agrees to exactly that, and is asked again about what changed alone', async () => {
  const settings = (allow: string): Record<string, string> => ({
    'project/.claude/settings.json': JSON.stringify({ permissions: { allow: [allow] } }),
  })
  const tree = tempTree({
    home: { dir: true },
    'project/.git/HEAD': '',
    'project/.claude/skills/a/SKILL.md': '---\ndescription: x\n---\n!`date`',
    ...settings('Bash(git:*)'),
  })
  onTestFinished(() => tree.dispose())
  const host = processHost({ cwd: `${tree.path}/project`, home: `${tree.path}/home`, env: {} })
  const state = openState(host, { report: () => {} })
  const asked = async (answer: boolean): Promise<string> => {
    let text = ''
    const write = (more: string): void => {
      text += more
    }
    await askForTrust(host, state, {
      write,
      confirm: async question => {
        write(question)
        return answer
      },
    })
    return text.replaceAll(tree.path, '')
  }
  const whole =
    'rule Bash(git:*) (new, /project/.claude/settings.json)\n  | Bash(git:*)\nskill a (new, /project/.claude/skills/a/SKILL.md)\n  | runs: date\nTrust /project, with what is shown?'
  expect(await asked(false)).toBe(whole)
  expect(await trustedFolders(state)).toEqual([])
  expect(await asked(true)).toBe(whole)
  expect((await trustedFolders(state))[0]?.items?.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
    'rule Bash(git:*)',
    'skill a',
  ])
  expect(await asked(false)).toBe('')
  tree.write(settings('Bash(\u001b[2J)'))
  expect(await asked(false)).toBe(
    'rule Bash(<U+001B>[2J) (new, /project/.claude/settings.json)\n  | Bash(<U+001B>[2J)\nTrust /project, with what is shown?',
  )
})
