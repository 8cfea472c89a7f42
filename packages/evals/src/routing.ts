import * as s from '@skills/core/schema'
import { mayModelInvoke, SkillsError, type CatalogEntry, type Host, type Skills } from '@skills/core'
import { wordOverlap } from '@skills/inspect'
import type { EvalCases } from './cases/eval-cases.js'
import {
  agentEngine,
  lookAt,
  type CompatAgent,
  type Told,
  type OverlapPair,
  type OverlapSkill,
} from '@skills/inspect/internal'
import { OneMoment } from '@skills/inspect/compat'
import { searchIndex, searchTextOf } from '@skills/invocation/skill-tool'

const routingOptions = s.options('routing()', {
  /** The skills as their author has them: whose names they go by, and among which they are looked for. */
  skills: s.typed<Skills>('an engine').required(),
  /** The agents that are to tell their models of them. */
  agents: s.list(s.typed<CompatAgent>('a compat agent')).required(),
  host: s.typed<Host>('a host', 'cwd').required(),
  /** Tokens of context windows. */
  contextWindows: s.list(s.number()).default([200_000]),
  /** Names of skills. Default: all. */
  only: s.list(s.text()),
  /** By name. Default: none. */
  cases: s.typed<ReadonlyMap<string, EvalCases>>('an object'),
  /** What was read so far. Default: nothing. */
  reads: s.typed<OneMoment>('reads of one moment'),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
  /** Called before each agent is looked at. */
  onProgress: s.fn<(agent: string) => void>(),
})

export interface RoutingOptions extends s.OptionsOf<typeof routingOptions> {}

/** What one agent's model is told of a skill. */
export interface RoutedTold {
  readonly agent: string
  readonly contextWindow: number
  readonly told: Told
  /** Of a description that is cut, the characters that are told. */
  readonly toldChars?: number | undefined
  /** Why the model is not told of it. */
  readonly because?: string | undefined
}

/** Where a search among all skills finds the right one. */
export interface RoutedQuery {
  readonly id: string
  readonly query: string
  readonly shouldTrigger: boolean
  /** From 1; undefined where it is not found. */
  readonly rank?: number | undefined
  /** Of a query that should trigger it, the skills that come before it, at most three. */
  readonly stolenBy: readonly string[]
}

export interface SkillRouting {
  readonly name: string
  readonly path: string
  readonly told: readonly RoutedTold[]
  /** The skills that are nearest to it in words, the nearest first. */
  readonly near: readonly (OverlapSkill & { readonly overlap: number })[]
  readonly queries: readonly RoutedQuery[]
}

/** How an agent tells its model of all skills, within one window. */
export interface AgentRouting {
  readonly agent: string
  readonly contextWindow: number
  readonly whole: number
  readonly cut: number
  readonly nameOnly: number
  /** Not told of now, and that is as its author wants it: kept for the user, or until a file is touched. */
  readonly kept: number
  /** Never told of, although the author wants it: not found, or no room. */
  readonly never: number
}

export interface Routing {
  readonly agents: readonly AgentRouting[]
  readonly skills: readonly SkillRouting[]
  /** Of all skills, the nearest pairs first. */
  readonly pairs: readonly OverlapPair[]
}

type Skill = CatalogEntry & { readonly path: string }

/**
 * Whether each agent tells its model of each skill, and what stands in its way: no model is asked, and nothing of a skill
 * runs. See docs/reference/evals.md, "Routing".
 * @throws SkillsError `E_UNKNOWN_NAME` for a name in `only` that no skill has; AbortError when the signal aborts
 */
export async function routing(given: RoutingOptions): Promise<Routing> {
  const options = routingOptions.read(given)
  const { skills, agents, host, contextWindows, only, cases, reads = new OneMoment(), onProgress } = options
  const signal = options.signal ?? new AbortController().signal
  const catalog = await skills.catalog({ signal })
  const all = catalog.entries.flatMap((entry): readonly Skill[] => {
    const { command, isQualified } = entry
    return command.type === 'prompt' && command.filePath !== undefined && isQualified !== true
      ? [{ ...entry, path: command.filePath }]
      : []
  })
  const wanted = only === undefined ? all : only.map(name => named(all, name))
  const overlap = await wordOverlap(catalog, { signal })
  const told = new Map<Skill, RoutedTold[]>(wanted.map(skill => [skill, []]))
  for (const agent of agents) {
    onProgress?.(agent.name)
    const engine = agentEngine(agent, { host, sharedReads: reads })
    try {
      for (const contextWindow of contextWindows) {
        const { files, shadowed } = await lookAt(engine.skills, engine.distribution, { contextWindow, signal })
        for (const [skill, list] of told) {
          const path = realPathOf(skill)
          const seen = files.get(path)
          const absent = { told: 'no', because: shadowed.get(path) ?? 'It does not find the skill.' } as const
          const { told: how, toldChars, because } = seen ?? { ...absent, toldChars: undefined }
          list.push({ agent: agent.name, contextWindow, told: how, toldChars, because })
        }
      }
    } finally {
      await engine.skills.close()
    }
  }
  const ranks = await ranksIn(all, cases ?? new Map(), signal)
  return {
    agents: agents.flatMap(({ name }) =>
      contextWindows.map(contextWindow => summaryOf(name, contextWindow, [...told.values()].flat())),
    ),
    skills: wanted.map(skill => ({
      name: skill.name,
      path: skill.path,
      told: told.get(skill) ?? [],
      near: overlap.near(skill.name),
      queries: ranks(skill.name),
    })),
    pairs: overlap.pairs,
  }
}

function named(all: readonly Skill[], name: string): Skill {
  const found = all.find(skill => skill.name === name)
  if (found !== undefined) return found
  throw new SkillsError('E_UNKNOWN_NAME', `There is no skill "${name}" in a file.`, { hint: 'See skills list.' })
}

/** The file that makes a skill the one it is, wherever it is found from. */
export function realPathOf({ command }: Pick<CatalogEntry, 'command'>): string {
  return command.type === 'prompt' ? (command.file?.realPath ?? command.filePath ?? '') : ''
}

function summaryOf(agent: string, contextWindow: number, all: readonly RoutedTold[]): AgentRouting {
  const own = all.filter(one => one.agent === agent && one.contextWindow === contextWindow)
  const count = (...wanted: readonly Told[]): number => own.filter(({ told }) => wanted.includes(told)).length
  return {
    agent,
    contextWindow,
    whole: count('whole'),
    cut: count('cut'),
    nameOnly: count('name'),
    kept: count('user', 'later'),
    never: count('no'),
  }
}

/** The ranks of a skill for its queries, among all that SkillSearch looks through. */
async function ranksIn(
  all: readonly Skill[],
  cases: ReadonlyMap<string, EvalCases>,
  signal: AbortSignal,
): Promise<(name: string) => readonly RoutedQuery[]> {
  if (cases.size === 0) return () => []
  const searched = all.filter(({ command }) => mayModelInvoke(command))
  const index = await searchIndex(
    searched.map(({ command, name }) => searchTextOf(command, name)),
    { signal },
  )
  return name =>
    (cases.get(name)?.queries ?? []).map(({ id, prompt, shouldTrigger }) => {
      const found = index.search(prompt).map(({ at }) => searched[at]?.name ?? '')
      const at = found.indexOf(name)
      return {
        id,
        query: prompt,
        shouldTrigger,
        ...(at !== -1 && { rank: at + 1 }),
        stolenBy: shouldTrigger ? found.slice(0, at === -1 ? 3 : at).slice(0, 3) : [],
      }
    })
}
