import type { Catalog, Host, MaybePromise, Skills } from '@skills/core'
import { LocalStore } from '@skills/files'
import type { FileReads } from '@skills/files/internal'
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

/** An engine that its owner closes. */
export interface GivenEngine extends AgentEngine {
  /** Makes the same one with other reads, to be closed after use. Without it every skill is looked at. */
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

/** What the reference and each agent have where the skills lie. */
export interface Looks {
  /** The reference's. */
  readonly meaning: Looked
  /** By names, the reference's first. */
  readonly looks: Map<string, Looked>
}

/** Looks at the skills as the reference and each agent do, each once. */
export async function looksFor(call: LooksCall): Promise<Looks> {
  const { only, files } = call
  return (only !== undefined && files === undefined ? await looksByName(only, call) : undefined) ?? looksAtAll(call)
}

/** @param given reads of some files alone. Default: of all of them */
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
    // One of everything is not kept longer than it is needed.
    if (given !== undefined) catalogs.push(found.catalog)
  }
  return { meaning, looks, catalogs }
}

/** Most looks by names: another one where it shows that the skills have further names. */
const mostLooks = 2

/**
 * The same of those files alone that can have to do with some names, and says of these what all of them say. Where what
 * a model is told depends on every skill, that agent looks at every skill. Undefined where only a look at all tells.
 */
async function looksByName(only: readonly string[], call: LooksCall): Promise<Looks | undefined> {
  if (call.engine !== undefined && call.engine.readingWith === undefined) return undefined
  let names = only
  for (let at = 0; at < mostLooks; at++) {
    const reads = readsForNames(names)
    if (reads === undefined) return undefined
    // What is passed over once is no file to the next agent: nothing of it is kept.
    const moment = new OneMoment('heads', reads.over(new LocalStore()))
    const { meaning, looks, catalogs } = await looksAtAll(call, moment)
    const known = [...knownIn([...looks.values()].map(one => one.look))].filter(([, { name }]) => only.includes(name))
    // What is close to a name that nothing has is told by all names.
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

const fromDisk: FileReads = { over: store => store, looksOnce: true }

/** Looks again as agents whose listing shares its room do: what is told of a skill there depends on the others. */
async function withShared(given: Looks['looks'], paths: ReadonlySet<string>, call: LooksCall): Promise<Looks['looks']> {
  const looks = new Map(given)
  for (const [name, { agent, look: seen }] of given)
    if (seen.sharesRoom && [...paths].some(path => seen.files.has(path)))
      // Hardly any agent does: to keep every file for the next one would cost more than to read them again.
      looks.set(name, (await look(agent, call, fromDisk)).looked)
  return looks
}

/** @param given reads of some files alone. Default: of all of them */
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
    // What the model of a reference is told is no part of the answer.
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
