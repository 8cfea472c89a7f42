import { SkillsError } from '@skills/core'
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { foldersOf, itemsOf } from './agreement.js'
import { foldedPath } from './file-name.js'
import { ownOf } from './skill-files.js'
import { lockText, manifestText, readLock, readManifest, type Lock, type LockedSkill, type Manifest } from './lock.js'
import { commit, type Step } from './transaction.js'
import { isPlaced, readRecord, type PlaceRecord } from './place-record.js'
import { unknownSkill } from './unknown-skill.js'
import { differencesOf, isLinked, spotDifferences, spotsOf, type Difference } from './differences.js'
import type { InstallContext } from './context.js'
import type { InstallPlace } from './place.js'
import type { Plan } from './plan.js'

/**
 * Installs everything in a plan, or nothing.
 * @param agreed digest of the plan that the person has seen
 * @param replace true if files that are not in the lock, or were changed by hand, are replaced
 * @throws SkillsError `E_INSTALL_CONSENT`, `E_INSTALL_TAKEN`
 */
export async function applyPlan(
  { skills, agents: targets, digest, discard }: Plan,
  { agreed, replace = false }: { readonly agreed: string; readonly replace?: boolean },
  context: InstallContext,
): Promise<void> {
  const { place } = context
  const agents = Object.keys(targets)
  try {
    const [changed] = skills.flatMap(({ name, steps, locked }) =>
      steps.flatMap(step =>
        step.do === 'place' ? spotDifferences(place, name, { path: step.from }, locked.files) : [],
      ),
    )
    if (agreed !== digest || changed !== undefined)
      throw new SkillsError(
        'E_INSTALL_CONSENT',
        `The skills to install have changed since you agreed to them${changed === undefined ? '' : `: ${changed.message}`}.`,
        { hint: 'Run the command again, and look at the changes.' },
      )
    const before = readLock(place.lock, place.home)
    const folders = await foldersOf(before, agents, context)
    await commit({ ...context, folders }, () => {
      const [lock, manifest] = [readLock(place.lock, place.home), readManifest(place.manifest)]
      const record = readRecord(place, context.host)
      if (!replace) for (const { name, locked } of skills) refuseTaken({ place, record }, name, lock, locked)
      const wanted = skills.map(({ name, locked }) => [
        name,
        { source: locked.source, ...(isLinked(locked) && { link: true }) },
      ])
      const next = { ...lock, ...Object.fromEntries(skills.map(({ name, locked }) => [name, locked])) }
      const after = { manifest: { agents, skills: { ...manifest.skills, ...Object.fromEntries(wanted) } }, lock: next }
      return {
        steps: [...skills.flatMap(one => one.steps), ...fileSteps(place, after.manifest, next)],
        agreed: itemsOf({ agents }, Object.fromEntries(skills.map(({ name, locked }) => [name, locked]))),
      }
    })
  } finally {
    discard()
  }
}

/** Removes skills from `skills.json`, from the lock and from the disk. */
export async function removeSkills(
  names: readonly string[],
  { replace = false }: { readonly replace?: boolean },
  context: InstallContext,
): Promise<void> {
  const { place } = context
  const folders = await foldersOf(readLock(place.lock, place.home), [], context)
  await commit({ ...context, folders }, () => {
    const [lock, manifest] = [readLock(place.lock, place.home), readManifest(place.manifest)]
    const put = readRecord(place, context.host)
    const steps = names.flatMap((name): readonly Step[] => {
      const locked = ownOf(lock, name)
      if (locked === undefined && ownOf(manifest.skills, name) === undefined)
        throw unknownSkill(name, Object.keys({ ...manifest.skills, ...lock }))
      if (locked === undefined) return []
      if (!replace) refuseTaken({ place, record: put }, name, lock, locked)
      return spotsOf(place, name, locked).map(({ path }) => ({ do: 'remove', path }))
    })
    const without = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
    const after = { manifest: { ...manifest, skills: without(manifest.skills) }, lock: without(lock) }
    return { steps: [...steps, ...fileSteps(place, after.manifest, after.lock)] }
  })
}

export function fileSteps(place: InstallPlace, manifest: Manifest, lock: Lock): readonly Step[] {
  return [
    { do: 'write', path: place.lock, text: lockText(lock) },
    { do: 'write', path: place.manifest, text: manifestText(manifest) },
  ]
}

/** Cached for one decision, which asks for many names: the lock stays the same object, and nothing is written yet. */
const known = new WeakMap<Lock, (name: string) => string | undefined>()

/** Finds another name in the lock or in the folder of skills that is the same on some disks. */
function twinsIn({ folder }: InstallPlace, lock: Lock): (name: string) => string | undefined {
  const found = known.get(lock)
  if (found !== undefined) return found
  const byKey = new Map<string, Set<string>>()
  for (const name of [...Object.keys(lock), ...(existsSync(folder) ? readdirSync(folder) : [])])
    byKey.set(foldedPath(name), (byKey.get(foldedPath(name)) ?? new Set()).add(name))
  const twinOf = (name: string): string | undefined =>
    [...(byKey.get(foldedPath(name)) ?? [])].find(other => other !== name)
  known.set(lock, twinOf)
  return twinOf
}

/**
 * Throws if installing would overwrite something that is not in the lock, or that a person has changed.
 * @param repaired kinds of difference from the lock that are allowed
 * @throws SkillsError `E_INSTALL_TAKEN`
 */
export function refuseTaken(
  { place, record }: { readonly place: InstallPlace; readonly record: PlaceRecord },
  name: string,
  lock: Lock,
  locked: LockedSkill,
  repaired: readonly Difference['kind'][] = ['missing'],
): void {
  const before = ownOf(lock, name)
  const had = before === undefined ? [] : spotsOf(place, name, before).map(({ path }) => path)
  const twin = twinsIn(place, lock)(name)
  // Files with the same bytes are taken over, because nothing is lost.
  const there = spotsOf(place, name, locked).find(
    (spot, at) =>
      !had.includes(spot.path) &&
      !isPlaced(place, record, spot.path) &&
      lstatSync(spot.path, { throwIfNoEntry: false }) !== undefined &&
      (at > 0 || spotDifferences(place, name, spot, locked.files).length > 0),
  )
  const differences = before === undefined ? [] : differencesOf(place, name, before)
  const changed = differences.find(({ kind }) => !repaired.includes(kind))
  const why =
    twin !== undefined
      ? `${place.folder} already has ${twin}, and some disks treat both as the same name`
      : there !== undefined
        ? `${there.path} already exists, and is not in the lock`
        : changed && `The installed files differ from the lock (${changed.message})`
  if (why !== undefined)
    throw new SkillsError('E_INSTALL_TAKEN', `${why}, so nothing is changed.`, {
      hint: 'Move that file or folder away, or replace it with --force.',
    })
}
