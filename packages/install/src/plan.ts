import * as s from '@skills/core/schema'
import { existsSync } from 'node:fs'
import { compareCodeUnits, SkillsError } from '@skills/core'
import { agentTargets, usedAgents, type UsedAgents } from './agents.js'
import { portablePath, portableText, wantedSource, type InstallContext } from './context.js'
import { differencesOf, type Difference } from './differences.js'
import { isRefused } from './error.js'
import { foldedPath, isSkillName } from './file-name.js'
import { textDifference } from './text-difference.js'
import { comparePowers, powersOf, type PowerDifference, type Powers } from './powers.js'
import { stageSkill } from './stage.js'
import { makeStaging, recover, type Step } from './transaction.js'
import { hintOf, unknownSkill } from './unknown-skill.js'
import { exactSource } from './exact-source.js'
import { ownOf, type FoundSkill, type SkillContent } from './skill-files.js'
import { broughtSkills, type BroughtSkills } from './brought-skills.js'
import { readIntoCache } from './read-into-cache.js'
import { readLock, readManifest, type LockedSkill } from './lock.js'
import type { Resolved } from './resolution.js'
import { openSource, type OpenedSource } from './open-source.js'
import { descriptionIn } from './offered-skills.js'
import { sha256 } from './content-cache.js'

/** Skill that would be installed. */
export interface PlannedSkill {
  readonly name: string
  readonly locked: LockedSkill
  /** Current entry in the lock. */
  readonly before: LockedSkill | undefined
  /** Paths of files by kind of change. */
  readonly files: {
    readonly added: readonly string[]
    readonly changed: readonly string[]
    readonly removed: readonly string[]
  }
  /** Different lines of changed files, as a unified diff. */
  readonly lines: readonly string[]
  /** Powers of the skill, and how they differ from those of the installed version. */
  readonly powers: Powers
  readonly difference: PowerDifference
  /** Reports on how agents treat it, one line each. */
  readonly compat: readonly string[]
  /** Steps that move it into place from folders that are ready. */
  readonly steps: readonly Step[]
}

/** Skill of a source with its description, which is empty without one. */
export interface DescribedSkill extends FoundSkill {
  readonly description: string
}

/** Skill of a source that cannot be installed. */
export interface RefusedSkill extends FoundSkill {
  readonly error: SkillsError
}

/** Planned changes. None takes effect before {@link applyPlan}. */
export interface Plan extends UsedAgents {
  readonly skills: readonly PlannedSkill[]
  /** Agents that get each skill from then on, each with how it gets it: `same`, `link FOLDER` or `copy FOLDER`. */
  readonly agents: Readonly<Record<string, string>>
  /** Skills that were wanted and cannot be installed, each with the reason. The others are not affected. */
  readonly refused: readonly RefusedSkill[]
  /** Skills that lie in the source, but that its manifests or its layout do not bring. They can be added by name. */
  readonly others: readonly FoundSkill[]
  /** Differences between the disk and the lock, for skills that match their source and are therefore not installed. */
  readonly drifted: readonly Difference[]
  /** Digest of everything that would be installed, with its sources, which a person agrees to. */
  readonly digest: string
  /** Removes the staged files. */
  discard(): void
}

const addOptions = s.options('planAdd()', {
  /** Names of skills in the source, or their paths in it if several have the same name. */
  skills: s.list(s.text()),
  all: s.flag(),
  /** True if a local folder is linked, so that its current content is always used. Default: false. */
  link: s.flag().default(false),
  /** Agents that get the skills, besides those of `skills.json`; they are added there. */
  agents: s.list(s.text()),
  /** True if the agents that are used here get the skills too, if `agents` names none. Default: false. */
  findAgents: s.flag().default(false),
  /** Called if a source has several skills and none is named. Returning undefined cancels. */
  choose: s.fn<(found: readonly DescribedSkill[]) => Promise<readonly FoundSkill[] | undefined>>(),
})

export interface AddOptions extends s.OptionsOf<typeof addOptions> {}

/**
 * Reads skills of a source into the cache, stages them, and reports what they can do.
 * @returns undefined if the person cancelled the choice
 * @throws SkillsError, and the errors of stores
 */
