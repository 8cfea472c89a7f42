import * as s from '@skills/core/schema'
import {
  createSkills,
  type CatalogEntry,
  type Diagnostic,
  type Host,
  type Plugin,
  type PromptCommand,
  type Skills,
} from '@skills/core'
import type { FileReads } from '@skills/files/internal'
import { ToldSkills, type ToldSkill } from '@skills/invocation/internal'
import { memoryState } from '@skills/state'
import type { AgentDistribution, AgentDistributionOptions, CompatAgent } from './compat-types.js'

/** File as one agent sees it. */
export interface SeenFile extends Pick<ToldSkill, 'cause' | 'because'> {
  /** `unknown`: only the places of the agent are known. */
  readonly told: ToldSkill['told'] | 'unknown'
  /** Name by which it is invoked. */
  readonly name: string
  /** Path by which the agent knows it. */
  readonly path: string
  readonly description: string
  readonly shell: PromptCommand['shell']
  /** For a description that is cut: the number of its characters that are listed, and how many it has. */
  readonly toldChars?: number | undefined
  readonly ofChars?: number | undefined
}

/** Files as one agent sees them, by their real paths. */
export interface AgentLook {
  /** True if the listing of one skill depends on the others, because all share its room. */
  readonly sharesRoom: boolean
  readonly files: ReadonlyMap<string, SeenFile>
  /** Sentence that says what took the name of a file, by path. */
  readonly shadowed: ReadonlyMap<string, string>
  /** File that the agent finds first, by the path of each that is the same file as it, or has the same text. */
  readonly twins: ReadonlyMap<string, string>
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
  return {
    skills: createSkills(distribution),
    distribution: agent.placed === undefined ? distribution : { ...distribution, isPlaced: true },
  }
}

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
  const { isPlaced = false } = distribution
  const listed = isTold && !isPlaced ? await ToldSkills.of({ skills, distribution }, call) : undefined
  const files = new Map<string, SeenFile>()
  for (const entry of [...catalog.entries, ...catalog.disabled]) {
    const { command } = entry
    const path = fileOf(entry)
    if (command.type !== 'prompt' || path === undefined || files.has(path)) continue
    const { description, shell, filePath = path } = command
    files.set(path, {
      name: entry.name,
      path: filePath,
      description,
      shell,
      ...(await toldOf(entry, listed, isPlaced)),
    })
  }
  const shadowed = new Map<string, string>()
  const twins = new Map<string, string>()
  for (const { rule, loser, winner, reason, reachableAs } of catalog.collisions) {
    const [path, first] = [fileOf({ command: loser.command }), fileOf(winner)]
    if (path === undefined || reachableAs !== undefined || first === path) continue
    shadowed.set(path, reason)
    if (rule !== 'precedence' && first !== undefined) twins.set(path, first)
  }
  const problems = new Map<string, Diagnostic[]>()
  for (const one of [...catalog.errors, ...catalog.warnings]) {
    if (one.path === undefined) continue
    const known = problems.get(one.path)
    if (known === undefined) problems.set(one.path, [one])
    else known.push(one)
  }
  return { files, shadowed, twins, problems, sharesRoom: Number.isFinite(listed?.listing.budgetChars) }
}

async function toldOf(
  entry: CatalogEntry,
  listed: ToldSkills | undefined,
  isPlaced: boolean,
): Promise<Pick<SeenFile, 'told' | 'cause' | 'because' | 'toldChars' | 'ofChars'>> {
  if (isPlaced)
    return {
      told: 'unknown',
      because: 'Only the folders of this agent are known, from its documentation; it was never run.',
    }
  if (listed === undefined) return { told: 'no' }
  const { told, cause, because, chars, of } = await listed.told(entry)
  return {
    told,
    ...(cause !== undefined && { cause }),
    ...(because !== undefined && { because }),
    ...(told === 'cut' && { toldChars: chars, ofChars: of }),
  }
}

/** Returns the real path of a command's file. */
export function fileOf({ command }: Pick<CatalogEntry, 'command'>): string | undefined {
  return command.type !== 'prompt' ? undefined : (command.file?.realPath ?? command.filePath)
}

/** Returns the problems that an agent reported for a file. The path is the one that the agent uses. */
export function problemsOf({ problems }: AgentLook, path: string): readonly Diagnostic[] {
  return problems.get(path) ?? none
}
