import { basename } from 'node:path'
import { closestNames, compareCodeUnits, SkillsError, type Host } from '@skills/core'
import { findProjectFolders } from '@skills/files'
import { isInside } from '@skills/store'
import { factsOf, type SkillFacts } from './skill-file.js'
import type { AgentLook } from './agent-look.js'
import type { OneMoment } from './one-moment.js'

/** Skill's file with the facts that do not depend on the agent. */
export interface Row {
  /** Real path. */
  readonly path: string
  readonly name: string
  /** Description as the reference reads it, or the first agent that finds the skill. */
  readonly description: string
  readonly isOfUser: boolean
  readonly facts: SkillFacts
}

/** Selection of skills. */
export interface WantedRows {
  /** Names of skills. */
  readonly only?: readonly string[] | undefined
  /** Absolute real paths of files, even of files that no agent finds. */
  readonly files?: readonly string[] | undefined
}

const plainFrontmatter: readonly string[] = ['name', 'description']

/** Returns every file that one of the agents finds. The reference's names have precedence. */
export async function rowsOf(
  looks: readonly AgentLook[],
  host: Pick<Host, 'cwd' | 'home'> | undefined,
  { only, files }: WantedRows,
  reads: OneMoment,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const known = knownIn(looks, files)
  const isWanted = (path: string, name: string): boolean =>
    (only === undefined && files === undefined) || only?.includes(name) === true || files?.includes(path) === true
  const wanted = new Map([...known].filter(([path, { name }]) => isWanted(path, name)))
  const missing = only?.find(name => ![...wanted.values()].some(one => one.name === name))
  if (missing !== undefined) {
    const close = closestNames(
      missing,
      [...known.values()].map(({ name }) => name),
    )
    throw new SkillsError('E_UNKNOWN_NAME', `No agent finds a skill named "${missing}".`, {
      hint:
        close.length > 0
          ? `Did you mean ${close.map(name => `"${name}"`).join(' or ')}?`
          : 'See the names: skills list.',
    })
  }
  const at = host && { home: host.home, top: findProjectFolders(host).top }
  const rows: Row[] = []
  for (const [path, { name, description }] of [...wanted].toSorted(([a], [b]) => compareCodeUnits(a, b))) {
    const isOfUser = at !== undefined && isInside(path, at.home) && !isInside(path, at.top)
    const facts = await factsOf(path, reads, signal)
    const { description: written } = facts.fields
    const told = description === '' && typeof written === 'string' ? written : description
    rows.push({ path, name, description: told, isOfUser, facts })
  }
  return rows
}

/** Returns name and description of each file by its real path, taken from the first agent that finds the file. */
export function knownIn(
  looks: readonly AgentLook[],
  files: readonly string[] = [],
): ReadonlyMap<string, Pick<Row, 'name' | 'description'>> {
  const known = new Map<string, Pick<Row, 'name' | 'description'>>()
  for (const look of looks)
    for (const [path, { name, description }] of look.files) if (!known.has(path)) known.set(path, { name, description })
  for (const path of [...looks.flatMap(failedIn), ...files])
    if (!known.has(path)) known.set(path, { name: folderOf(path), description: '' })
  return known
}

/** Returns the files that lost their name or did not load. */
function failedIn({ shadowed, problems, files }: AgentLook): readonly string[] {
  const loaded = new Set([...files.values()].map(({ path }) => path))
  const failed = [...problems]
    .filter(
      ([path, all]) =>
        !loaded.has(path) && /^skill\.md$/i.test(basename(path)) && all.some(({ severity }) => severity === 'error'),
    )
    .map(([path]) => path)
  return [...shadowed.keys(), ...failed]
}

export interface Asked {
  readonly keys: readonly string[]
  readonly features: readonly string[]
}

/** Returns the keys and features that have to be tested: those that at least one skill uses. */
export function askedOf(rows: readonly Row[]): Asked {
  return {
    keys: [...new Set([...plainFrontmatter, ...rows.flatMap(({ facts }) => Object.keys(facts.fields))])],
    features: [...new Set(rows.flatMap(({ facts }) => facts.features))],
  }
}

/** Returns the name of a skill's folder; for a file other than SKILL.md, the file's own name. */
export function folderOf(path: string): string {
  const parts = path.split('/')
  const file = parts.at(-1) ?? ''
  return (/^skill\.md$/i.test(file) ? parts.at(-2) : file.replace(/\.md$/i, '')) ?? file
}