export async function planAdd(text: string, given: AddOptions, context: InstallContext): Promise<Plan | undefined> {
  const options = addOptions.read(given)
  const { link, agents = [], findAgents } = options
  await recover(context)
  const { host, signal, onProgress, idleMs } = context
  const exact = await exactSource(text, host, { host, signal, onProgress, idleMs })
  const skills = exact.skill === undefined ? options.skills : [...(options.skills ?? []), exact.skill]
  const source = portableText(exact.text, context)
  if (link && wantedSource(source, context).type !== 'folder')
    throw new SkillsError(
      'E_INSTALL_SOURCE',
      `${JSON.stringify(text)} is not a local folder, so it cannot be linked.`,
      { hint: 'Leave out --link.' },
    )
  const read = await readFrom(source, context, async (found, digestOf, describe) => {
    const chosen = await chosenOf(found, text, { ...options, skills }, digestOf, describe)
    return chosen && { wanted: chosen.wanted.map(one => ({ ...one, link })), refused: chosen.refused }
  })
  return read && planned(read, context, { agents, findAgents: findAgents === true && agents.length === 0 })
}

/**
 * Finds out which versions the sources of skills lead to now. Skills that match the lock are not in the plan.
 * @param names undefined: all
 */
export async function planUpdate(names: readonly string[] | undefined, context: InstallContext): Promise<Plan> {
  const { place } = context
  await recover(context)
  const lock = readLock(place.lock, place.home)
  const { skills } = readManifest(place.manifest)
  const known = Object.keys({ ...skills, ...lock })
  const bySource = new Map<string, string[]>()
  for (const name of names ?? known) {
    const source = ownOf(skills, name)?.source ?? ownOf(lock, name)?.source
    if (source === undefined) throw unknownSkill(name, known)
    if (ownOf(skills, name)?.link === true && ownOf(lock, name) !== undefined) continue
    bySource
      .set(source, bySource.get(source) ?? [])
      .get(source)
      ?.push(name)
  }
  const items: Item[] = []
  const refused: RefusedSkill[] = []
  const pathOf = (name: string): string => ownOf(lock, name)?.path ?? ''
  for (const [source, some] of bySource) {
    const gone: string[] = []
    const pick = ({ skills: brought, others }: BroughtSkills): Picked => {
      const found = [...brought, ...others]
      const byName = new Map(found.toReversed().map(one => [one.name, one]))
      const wanted = some.flatMap(name => {
        const locked = ownOf(lock, name)
        const path = locked?.source === source ? locked.path : undefined
        const same = byName.get(name)
        const one = same?.path === path ? same : (found.find(each => each.name === name && each.path === path) ?? same)
        if (one !== undefined) return [{ ...one, link: ownOf(skills, name)?.link === true }]
        gone.push(name)
        return []
      })
      return { wanted, refused: gone.map(name => ({ name, path: pathOf(name), error: goneFrom(source, name) })) }
    }
    try {
      const read = await readFrom(source, context, pick)
      items.push(...read.items)
      refused.push(...read.refused)
    } catch (error) {
      // A source that cannot be read stops no other one.
      if (!isRefused(error)) throw error
      refused.push(
        ...some.map(name => ({
          name,
          path: pathOf(name),
          error: gone.includes(name) ? goneFrom(source, name) : error,
        })),
      )
    }
  }
  return planned({ items, refused, others: [] }, context, { onlyChanged: true })
}

function goneFrom(source: string, name: string): SkillsError {
  return new SkillsError('E_INSTALL_NOT_FOUND', `${source} no longer has a skill ${JSON.stringify(name)}.`, {
    hint: 'Remove that skill, or add it from another source.',
  })
}

/** Skills of a source that are wanted, and those that cannot be installed beside them. */
interface Picked {
  readonly wanted: readonly Wanted[]
  readonly refused: readonly RefusedSkill[]
}

/** Returns the digest of a skill's files. */
type DigestOf = (one: FoundSkill) => Promise<string>

type Describe = (one: FoundSkill) => Promise<DescribedSkill>

interface Wanted extends FoundSkill {
  readonly link: boolean
}

/** Skill of a source, with its files in the cache. */
interface Item extends Wanted {
  readonly source: string
  readonly resolved: Resolved
  readonly content: SkillContent
  /** Its own folder, for a local folder. */
  readonly folder: string
}

