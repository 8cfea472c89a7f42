// [SKILLS_CORPUS=<folder with train.tar.gz>] node bench/measure/evals.mjs: measures evals, over real skills where a
// corpus is given. Prints milliseconds and MiB for comparing the words of all pairs of skills, for routing under three
// distributions, and for a trial without the time of its model, which answers at once.
import { createSkills, processHost } from '@skills/core'
import { standard } from '@skills/distributions'
import { agentsNamed } from '@skills/distributions/agents'
import { routing, trialOptions, triggers } from '@skills/evals'
import { wordOverlap } from '@skills/inspect'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { corpusTree } from '../trees.mjs'

const { SKILLS_CORPUS: corpus, SKILLS_BENCH_TREES: kept } = process.env
const trees = kept ?? mkdtempSync(join(tmpdir(), 'skills-bench-'))
mkdirSync(trees, { recursive: true })
const host = processHost({ cwd: corpusTree(trees, corpus), home: '/nonexistent', env: {} })
const distribution = standard({
  host,
  managed: { dirs: [] },
  builtin: false,
  bundled: false,
  ...trialOptions,
  onDiagnostic: () => {},
})
const skills = createSkills(distribution)
const catalog = await skills.catalog()

async function timed(what, work, each = 1) {
  const start = performance.now()
  const said = await work()
  const ms = ((performance.now() - start) / each).toFixed(1)
  console.log(
    `${what.padEnd(44)}${ms.padStart(10)} ms${(process.resourceUsage().maxRSS / 1024).toFixed(0).padStart(7)} MiB  ${said}`,
  )
}

await timed(`overlap of ${catalog.size} skills`, async () => `${(await wordOverlap(catalog)).pairs.length} pairs`)
await timed('routing under three distributions', async () => {
  const agents = await agentsNamed(['claude-code', 'codex', 'opencode'])
  const found = await routing({ skills, host, agents })
  return found.agents.map(({ agent, never }) => `${agent} never tells of ${never}`).join(', ')
})
const name = catalog.entries.find(({ command }) => command.type === 'prompt' && !command.disableModelInvocation).name
const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'Skill', input: JSON.stringify({ skill: name }) }
const ask = async () => ({ content: [call], finish: 'tool-calls', inputTokens: 1, outputTokens: 1 })
const queries = [{ id: 'q', prompt: 'Do it', files: [], allow: [], shouldTrigger: true }]
const trial = async trials => {
  const cases = new Map([[name, { path: '', tasks: [], queries }]])
  const { recall } = (await triggers({ skills, distribution, ask, cases, trials, concurrency: 1 })).skills[0]
  return `${recall.successes} of ${recall.trials} trials`
}
await trial(1)
await timed('a trial beyond the time of its model', () => trial(200), 200)
await skills.close()
if (kept === undefined) rmSync(trees, { recursive: true })
