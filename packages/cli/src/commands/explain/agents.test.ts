import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const agents = ['claude-code', 'codex', 'pi', 'gemini-cli']

/** Explains the skill `one` in a project with these files, whose configuration names four agents. */
async function explained(files: Record<string, string>) {
  tree = tempTree({
    'home/.keep': '',
    'work/.git': { dir: true },
    'work/skills.config.json': JSON.stringify({ agents }),
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`work/${path}`, text])),
  })
  const at = { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
  const { stdout } = await runIn(['explain', 'one', '--json'], at)
  return { ...JSON.parse(stdout), last: (await runIn(['explain', 'one'], at)).stdout.trimEnd().split('\n').at(-1) }
}

test('the last line says what each agent tells its model of the skill, in its present place', async () => {
  const { agents: told, last } = await explained({
    '.agents/skills/one/SKILL.md': '---\nname: one\ndescription: Bad: YAML here.\n---\nx',
  })
  expect(told).toMatchObject([
    { agent: 'claude-code', found: 'elsewhere', told: 'no' },
    { agent: 'codex', found: 'here', told: 'whole', cause: null },
    { agent: 'pi', found: 'failed', told: 'no', cause: 'error' },
    { agent: 'gemini-cli', found: 'here', told: 'whole' },
  ])
  expect(last).toMatch(/^○ Claude Code \(not .*\) · ● Codex whole · ○ pi \(invalid .*\) · ● Gemini CLI whole$/)
})

test('an agent whose listing has no room for the skill tells a part, or its name', async () => {
  const long = 'Use it when somebody asks for a thing of this kind. '.repeat(25)
  const others = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `.claude/skills/a${at}/SKILL.md`,
      `---\ndescription: ${at} ${long}\n---\n${at}`,
    ]),
  )
  const { agents: told, last } = await explained({
    ...others,
    '.claude/skills/one/SKILL.md': `---\ndescription: One. ${long}\n---\nx`,
  })
  expect(told).toMatchObject([{ agent: 'claude-code', found: 'here', told: 'name', cause: 'budget' }, {}, {}, {}])
  expect(last).toContain('● Claude Code name only · ○ Codex (')
})