interface ReadItems {
  readonly items: readonly Item[]
  readonly refused: readonly RefusedSkill[]
  readonly others: readonly FoundSkill[]
}

/**
 * Opens a source and reads into the cache the skills that `pick` selects. One that cannot be installed stops no other.
 * @throws SkillsError the reason of the first one if no skill is left
 */
async function readFrom<T extends Picked | undefined>(
  source: string,
  context: InstallContext,
  pick: (found: BroughtSkills, digestOf: DigestOf, describe: Describe) => T | Promise<T>,
): Promise<ReadItems | Extract<T, undefined>> {
  const { host, signal, onProgress, idleMs } = context
  const opened = await openSource(wantedSource(source, context), { host, signal, onProgress, idleMs })
  try {
    const { entry } = opened
    const brought = await broughtSkills(opened, entry, signal)
    if (entry !== undefined && brought.skills.length === 0)
      throw new SkillsError('E_INSTALL_NOT_FOUND', `${source} lists no skill.`, { hint: 'Name another plugin.' })
    // Skills beside a plugin are not part of it, and cannot be named.
    const found = entry === undefined ? brought : { ...brought, others: [] }
    onProgress?.()
    const picked = await pick(
      found,
      async ({ path }) => (await readIntoCache(opened, path, context)).digest,
      async one => describedIn(opened, one, signal),
    )
    if (picked === undefined) return picked as Extract<T, undefined>
    const resolved = portable(opened.resolved, context)
    const items: Item[] = []
    const refused = [...picked.refused]
    for (const [at, one] of picked.wanted.entries()) {
      onProgress?.({ what: `Reading ${source}`, done: at, total: picked.wanted.length, unit: 'skills' })
      try {
        const content = await readIntoCache(opened, one.path, context)
        const folder = one.path === '' ? opened.root : `${opened.root}/${one.path}`
        items.push({ ...one, source, resolved, content, folder })
      } catch (error) {
        if (!isOfOneSkill(error)) throw error
        refused.push({ ...one, error })
      }
    }
    const [first] = refused
    if (items.length === 0 && first !== undefined) throw first.error
    return { items, refused, others: found.others }
  } finally {
    await opened.close()
  }
}

/** Describes skills one after the other: a store may lend the same bytes again. */
async function described(found: readonly FoundSkill[], describe: Describe): Promise<readonly DescribedSkill[]> {
  const all: DescribedSkill[] = []
  for (const one of found) all.push(await describe(one))
  return all
}

/** Most bytes of a skill's file that are read for its description. */
const largestHead = 1024 * 1024

async function describedIn(
  { store, root }: OpenedSource,
  one: FoundSkill,
  signal: AbortSignal,
): Promise<DescribedSkill> {
  const folder = one.path === '' ? root : `${root}/${one.path}`
  const read = await store.read(`${folder}/SKILL.md`, { signal, maxBytes: largestHead })
  const isRead = read?.found === 'file'
  return { ...one, description: isRead ? await descriptionIn(Buffer.from(read.bytes.subarray(0, read.length))) : '' }
}

/** Returns true for the reason why one skill cannot be installed, which says nothing about the others. */
function isOfOneSkill(error: unknown): error is SkillsError {
  return SkillsError.is(error) && (error.code === 'E_INSTALL_UNSAFE' || error.code === 'E_INSTALL_LIMIT')
}

