import * as s from '@skills/core/schema'
import { mayModelInvoke, SkillsError, type CatalogEntry, type Host, type Skills } from '@skills/core'
import { wordOverlap } from '@skills/inspect'
import type { EvalCases } from './cases/eval-cases.js'
import { agentEngine, lookAt, type CompatAgent, type OverlapPair, type OverlapSkill } from '@skills/inspect/internal'
import type { Told } from '@skills/invocation/internal'
import { OneMoment } from '@skills/inspect/compat'
import { searchIndex, searchTextOf } from '@skills/invocation/skill-tool'

const routingOptions = s.options('routing()', {
  /**
   * Engine with the skills as their author has them. Supplies the names, and the skills among which a search is made.
   */
  skills: s.typed<Skills>('an engine').required(),
  /** Agents whose listings are checked. */
  agents: s.list(s.typed<CompatAgent>('a compat agent')).required(),
  host: s.typed<Host>('a host', 'cwd').required(),
  /** Sizes of context windows in tokens. */
  contextWindows: s.list(s.number()).default([200_000]),
  /** Names of skills. Default: all. */
  only: s.list(s.text()),
  /** Cases by name of the skill. Default: none. */
  cases: s.typed<ReadonlyMap<string, EvalCases>>('an object'),
  /** Files read so far. Default: none. */
  reads: s.typed<OneMoment>('reads of one moment'),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
  /** Called before each agent is checked, with its name. */
  onProgress: s.fn<(agent: string) => void>(),
})

export interface RoutingOptions extends s.OptionsOf<typeof routingOptions> {}

/** Listing of one skill to the model of one agent. */
export interface RoutedTold {
  readonly agent: string
  readonly contextWindow: number
  /** `unknown`: only the places of the agent are known. */
  readonly told: Told | 'unknown'
  /** Number of characters that are listed of a description that is cut. */
  readonly toldChars?: number | undefined
  /** Reason why the skill is not listed. */
  readonly because?: string | undefined
}

/** Result of searching all skills for a query. */
export interface RoutedQuery {
  readonly id: string
  readonly query: string
  readonly shouldTrigger: boolean
  /** Rank of the skill, from 1. Undefined if it is not found. */
  readonly rank?: number | undefined
  /** Skills ranked above it, at most three, for a query that should trigger it. */
  readonly stolenBy: readonly string[]
}

export interface SkillRouting {
  readonly name: string
  readonly path: string
  readonly told: readonly RoutedTold[]
  /** Skills with the most words in common, nearest first. */
  readonly near: readonly (OverlapSkill & { readonly overlap: number })[]
  readonly queries: readonly RoutedQuery[]
}

/** Summary of an agent's listing of all skills, for one context window. */
export interface AgentRouting {
  readonly agent: string
  readonly contextWindow: number
  readonly whole: number
  readonly cut: number
  readonly nameOnly: number
  /** Number of skills that are not listed on purpose: only the user invokes them, or they wait for a file. */
  readonly kept: number
  /** Number of skills that are never listed although they should be: not found, or no room. */
  readonly never: number
}

export interface Routing {
  readonly agents: readonly AgentRouting[]
  readonly skills: readonly SkillRouting[]
  /** The most similar pairs of all skills, nearest first. */
  readonly pairs: readonly OverlapPair[]
}

type Skill = CatalogEntry & { readonly path: string }

/**
 * Checks whether each agent lists each skill to its model, and why not. No model is asked, and nothing of a skill is
 * executed. See docs/reference/evals.md, "Routing".
 * @throws SkillsError `E_UNKNOWN_NAME` for a name in `only` that no skill has; AbortError if the signal aborts
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
          const absent = { told: 'no', because: shadowed.get(path) ?? 'The agent does not find the skill.' } as const
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
  throw new SkillsError('E_UNKNOWN_NAME', `No skill file has the name "${name}".`, {
    hint: 'See the names: skills list.',
  })
}

/** Returns the real path of a skill's file, which identifies the skill regardless of where it was found. */
export function realPathOf({ command }: Pick<CatalogEntry, 'command'>): string {
  return command.type === 'prompt' ? (command.file?.realPath ?? command.filePath ?? '') : ''
}

function summaryOf(agent: string, contextWindow: number, all: readonly RoutedTold[]): AgentRouting {
  const own = all.filter(one => one.agent === agent && one.contextWindow === contextWindow)
  const count = (...wanted: readonly RoutedTold['told'][]): number =>
    own.filter(({ told }) => wanted.includes(told)).length
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

/** Searches all skills for the queries of each skill, and returns the ranks by name. */
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
