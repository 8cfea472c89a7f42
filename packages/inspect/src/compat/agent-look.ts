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

/** File as one agent sees it. */
export interface SeenFile {
  /** Name by which it is invoked. */
  readonly name: string
  /** Path by which the agent knows it. */
  readonly path: string
  readonly description: string
  readonly shell: PromptCommand['shell']
  readonly told: Told
  /** Reason why it is not listed to the model. */
  readonly because?: string | undefined
  /** For a description that is cut: the number of its characters that are listed. */
  readonly toldChars?: number | undefined
}

/** Files as one agent sees them, by their real paths. */
export interface AgentLook {
  /** True if the listing of one skill depends on the others, because all share its room. */
  readonly sharesRoom: boolean
  readonly files: ReadonlyMap<string, SeenFile>
  /** Sentence that says what took the name of a file, by path. */
  readonly shadowed: ReadonlyMap<string, string>
  /** Errors and warnings of each file, by the path that the agent knows. */
  readonly problems: ReadonlyMap<string, readonly Diagnostic[]>
}

const none: readonly never[] = []

const agentEngineOptions = s.options('agentEngine()', {
  host: s.typed<Partial<Host>>('a host').required(),
  sharedReads: s.typed<FileReads>('shared reads', 'over'),
  plugins: s.list(s.typed<Plugin>('a plugin')),
})

/** Makes an agent's engine. Close it when done. */
export function agentEngine(
  agent: CompatAgent,
  given: Pick<AgentDistributionOptions, 'host' | 'sharedReads' | 'plugins'>,
): { readonly skills: Skills; readonly distribution: AgentDistribution } {
  const options = agentEngineOptions.read(given)
  const distribution = agent.make({
    ...options,
    // Problems of files are in the catalog. Problems of an agent's own settings matter only where the agent is used.
    onDiagnostic: () => {},
    trust: { all: true },
    state: memoryState(),
    bundled: false,
  })
  return { skills: createSkills(distribution), distribution }
}

/** Result in place of a listing that is not made. */
const untold: Pick<Listing, 'entries' | 'omitted' | 'budgetChars'> = { entries: [], omitted: [], budgetChars: Infinity }

/**
 * Runs an agent's distribution over the files: its catalog, and its listing for a model. Invokes nothing.
 * @param call.isTold false if the listing is not needed and not made. Default: true
 */
export async function lookAt(
  skills: Skills,
  distribution: AgentDistribution,
  call: { readonly contextWindow: number; readonly signal?: AbortSignal | undefined; readonly isTold?: boolean },
): Promise<AgentLook> {
  const { isTold = true, signal } = call
  const catalog = await skills.catalog({ signal })
  const listing = isTold ? await listingOf(skills, distribution, call) : untold
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
  return { files, shadowed, problems, sharesRoom: Number.isFinite(listing.budgetChars) }
}

function listingOf(
  skills: Skills,
  { port, invoker }: AgentDistribution,
  { contextWindow, signal }: { readonly contextWindow: number; readonly signal?: AbortSignal | undefined },
): Promise<Listing> {
  const engine = enginePort(skills, { ...port, invoker: new Invoker(skills, invoker) })
  // A distribution that leaves out denied commands for an agent needs an agent.
  return engine.listing({ contextWindow, ...(port.leavesOutDenied === 'agents' && { agentId: 'main' }) }, { signal })
}

function toldOf(
  entry: CatalogEntry,
  shown: Listing['entries'][number] | undefined,
  omitted: ReadonlySet<string>,
): Pick<SeenFile, 'told' | 'because' | 'toldChars'> {
  const { command, name } = entry
  if (shown?.shown === 'cut') return { told: 'cut', toldChars: charsIn(command.description, shown.text) }
  if (shown !== undefined) return { told: shown.shown }
  if (omitted.has(name)) return { told: 'no', because: 'The listing has no room for the name of the skill.' }
  const waitsFor = entry.dormant ?? entry.barred
  if (command.type === 'prompt' && command.paths.length > 0 && waitsFor !== undefined)
    return { told: 'later', because: waitsFor }
  const isWanted = command.type === 'prompt' && command.disableModelInvocation
  const [reason] = reasonsOf(entry)
  return { told: isWanted ? 'user' : 'no', because: reason?.text ?? waitsFor ?? 'The model is not told of the skill.' }
}

/** Returns the length of the longest beginning of `text` that `other` contains. */
function charsIn(text: string, other: string): number {
  let [least, most] = [0, text.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (other.includes(text.slice(0, middle))) least = middle
    else most = middle - 1
  }
  return least
}

/** Returns the real path of a command's file. */
export function fileOf({ command }: Pick<CatalogEntry, 'command'>): string | undefined {
  return command.type !== 'prompt' ? undefined : (command.file?.realPath ?? command.filePath)
}

/** Returns the problems that an agent reported for a file. The path is the one that the agent uses. */
export function problemsOf({ problems }: AgentLook, path: string): readonly Diagnostic[] {
  return problems.get(path) ?? none
}