async function planned(
  { items, refused, others }: ReadItems,
  context: InstallContext,
  {
    agents: more = [],
    findAgents = false,
    onlyChanged = false,
  }: { readonly agents?: readonly string[]; readonly findAgents?: boolean; readonly onlyChanged?: boolean },
): Promise<Plan> {
  const { place, signal, onProgress } = context
  const lock = readLock(place.lock, place.home)
  const wanted = [...new Set([...readManifest(place.manifest).agents, ...more])]
  const used = findAgents
    ? await usedAgents(await textsOf(items, context), wanted, context)
    : { found: [], unwired: [], targets: {} }
  const { found, unwired } = used
  const targets = sortedByName({ ...(await agentTargets(wanted, context)), ...used.targets })
  const named = Object.keys(targets)
  const staging = makeStaging(place)
  const discard = (): void => staging.remove()
  const skills: PlannedSkill[] = []
  /** Folder of each of them that is ready, or of its source if it is linked. */
  const folders: string[] = []
  const drifted: Difference[] = []
  try {
    for (const [at, { name, path, source, resolved, content, folder, link }] of items.entries()) {
      onProgress?.({ what: 'Auditing the skills', done: at, total: items.length, unit: 'skills' })
      const before = ownOf(lock, name)
      const { files, digest } = link ? { files: {}, digest: '' } : content
      const locked: LockedSkill = { source, resolved, path, digest, agents: targets, files }
      if (onlyChanged && before?.digest === digest && before.source === source) {
        drifted.push(...differencesOf(place, name, before))
        continue
      }
      const steps = await stageSkill(staging, name, locked, context)
      const ready = link ? folder : `${staging.path}/0/${name}`
      const own = `${place.folder}/${name}`
      const old =
        before === undefined || !existsSync(`${own}/SKILL.md`)
          ? undefined
          : await powersOf(own, { agents: named, signal })
      const powers = await powersOf(ready, { agents: named, signal })
      const changes = filesDifference(before?.files ?? {}, content.files)
      skills.push({
        name,
        locked,
        before,
        files: changes,
        lines: await textDifference(own, ready, changes.changed, signal),
        powers,
        difference: comparePowers(old, powers),
        compat: [],
        steps,
      })
      folders.push(ready)
    }
    if (named.length > 0 && skills.length > 0) {
      const { fieldFindings } = await import('./field-findings.js')
      const disagreeing = await fieldFindings(folders, named, signal)
      for (const [at, skill] of skills.entries())
        skills[at] = { ...skill, compat: disagreeing.get(folders[at] ?? '') ?? [] }
    }
  } catch (error) {
    discard()
    throw error
  }
  onProgress?.()
  const what = skills.map(({ name, locked }) => [name, locked.source, locked.resolved, locked.path, locked.digest])
  return {
    skills,
    refused,
    others,
    drifted,
    agents: targets,
    found,
    unwired,
    digest: `sha256:${sha256(JSON.stringify([what, targets]))}`,
    discard,
  }
}

/** Sorts targets, because their order counts in the digest. */
function sortedByName(targets: Plan['agents']): Plan['agents'] {
  return Object.fromEntries(Object.entries(targets).toSorted(([a], [b]) => compareCodeUnits(a, b)))
}

/** Returns the `SKILL.md` of each skill by name. */
async function textsOf(items: readonly Item[], { cache }: InstallContext): Promise<Readonly<Record<string, Buffer>>> {
  const texts: Record<string, Buffer> = {}
  for (const { name, content } of items) {
    const entry = Object.entries(content.files).find(([path]) => /^skill\.md$/i.test(path))?.[1]
    const bytes = entry === undefined ? undefined : await cache.get(entry.slice(0, 64))
    if (bytes !== undefined) texts[name] = bytes
  }
  return texts
}

function filesDifference(before: LockedSkill['files'], after: LockedSkill['files']): PlannedSkill['files'] {
  return {
    added: Object.keys(after).filter(path => !Object.hasOwn(before, path)),
    changed: Object.keys(after).filter(path => Object.hasOwn(before, path) && before[path] !== after[path]),
    removed: Object.keys(before).filter(path => !Object.hasOwn(after, path)),
  }
}

function portable(resolved: Resolved, { place }: Pick<InstallContext, 'place'>): Resolved {
  if (resolved.type === 'folder') return { ...resolved, path: portablePath(resolved.path, place) }
  if (resolved.type !== 'archive' || /^https?:/i.test(resolved.at)) return resolved
  return { ...resolved, at: portablePath(resolved.at, place) }
}

