import * as s from '@skills/core/schema'
import type { Host } from '@skills/core'
import { columnOf, effects, EmbeddedCounts } from './column.js'
import { looksFor, type GivenEngine } from './looks.js'
import { OneMoment } from './one-moment.js'
import { placesOf } from './on-stage.js'
import { askedOf, rowsOf } from './rows.js'
import { Stage } from './stage.js'
import { summaryOf } from './summary.js'
import type { AgentCompat, Compat, CompatAgent, SkillCompat } from './compat-types.js'

const compatOptions = s.options('compat()', {
  /** Agent whose meaning of fields the others are compared with, and whose names the skills have. */
  reference: s.typed<CompatAgent>('a compat agent').required(),
  /** Existing engine of the reference over these skills. Default: one is made and closed. */
  engine: s.typed<GivenEngine>('an object'),
  /** Files read so far, for example by `engine`, so that each file is read once. Default: none. */
  reads: s.typed<OneMoment>('reads of one moment'),
  /** Agents to compare: the columns. */
  agents: s.list(s.typed<CompatAgent>('a compat agent')).required(),
  /** Default: none. Then no agent looks at its own skills, and the skills are those of `files`, which lie nowhere yet. */
  host: s.typed<Host>('a host', 'cwd'),
  /** Names of skills. Default: every skill that the reference or an agent finds. */
  only: s.list(s.text()),
  /** Absolute real paths of skill files, even of files that no agent finds. Default: as `only` says. */
  files: s.list(s.text()),
  /** Tokens of the model's context window. Default: 200,000. */
  contextWindow: s.number().default(200_000),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
  /** Called with the name of each agent before it is examined. */
  onProgress: s.fn<(agent: string) => void>(),
})

export interface CompatOptions extends s.OptionsOf<typeof compatOptions> {}

/**
 * Finds out how each agent treats each skill: whether the agent finds the skill and under which name, what it lists to
 * its model, and which effect each field has. If an agent does not find a skill, also finds the one change after which
 * it would.
 *
 * Runs the agents' distributions for this purpose: over the skills in their present places, over the same files in a
 * folder that each agent reads, and over samples with one field each. Runs no command of a skill and asks no model.
 * Writes nothing but an empty folder for samples, which is removed at the end. See docs/reference/compat.md.
 * @throws SkillsError `E_UNKNOWN_NAME` for a name in `only` that no skill has; AbortError if the signal aborts
 */
export async function compat(given: CompatOptions): Promise<Compat> {
  const options = compatOptions.read(given)
  const { reference, agents, host, only, files, contextWindow, onProgress } = options
  const { reads = new OneMoment() } = options
  const signal = options.signal ?? new AbortController().signal
  const { meaning, looks } = await looksFor({ ...options, reads, signal })
  const all = [...looks.values()].map(({ look }) => look)
  const rows = await rowsOf(all, host, { only, files }, reads, signal)
  const stage = new Stage(reads.shared)
  try {
    const ground = { stage, reads, contextWindow, signal }
    const asked = askedOf(rows)
    const meant = once(async () => effects(reference, await placesOf(reference, ground), asked, ground))
    if (host !== undefined) await meant()
    const counts = new EmbeddedCounts()
    const columns: (readonly AgentCompat[])[] = []
    for (const agent of agents) {
      onProgress?.(agent.name)
      const looked = looks.get(agent.name)
      // An agent's view of thousands of skills is dropped as soon as it is no longer needed.
      looks.delete(agent.name)
      if (looked !== undefined)
        columns.push(
          await columnOf(
            looked,
            rows,
            { meant, asked, reference: meaning, counts, isAlone: host === undefined },
            ground,
          ),
        )
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

/** Returns a function that does work when it is first called, and once. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}
