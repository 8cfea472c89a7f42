import { basename } from 'node:path'
import { closestNames, compareCodeUnits, SkillsError, type Host } from '@skills/core'
import { findProjectFolders } from '@skills/files'
import { isInside } from '@skills/store'
import { factsOf, type SkillFacts } from './skill-file.js'
import type { AgentLook } from './agent-look.js'
import type { OneMoment } from './one-moment.js'

/** A skill's file and what is known of it, regardless of which agent reads it. */
export interface Row {
  /** Real path. */
  readonly path: string
  readonly name: string
  /** As the reference reads it, else as the first agent that finds it. */
  readonly description: string
  readonly isOfUser: boolean
  readonly facts: SkillFacts
}

/** Which skills are wanted. */
export interface WantedRows {
  /** Names of skills. */
  readonly only?: readonly string[] | undefined
  /** Absolute real paths of files, found by an agent or not. */
  readonly files?: readonly string[] | undefined
}

const plainFrontmatter: readonly string[] = ['name', 'description']

/** Every file that any of them has, the reference's names first. */
export async function rowsOf(
  looks: readonly AgentLook[],
  host: Pick<Host, 'cwd' | 'home'>,
  { only, files }: WantedRows,
  reads: OneMoment,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const known = new Map<string, Pick<Row, 'name' | 'description'>>()
  for (const look of looks)
    for (const [path, { name, description }] of look.files) if (!known.has(path)) known.set(path, { name, description })
  for (const path of [...looks.flatMap(failedIn), ...(files ?? [])])
    if (!known.has(path)) known.set(path, { name: folderOf(path), description: '' })
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
      hint: close.length > 0 ? `Did you mean ${close.map(name => `"${name}"`).join(' or ')}?` : 'Look at skills list.',
    })
  }
  const { top } = findProjectFolders(host)
  const rows: Row[] = []
  for (const [path, { name, description }] of [...wanted].toSorted(([a], [b]) => compareCodeUnits(a, b))) {
    const isOfUser = isInside(path, host.home) && !isInside(path, top)
    const facts = await factsOf(path, reads, signal)
    const { description: written } = facts.fields
    const told = description === '' && typeof written === 'string' ? written : description
    rows.push({ path, name, description: told, isOfUser, facts })
  }
  return rows
}

/** Files that lost their name or did not load. */
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

/** What is to be tried: nothing that no skill has. */
export function askedOf(rows: readonly Row[]): Asked {
  return {
    keys: [...new Set([...plainFrontmatter, ...rows.flatMap(({ facts }) => Object.keys(facts.fields))])],
    features: [...new Set(rows.flatMap(({ facts }) => facts.features))],
  }
}

/** What a skill's folder is called; of a file that is no SKILL.md, what the file is. */
export function folderOf(path: string): string {
  const parts = path.split('/')
  const file = parts.at(-1) ?? ''
  return (/^skill\.md$/i.test(file) ? parts.at(-2) : file.replace(/\.md$/i, '')) ?? file
}
