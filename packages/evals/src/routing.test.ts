import { afterEach, expect, test } from 'vitest'
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { agentsNamed } from '@skills/distributions/agents'
import { readEvalCases } from './cases/read-eval-cases.js'
import { fakeHost, tempTree, type TempTree } from '@skills/testing'
import { routing } from './index.js'

let tree: TempTree | undefined
afterEach(() => tree?.dispose())

const skill = (description: string, more = ''): string => `---\ndescription: ${description}\n${more}---\nDo it.\n`

test('says of each agent and window what is told, what is near, and where a search finds the skill', async () => {
  tree = tempTree({
    '.git/HEAD': '',
    '.claude/skills/deploy/SKILL.md': skill('Ships the service to staging, with checks before and after it.'),
    '.claude/skills/deploy/evals/evals.json': JSON.stringify([
      { query: 'ship the service', should_trigger: true },
      { query: 'take the release back', should_trigger: true },
      { query: 'xyzzy', should_trigger: false },
    ]),
    '.claude/skills/rollback/SKILL.md': skill('Takes a release of the service back, with checks before and after it.'),
    '.claude/skills/mine/SKILL.md': skill('Mine alone.', 'disable-model-invocation: true\n'),
  })
  const host = fakeHost({ cwd: tree.path, home: `${tree.path}/home` })
  const skills = createSkills(standard({ host, managed: { dirs: [] }, onDiagnostic: () => {} }))
  try {
    const { cases } = await readEvalCases(`${tree.path}/.claude/skills/deploy/SKILL.md`, 'deploy')
    const found = await routing({
      skills,
      host,
      agents: await agentsNamed(['claude-code', 'codex']),
      contextWindows: [200_000, 500],
      cases: new Map(cases && [['deploy', cases]]),
    })
    expect(found.agents).toEqual([
      { agent: 'claude-code', contextWindow: 200_000, whole: 2, cut: 0, nameOnly: 0, kept: 1, never: 0 },
      { agent: 'claude-code', contextWindow: 500, whole: 0, cut: 0, nameOnly: 2, kept: 1, never: 0 },
      { agent: 'codex', contextWindow: 200_000, whole: 0, cut: 0, nameOnly: 0, kept: 0, never: 3 },
      { agent: 'codex', contextWindow: 500, whole: 0, cut: 0, nameOnly: 0, kept: 0, never: 3 },
    ])
    const deploy = found.skills.find(({ name }) => name === 'deploy')
    expect(deploy?.near[0]?.name).toBe('rollback')
    expect(deploy?.told[2]).toMatchObject({ agent: 'codex', told: 'no', because: expect.stringContaining('not find') })
    expect(deploy?.queries).toMatchObject([
      { id: 'query 1', rank: 1, stolenBy: [] },
      { id: 'query 2', stolenBy: ['rollback'] },
      { id: 'query 3', shouldTrigger: false, stolenBy: [] },
    ])
    await expect(routing({ skills, host, agents: [], only: ['gone'] })).rejects.toMatchObject({
      code: 'E_UNKNOWN_NAME',
    })
  } finally {
    await skills.close()
  }
})
