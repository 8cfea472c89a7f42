import { afterEach, expect, test } from 'vitest'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { tempTree, type TempTree } from '@skills/testing'
import { modelServer } from '@skills/testing/model-server'
// #region usage
import { createSkills, type Host } from '@skills/core'
import { standard } from '@skills/distributions'
import { agentsNamed } from '@skills/distributions/agents'
import {
  asking,
  Recordings,
  routing,
  trialOptions,
  triggers,
  type EvalModel,
  type TriggersOptions,
} from '@skills/evals'

/** Returns the skills that an agent never lists to its model. */
async function neverTold(host: Host, agent: string) {
  const skills = createSkills(standard({ host, onDiagnostic: () => {} }))
  try {
    const found = await routing({ skills, host, agents: await agentsNamed([agent]) })
    return found.skills.filter(({ told }) => told.every(one => one.told === 'no')).map(({ name }) => name)
  } finally {
    await skills.close()
  }
}

/** Measures how often a model picks each skill for its queries. Recorded once, then replayed without a model. */
async function picked(host: Host, cases: TriggersOptions['cases'], model: EvalModel, mode: 'record' | 'replay') {
  const distribution = standard({ host, ...trialOptions, onDiagnostic: () => {} })
  const skills = createSkills(distribution)
  const recordings = new Recordings({
    dir: `${host.cwd}/recordings`,
    mode,
    model: model.modelId,
    places: { project: host.cwd },
    secrets: [],
  })
  try {
    const found = await triggers({ skills, distribution, cases, ask: recordings.over(asking(model)) })
    return found.skills.map(({ name, recall }) => `${name}: ${recall.successes} of ${recall.trials}`)
  } finally {
    await skills.close()
  }
}
// #endregion usage

let tree: TempTree | undefined
afterEach(() => tree?.dispose())

test('what the README shows works', async () => {
  tree = tempTree({ '.git/HEAD': '', '.claude/skills/deploy/SKILL.md': '---\ndescription: Ships it.\n---\nShip.\n' })
  const { processHost } = await import('@skills/core')
  const host = processHost({ cwd: tree.path, home: `${tree.path}/home`, env: {} })
  expect(await neverTold(host, 'codex')).toContain('deploy')
  expect(await neverTold(host, 'claude-code')).not.toContain('deploy')
  const server = await modelServer('openai', () => ({
    calls: [{ id: 'call_1', name: 'Skill', input: { skill: 'deploy' } }],
  }))
  const model = createOpenAICompatible({ name: 'scripted', baseURL: server.url })('small')
  const queries = [{ id: 'q', prompt: 'Ship it', files: [], allow: [], shouldTrigger: true }]
  const cases = new Map([['deploy', { path: '', tasks: [], queries }]])
  expect(await picked(host, cases, model, 'record')).toEqual(['deploy: 3 of 3'])
  await server.close()
  expect(await picked(host, cases, model, 'replay')).toEqual(['deploy: 3 of 3'])
})
