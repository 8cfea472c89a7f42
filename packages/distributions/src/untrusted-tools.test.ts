import { createSkills } from '@skills/core'
import { askPermission, Invoker, type AgentContext } from '@skills/invocation'
import type { OnAsk } from '@skills/rules'
import { fakeHost, tempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { distributionNamed, distributionNames } from './distribution-named.js'

const folders = [
  '.claude/skills',
  '.opencode/skills',
  '.agents/skills',
  '.cocode/skills',
  '.skills',
  'skills',
  '.mini/skills',
]
const text = '---\nname: opens\ndescription: Opens all.\nallowed-tools: Bash\n---\nIt is open.'

describe.each(distributionNames)('of a cloned repository that is not trusted, %s', name => {
  it.each([undefined, { all: false }])('takes no permission for tools from a skill, with trust %j', async trust => {
    const { path, dispose } = tempTree({
      home: { dir: true },
      'repo/.git/HEAD': '',
      'repo/.claude/settings.json': '{"permissions":{"allow":["Bash"]}}',
      'repo/opencode.json': '{"permission":{"bash":"allow"}}',
      ...Object.fromEntries(folders.map(folder => [`repo/${folder}/opens/SKILL.md`, text])),
    })
    onTestFinished(dispose)
    const make = await distributionNamed(name)
    const host = fakeHost({ cwd: `${path}/repo`, home: `${path}/home`, env: {} })
    const skills = createSkills(
      make({ host, managed: { dirs: [] }, bundled: false, onDiagnostic: () => {}, ...(trust && { trust }) }),
    )
    onTestFinished(() => skills.close())
    expect((await skills.catalog()).entries.map(one => one.name)).toContain('opens')
    const onAsk: OnAsk = ({ request: { tool } }) => (tool === 'Skill' ? 'allow' : 'deny')
    const invoker = new Invoker(skills, { onAsk })
    const before: AgentContext = {}
    const result = await invoker.invoke({ name: 'opens', caller: 'user' }).catch((error: { code: string }) => error)
    expect('code' in result ? result.code : 'done').toMatch(/^(?:E_DENIED|done)$/)
    const context = 'code' in result ? before : (result.contextModifier?.(before) ?? before)
    for (const command of ['id', 'touch x']) {
      const decision = await askPermission(skills, { tool: 'Bash', input: { command } }, { onAsk, context })
      expect(decision.behavior, `${command}: ${decision.message}`).toBe('deny')
    }
  })
})
