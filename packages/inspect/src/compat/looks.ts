import type { Catalog, Host, MaybePromise, Skills } from '@skills/core'
import { LocalStore } from '@skills/files'
import { readingOnce, type FileReads } from '@skills/files/internal'
import { namesBeside, readsForNames } from '@skills/files/source'
import { agentEngine, lookAt } from './agent-look.js'
import { folderOf, knownIn } from './rows.js'
import type { Looked } from './column.js'
import type { AgentDistribution, CompatAgent } from './compat-types.js'
import { OneMoment } from './one-moment.js'

export interface AgentEngine {
  readonly skills: Skills
  readonly distribution: AgentDistribution
}

/** Engine that the caller made, and closes itself. */
export interface GivenEngine extends AgentEngine {
  /** Makes the same engine with other reads; the caller closes it. Without this function every skill is read. */
  readonly readingWith?: ((reads: FileReads) => MaybePromise<AgentEngine>) | undefined
}

export interface LooksCall {
  readonly reference: CompatAgent
  readonly engine?: GivenEngine | undefined
  readonly agents: readonly CompatAgent[]
  readonly host: Host
  /** Names of skills. Default: all. */
  readonly only?: readonly string[] | undefined
  readonly files?: readonly string[] | undefined
  readonly reads: OneMoment
  readonly contextWindow: number
  readonly signal: AbortSignal
  readonly onProgress?: ((agent: string) => void) | undefined
}

/** Views that the reference and each agent have of the skills in their present places. */
export interface Looks {
  /** View of the reference. */
  readonly meaning: Looked
  /** Views by agent name, the reference's first. */
  readonly looks: Map<string, Looked>
}

/**
 * Loads the skills once as the reference agent does, and once as each other agent does. Without a host no skill is
 * loaded.
 */
export async function looksFor(given: Omit<LooksCall, 'host'> & { readonly host?: Host | undefined }): Promise<Looks> {
  const { host, only, files } = given
  if (host === undefined) return noLooks(given)
  const call = { ...given, host }
  return (only !== undefined && files === undefined ? await looksByName(only, call) : undefined) ?? looksAtAll(call)
}

/** Returns views without any skill, for skills that lie nowhere yet. */
async function noLooks({ reference, agents }: Pick<LooksCall, 'reference' | 'agents'>): Promise<Looks> {
  const looked = async (agent: CompatAgent): Promise<Looked> => {
    const { skills, distribution } = agentEngine(agent, { host: { cwd: '/', home: '/', env: {} } })
    await skills.close()
    const nothing = { sharesRoom: false, files: new Map(), shadowed: new Map(), twins: new Map(), problems: new Map() }
    return { agent, look: nothing, shell: distribution.shell }
  }
  const meaning = await looked(reference)
  const looks = new Map([[reference.name, meaning]])
  for (const agent of agents) looks.set(agent.name, await looked(agent))
  return { meaning, looks }
}

/** @param given reads that are limited to some files. Default: every file is read */
async function looksAtAll(
  call: LooksCall,
  given?: FileReads,
): Promise<Looks & { readonly catalogs: readonly Catalog[] }> {
  const { reference, agents } = call
  const { looked: meaning, catalog } = await look(reference, call, given)
  const looks = new Map([[reference.name, meaning]])
  const catalogs = [catalog]
  for (const agent of agents) {
    if (looks.has(agent.name)) continue
    const found = await look(agent, call, given)
    looks.set(agent.name, found.looked)
    // The catalog of every skill is not kept, because it is not needed again.
    if (given !== undefined) catalogs.push(found.catalog)
  }
  return { meaning, looks, catalogs }
}

/** Most looks by names: a second one follows if the skills turn out to have further names. */
const mostLooks = 2

/**
 * Looks only at the files that can affect some names; the result for these is the same as with all files. An agent
 * whose listing depends on every skill looks at every skill. Returns undefined if only a look at all files can tell.
 */
async function looksByName(only: readonly string[], call: LooksCall): Promise<Looks | undefined> {
  if (call.engine !== undefined && call.engine.readingWith === undefined) return undefined
  let names = only
  for (let at = 0; at < mostLooks; at++) {
    const reads = readsForNames(names)
    if (reads === undefined) return undefined
    // The next agent also skips the files that were skipped here, and nothing of them is kept.
    const moment = new OneMoment('heads', reads.over(new LocalStore()))
    const { meaning, looks, catalogs } = await looksAtAll(call, moment)
    const known = [...knownIn([...looks.values()].map(one => one.look))].filter(([, { name }]) => only.includes(name))
    // A name that no skill has needs all names, to find the closest ones.
    if (!only.every(name => known.some(([, one]) => one.name === name))) return undefined
    const paths = new Set(known.map(([path]) => path))
    const others = catalogs.map(catalog => namesBeside(catalog, names, paths))
    if (others.includes(undefined)) return undefined
    const further = new Set([...others.flatMap(one => one ?? []), ...[...paths].map(folderOf)])
    for (const name of names) further.delete(name)
    if (further.size === 0) return { meaning, looks: await withShared(looks, paths, call) }
    names = [...names, ...further]
  }
  return undefined
}

/**
 * Repeats the look with all files for agents whose listing shares its room, because there the listing of a skill
 * depends on the others.
 */
async function withShared(given: Looks['looks'], paths: ReadonlySet<string>, call: LooksCall): Promise<Looks['looks']> {
  const looks = new Map(given)
  for (const [name, { agent, look: seen }] of given)
    if (seen.sharesRoom && [...paths].some(path => seen.files.has(path)))
      // Few agents do, so keeping every file for the next one would cost more than reading the files again.
      looks.set(name, (await look(agent, call, readingOnce)).looked)
  return looks
}

/** @param given reads that are limited to some files. Default: every file is read */
async function look(
  agent: CompatAgent,
  { reference, engine, agents, host, reads, contextWindow, signal, onProgress }: LooksCall,
  given?: FileReads,
): Promise<{ readonly looked: Looked; readonly catalog: Catalog }> {
  onProgress?.(agent.name)
  const own = agent.name === reference.name ? engine : undefined
  const made =
    own !== undefined && given === undefined
      ? own
      : ((given && (await own?.readingWith?.(given))) ?? agentEngine(agent, { host, sharedReads: given ?? reads }))
  const { skills, distribution } = made
  try {
    // The listing of a reference is not part of the result, unless it is also one of the agents.
    const isTold = agents.some(({ name }) => name === agent.name)
    const looked = {
      agent,
      look: await lookAt(skills, distribution, { contextWindow, signal, isTold }),
      shell: distribution.shell,
    }
    return { looked, catalog: await skills.catalog({ signal }) }
  } finally {
    if (made !== own) await skills.close()
  }
}
