import { dirname } from 'node:path'
import { realPathOf } from '@skills/files/internal'
import { agentCatalog } from './agent-catalog.js'
import { spotsOf } from './differences.js'
import type { Catalog, Command } from '@skills/core'
import type { InstallContext } from './context.js'
import type { Lock } from './lock.js'

/** Skill that an agent does not find. */
export interface Miss {
  readonly name: string
  /** Sentence without its full stop. */
  readonly because: string
  /** True if the agent reads no folder with the skill, so that it has to get the skill first. */
  readonly isElsewhere: boolean
}

/** Skills of the lock that one agent finds, and those that it does not find. */
export interface Sight {
  /** Name of the agent's distribution. */
  readonly agent: string
  readonly sees: readonly string[]
  readonly misses: readonly Miss[]
}

/**
 * Finds out which installed skills each agent finds. Runs its distribution over the real folders, so that links,
 * settings and other skills of the same name count too. An agent is asked as if it were started in the project.
 * @param skills skills of the lock to ask about
 */
export async function sightsOf(
  agents: readonly string[],
  skills: Lock,
  { place, host, signal }: Pick<InstallContext, 'place' | 'host' | 'signal'>,
): Promise<readonly Sight[]> {
  const from = place.scope === 'project' ? { ...host, cwd: place.base } : host
  const sights: Sight[] = []
  for (const agent of agents) {
    const catalog = await agentCatalog(agent, from, signal)
    const folders = Object.entries(skills).map(([name, locked]) => ({
      name,
      folders: spotsOf(place, name, locked).map(({ path }) => path),
    }))
    const misses = missesIn(catalog, folders)
    const missed = new Set(misses.map(({ name }) => name))
    const sees = Object.keys(skills).filter(name => !missed.has(name))
    sights.push({ agent, sees, misses })
  }
  return sights
}

/**
 * Returns the skills that are not in a catalog, each with the reason.
 * @param skills each with the folders in which it lies
 */
export function missesIn(
  catalog: Catalog,
  skills: readonly { readonly name: string; readonly folders: readonly string[] }[],
): readonly Miss[] {
  // An agent that finds the same file, or the same text, in another place has the skill.
  const active = new Set(catalog.entries.map(({ command }) => command))
  const same = catalog.collisions.flatMap(({ rule, winner, loser }) =>
    rule !== 'precedence' && active.has(winner.command) ? [loser] : [],
  )
  const found = new Set(
    [...catalog.entries, ...catalog.disabled.filter(waitsForFile), ...same].flatMap(({ command }) =>
      foldersOf(command),
    ),
  )
  const looks = new Set(catalog.places.map(({ path }) => path.replace(/\/\*$/, '')))
  return skills.flatMap(({ name, folders }): readonly Miss[] => {
    const all = new Set(folders.flatMap(path => [path, realPathOf(path) ?? path]))
    if ([...all].some(folder => found.has(folder))) return []
    const because = reasonIn(catalog, all)
    if (because !== undefined) return [{ name, because, isElsewhere: false }]
    const isElsewhere = !folders.some(folder => looks.has(dirname(folder)))
    return [
      { name, because: isElsewhere ? 'it does not read that folder' : 'it finds no skill in that folder', isElsewhere },
    ]
  })
}

/** Returns true for a skill that an agent is told of as soon as a file is touched. */
function waitsForFile({ command, dormant, barred }: Catalog['disabled'][number]): boolean {
  return command.type === 'prompt' && command.paths.length > 0 && (dormant ?? barred) !== undefined
}

/** Returns the folder of a skill, as the agent names it and without links. */
function foldersOf(command: Command): readonly string[] {
  if (command.type !== 'prompt') return []
  return [command.filePath, command.file?.realPath].flatMap(path => (path === undefined ? [] : dirname(path)))
}

/** Returns what a catalog says about skills in some folders; undefined if it says nothing. */
function reasonIn(
  { collisions, errors, warnings, disabled }: Catalog,
  folders: ReadonlySet<string>,
): string | undefined {
  const isOwn = (path: string | undefined): boolean =>
    path !== undefined && [...folders].some(folder => path === folder || path.startsWith(`${folder}/`))
  const loser = collisions.find(one => one.reachableAs === undefined && foldersOf(one.loser.command).some(isOwn))
  if (loser !== undefined) return withoutStop(loser.reason)
  const off = disabled.find(({ command }) => foldersOf(command).some(isOwn))
  if (off !== undefined) return off.barred === undefined ? 'it is switched off' : withoutStop(off.barred)
  const problem = [...errors, ...warnings].find(({ path }) => isOwn(path))
  return problem && withoutStop(problem.message)
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