async function chosenOf(
  { skills: found, others, remote, refusal }: BroughtSkills,
  text: string,
  { skills = [], all = false, choose }: AddOptions,
  digestOf: DigestOf,
  describe: Describe,
): Promise<{ readonly wanted: readonly FoundSkill[]; readonly refused: readonly RefusedSkill[] } | undefined> {
  const names = [...new Set(found.map(one => one.name))]
  const notFound = (why: string, hint: string): SkillsError =>
    new SkillsError('E_INSTALL_NOT_FOUND', `${text} has ${why}.`, { hint })
  const every = [...found, ...others]
  if (found.length === 0 && skills.length === 0) throw nothingBrought(notFound, text, others, remote, refusal)
  const refused: RefusedSkill[] = []
  const named = async (name: string): Promise<readonly FoundSkill[]> => {
    const fits = (one: FoundSkill): boolean => one.name === name || one.path === name
    const exactly = every.filter(one => one.path === name)
    const listed = found.filter(fits)
    const some = (exactly.length > 0 ? exactly : listed.length > 0 ? listed : every.filter(fits)).toSorted(byPlace)
    const [first] = some
    if (first === undefined)
      throw notFound(`no skill ${JSON.stringify(name)}`, hintOf(name, [...new Set(every.map(one => one.name))]))
    const exact = some.find(one => one.path === name)
    if (exact !== undefined || (await areCopies(some, digestOf))) return [exact ?? first]
    const paths = some.map(one => one.path || '.').join(', ')
    const error = notFound(
      `${some.length} different skills called ${JSON.stringify(name)}: ${paths}`,
      'Name one skill by its path: --skill PATH.',
    )
    if (!all) throw error
    refused.push({ ...first, error })
    return []
  }
  const each = async (list: readonly string[]): Promise<readonly FoundSkill[]> => {
    const chosen: FoundSkill[] = []
    for (const name of list) chosen.push(...(await named(name)))
    return chosen
  }
  const asked = skills.length > 0 ? skills : all || names.length === 1 ? names : undefined
  if (asked === undefined && choose === undefined)
    throw notFound(
      `${names.length} skills: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}`,
      'Choose skills with --skill NAME, or add all of them with --all.',
    )
  const picked = asked === undefined ? await choose?.(await described(found, describe)) : await each(asked)
  if (picked === undefined) return undefined
  // Each name becomes a folder, also on disks that treat more names as equal.
  const keys = new Set<string>()
  const wanted: FoundSkill[] = []
  for (const one of picked) {
    if (isSkillName(one.name) && keys.size !== keys.add(foldedPath(one.name)).size) {
      wanted.push(one)
      continue
    }
    const error = new SkillsError(
      'E_INSTALL_UNSAFE',
      `${text} has a skill called ${JSON.stringify(one.name)}. That name cannot be the name of a folder, or another skill has it too.`,
      { hint: 'Choose other skills with --skill.' },
    )
    // A person who named it expects it, and has to choose again.
    if (skills.length > 0) throw error
    refused.push({ ...one, error })
  }
  return { wanted, refused }
}

/** Returns the error for a source that brings no skill, with what can be added instead. */
function nothingBrought(
  notFound: (why: string, hint: string) => SkillsError,
  text: string,
  others: readonly FoundSkill[],
  remote: readonly string[],
  refusal: string | undefined,
): SkillsError {
  const [first] = others
  const named = remote.length > 5 ? `${remote.slice(0, 5).join(', ')} and ${remote.length - 5} more` : remote.join(', ')
  if (remote.length > 0)
    return notFound(
      `no skill of its own: its plugins lie elsewhere (${named})`,
      `Add one of them: skills add plugin:${remote[0]}@${text}`,
    )
  if (first !== undefined)
    return notFound(
      `no skill that its manifests list; ${others.length} more lie in it${refusal === undefined ? '' : `. ${refusal.replace(/\.$/, '')}`}`,
      `Name one of them: --skill ${first.path || '.'}`,
    )
  return notFound('no skill: no folder with a SKILL.md', 'Name another source.')
}

/** Returns true if some skills have the same files, as when a repository has a copy for each of several agents. */
async function areCopies([first, ...others]: readonly FoundSkill[], digestOf: DigestOf): Promise<boolean> {
  if (first === undefined || others.length === 0) return true
  try {
    const digest = await digestOf(first)
    for (const one of others) if ((await digestOf(one)) !== digest) return false
    return true
  } catch (error) {
    // One of them cannot be installed, so they are not compared: a person names the one that is wanted.
    if (isOfOneSkill(error)) return false
    throw error
  }
}

/** Compares copies of a skill: those in plain folders come before those in the hidden folders of agents. */
function byPlace(a: FoundSkill, b: FoundSkill): number {
  const hidden = ({ path }: FoundSkill): number => (/(?:^|\/)\./.test(path) ? 1 : 0)
  return hidden(a) - hidden(b) || compareCodeUnits(a.path, b.path)
}
