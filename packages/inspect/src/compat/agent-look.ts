import * as s from '@skills/core/schema'
import {
  createSkills,
  reasonsOf,
  type CatalogEntry,
  type Diagnostic,
  type Host,
  type Plugin,
  type PromptCommand,
  type Skills,
} from '@skills/core'
import type { FileReads } from '@skills/files/internal'
import { Invoker } from '@skills/invocation'
import { enginePort, type Listing } from '@skills/invocation/skill-tool'
import { memoryState } from '@skills/state'
import type { AgentDistribution, AgentDistributionOptions, CompatAgent, Told } from './compat-types.js'

/** What an agent has of one file. */
export interface SeenFile {
  /** What it is invoked by. */
  readonly name: string
  /** As the agent has it. */
  readonly path: string
  readonly description: string
  readonly shell: PromptCommand['shell']
  readonly told: Told
  /** Why the model is not told of it. */
  readonly because?: string | undefined
  /** Of a description that is cut, the characters that are told. */
  readonly toldChars?: number | undefined
}

/** What an agent has of all of them, by the real paths of files. */
export interface AgentLook {
  readonly files: ReadonlyMap<string, SeenFile>
  /** What has the place of a file that lost its name: a sentence. */
  readonly shadowed: ReadonlyMap<string, string>
  /** By path as the agent has it, the errors and warnings of each file. */
  readonly problems: ReadonlyMap<string, readonly Diagnostic[]>
}

const none: readonly never[] = []

const agentEngineOptions = s.options('agentEngine()', {
  host: s.typed<Partial<Host>>('a host').required(),
  sharedReads: s.typed<FileReads>('shared reads', 'over'),
  plugins: s.list(s.typed<Plugin>('a plugin')),
})

/** An agent's engine. Close it when done. */
export function agentEngine(
  agent: CompatAgent,
  given: Pick<AgentDistributionOptions, 'host' | 'sharedReads' | 'plugins'>,
): { readonly skills: Skills; readonly distribution: AgentDistribution } {
  const options = agentEngineOptions.read(given)
  const distribution = agent.make({
    ...options,
    // What is wrong with files is in the catalog; that of an agent's own settings is told where the agent is used.
    onDiagnostic: () => {},
    trust: { all: true },
    state: memoryState(),
    bundled: false,
  })
  return { skills: createSkills(distribution), distribution }
}

/** Runs an agent's distribution over what there is: its catalog, and what it would tell a model. Nothing is invoked. */
export async function lookAt(
  skills: Skills,
  distribution: AgentDistribution,
  { contextWindow, signal }: { readonly contextWindow: number; readonly signal: AbortSignal },
): Promise<AgentLook> {
  const catalog = await skills.catalog({ signal })
  const { port } = distribution
  const engine = enginePort(skills, { ...port, invoker: new Invoker(skills, distribution.invoker) })
  // One that leaves out what is denied to an agent always has an agent.
  const listing = await engine.listing(
    { contextWindow, ...(port.leavesOutDenied === 'agents' && { agentId: 'main' }) },
    { signal },
  )
  const files = new Map<string, SeenFile>()
  const listed = new Map(listing.entries.map(one => [one.name, one]))
  const omitted = new Set(listing.omitted)
  for (const entry of [...catalog.entries, ...catalog.disabled]) {
    const { command } = entry
    const path = fileOf(entry)
    if (command.type !== 'prompt' || path === undefined || files.has(path)) continue
    const { description, shell, filePath = path } = command
    const told = toldOf(entry, listed.get(entry.name), omitted)
    files.set(path, { name: entry.name, path: filePath, description, shell, ...told })
  }
  const shadowed = new Map<string, string>()
  for (const { loser, winner, reason, reachableAs } of catalog.collisions) {
    const path = fileOf({ command: loser.command })
    if (path !== undefined && reachableAs === undefined && fileOf(winner) !== path) shadowed.set(path, reason)
  }
  const problems = new Map<string, Diagnostic[]>()
  for (const one of [...catalog.errors, ...catalog.warnings]) {
    if (one.path === undefined) continue
    const known = problems.get(one.path)
    if (known === undefined) problems.set(one.path, [one])
    else known.push(one)
  }
  return { files, shadowed, problems }
}

function toldOf(
  entry: CatalogEntry,
  shown: Listing['entries'][number] | undefined,
  omitted: ReadonlySet<string>,
): Pick<SeenFile, 'told' | 'because' | 'toldChars'> {
  const { command, name } = entry
  if (shown?.shown === 'cut') return { told: 'cut', toldChars: charsIn(command.description, shown.text) }
  if (shown !== undefined) return { told: shown.shown }
  if (omitted.has(name)) return { told: 'no', because: 'The listing has no room for its name.' }
  const waitsFor = entry.dormant ?? entry.barred
  if (command.type === 'prompt' && command.paths.length > 0 && waitsFor !== undefined)
    return { told: 'later', because: waitsFor }
  const isWanted = command.type === 'prompt' && command.disableModelInvocation
  const [reason] = reasonsOf(entry)
  return { told: isWanted ? 'user' : 'no', because: reason?.text ?? waitsFor ?? 'It is not offered to the model.' }
}

/** How much of the beginning of a text stands in another. */
function charsIn(text: string, other: string): number {
  let [least, most] = [0, text.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (other.includes(text.slice(0, middle))) least = middle
    else most = middle - 1
  }
  return least
}

/** The real path of what a command was read from. */
export function fileOf({ command }: Pick<CatalogEntry, 'command'>): string | undefined {
  return command.type !== 'prompt' ? undefined : (command.file?.realPath ?? command.filePath)
}

/** What is said of a file, by the path that the agent has it under. */
export function problemsOf({ problems }: AgentLook, path: string): readonly Diagnostic[] {
  return problems.get(path) ?? none
}
