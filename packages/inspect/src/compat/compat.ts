import * as s from '@skills/core/schema'
import { type Host, type Skills } from '@skills/core'
import { agentEngine, lookAt } from './agent-look.js'
import { columnOf, effects, EmbeddedCounts, type Ground, type Looked } from './column.js'
import { OneMoment } from './one-moment.js'
import { placesOf } from './on-stage.js'
import { askedOf, rowsOf } from './rows.js'
import { Stage } from './stage.js'
import { summaryOf } from './summary.js'
import type { AgentCompat, AgentDistribution, Compat, CompatAgent, SkillCompat } from './compat-types.js'

const compatOptions = s.options('compat()', {
  /** Whose meaning of a field the others are compared with, and whose names skills go by. */
  reference: s.typed<CompatAgent>('a compat agent').required(),
  /** The reference's engine over these skills, where there is one. Default: one is made, and closed. */
  engine: s.typed<{ readonly skills: Skills; readonly distribution: AgentDistribution }>('an object'),
  /** What was read so far, such as by `engine`: each file is read once. Default: nothing. */
  reads: s.typed<OneMoment>('reads of one moment'),
  /** The columns. */
  agents: s.list(s.typed<CompatAgent>('a compat agent')).required(),
  host: s.typed<Host>('a host', 'cwd').required(),
  /** Names of skills. Default: every skill that the reference or an agent finds. */
  only: s.list(s.text()),
  /** Absolute real paths of skill files, whether an agent finds them or not. Default: as `only` says. */
  files: s.list(s.text()),
  /** Tokens of the model's context window. */
  contextWindow: s.number().default(200_000),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
  /** Called before each agent is looked at, with its name. */
  onProgress: s.fn<(agent: string) => void>(),
})

export interface CompatOptions extends s.OptionsOf<typeof compatOptions> {}

/**
 * What each agent makes of each skill: whether it finds it and under which name, what it tells its model, what it does
 * with each field, and the one change with which it would find it. All of it is found out by running the agents'
 * distributions: over the skills where they lie, over the same files in a folder that each agent reads, and over skills
 * of ours that have one field each. No command of a skill runs, no model is asked, and nothing is written but an empty
 * folder of samples that is removed at the end. See docs/reference/compat.md.
 * @throws SkillsError `E_UNKNOWN_NAME` for a name in `only` that no skill has; AbortError when the signal aborts
 */
export async function compat(given: CompatOptions): Promise<Compat> {
  const options = compatOptions.read(given)
  const { reference, engine, agents, host, only, files, contextWindow, onProgress } = options
  const { reads = new OneMoment() } = options
  const signal = options.signal ?? new AbortController().signal
  const call = { reads, contextWindow, signal }
  onProgress?.(reference.name)
  const meaning = await (engine === undefined ? lookFrom(reference, host, call) : lookOf(reference, engine, call))
  const looks = new Map([[reference.name, meaning]])
  for (const agent of agents) {
    if (looks.has(agent.name)) continue
    onProgress?.(agent.name)
    looks.set(agent.name, await lookFrom(agent, host, call))
  }
  const all = [...looks.values()].map(({ look }) => look)
  const rows = await rowsOf(all, host, { only, files }, reads, signal)
  const stage = new Stage()
  try {
    const ground = { stage, reads, contextWindow, signal }
    const asked = askedOf(rows)
    const meant = await effects(reference, await placesOf(reference, ground), asked, ground)
    const counts = new EmbeddedCounts()
    const columns: (readonly AgentCompat[])[] = []
    for (const agent of agents) {
      onProgress?.(agent.name)
      const looked = looks.get(agent.name)
      // What an agent has of thousands of skills is not kept longer than it is needed.
      looks.delete(agent.name)
      if (looked !== undefined)
        columns.push(await columnOf(looked, rows, { meant, asked, reference: meaning, counts }, ground))
    }
    const skills = rows.map(({ name, path }, at): SkillCompat => ({
      name,
      path,
      agents: columns.flatMap(column => column[at] ?? []),
    }))
    return { agents: agents.map(agent => summaryOf(agent, skills)), skills }
  } finally {
    stage.close()
  }
}

async function lookOf(
  agent: CompatAgent,
  { skills, distribution }: NonNullable<CompatOptions['engine']>,
  call: Omit<Ground, 'stage' | 'reads'>,
): Promise<Looked> {
  return { agent, look: await lookAt(skills, distribution, call), shell: distribution.shell }
}

async function lookFrom(
  agent: CompatAgent,
  host: Host,
  { reads, contextWindow, signal }: Omit<Ground, 'stage'>,
): Promise<Looked> {
  const { skills, distribution } = agentEngine(agent, { host, sharedReads: reads })
  try {
    return await lookOf(agent, { skills, distribution }, { contextWindow, signal })
  } finally {
    await skills.close()
  }
}
