import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { InstallError } from './error.js'
import { foldedPath } from './file-name.js'
import { lockText, manifestText, readLock, readManifest, type Lock, type LockedSkill, type Manifest } from './lock.js'
import { commit, type Step } from './transaction.js'
import { unknownSkill } from './unknown-skill.js'
import { agentFolders, differencesOf, folderDifferences, isLinked } from './verify.js'
import type { InstallContext } from './context.js'
import type { Plan } from './plan.js'

/**
 * Installs what a plan says: all of it or nothing.
 * @param agreed the digest of the plan that the person has seen
 * @param replace whether what is not in the lock, or was changed by hand, is replaced
 * @throws InstallError `E_INSTALL_CONSENT`, `E_INSTALL_TAKEN`
 */
export async function applyPlan(
  { skills, agents, digest, discard }: Plan,
  { agreed, replace = false }: { readonly agreed: string; readonly replace?: boolean },
  { place, host, signal }: InstallContext,
): Promise<void> {
  try {
    const changed = skills.flatMap(({ name, steps, locked }) =>
      steps.flatMap(step => (step.do === 'place' ? folderDifferences(place, name, step.from, locked.files) : [])),
    )
    if (agreed !== digest || changed.length > 0)
      throw new InstallError(
        'E_INSTALL_CONSENT',
        `What would be installed is not what was agreed to${changed[0] === undefined ? '' : `: ${changed[0].message}`}.`,
        'Look at it again.',
      )
    await commit(place, host, signal, () => {
      const lock = readLock(place.lock)
      const manifest = readManifest(place.manifest)
      if (!replace) for (const { name, locked } of skills) refuseTaken(name, lock, locked, { place })
      const wanted = skills.map(({ name, locked }) => [
        name,
        { source: locked.source, ...(isLinked(locked) && { link: true }) },
      ])
      const added = Object.fromEntries(skills.map(({ name, locked }) => [name, locked]))
      return {
        steps: [
          ...skills.flatMap(one => one.steps),
          ...fileSteps(
            { agents, skills: { ...manifest.skills, ...Object.fromEntries(wanted) } },
            { ...lock, ...added },
            { place },
          ),
        ],
      }
    })
  } finally {
    discard()
  }
}

/** Takes skills away: out of both files, and off the disk. */
export async function removeSkills(
  names: readonly string[],
  { replace = false }: { readonly replace?: boolean },
  { place, host, signal }: InstallContext,
): Promise<void> {
  await commit(place, host, signal, () => {
    const lock = readLock(place.lock)
    const manifest = readManifest(place.manifest)
    const steps: Step[] = []
    for (const name of names) {
      const locked = lock[name]
      if (locked === undefined && manifest.skills[name] === undefined) throw unknownSkill(name, Object.keys(lock))
      if (locked === undefined) continue
      if (!replace) refuseTaken(name, lock, locked, { place })
      for (const path of [`${place.folder}/${name}`, ...agentFolders(place, name, locked).map(one => one.path)])
        steps.push({ do: 'remove', path })
    }
    const without = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
    return {
      steps: [...steps, ...fileSteps({ ...manifest, skills: without(manifest.skills) }, without(lock), { place })],
    }
  })
}

export function fileSteps(manifest: Manifest, lock: Lock, { place }: Pick<InstallContext, 'place'>): readonly Step[] {
  return [
    { do: 'write', path: place.lock, text: lockText(lock) },
    { do: 'write', path: place.manifest, text: manifestText(manifest) },
  ]
}

/** Never over something that is not in the lock, or that a person has changed. */
function refuseTaken(name: string, lock: Lock, locked: LockedSkill, { place }: Pick<InstallContext, 'place'>): void {
  const before = lock[name]
  const twin = [...Object.keys(lock), ...(existsSync(place.folder) ? readdirSync(place.folder) : [])].find(
    other => other !== name && foldedPath(other) === foldedPath(name),
  )
  const paths = [`${place.folder}/${name}`, ...agentFolders(place, name, locked).map(one => one.path)]
  const owned =
    before === undefined ? [] : [`${place.folder}/${name}`, ...agentFolders(place, name, before).map(one => one.path)]
  // What is there with the same bytes is taken over: nothing is lost.
  const own = folderDifferences(place, name, `${place.folder}/${name}`, locked.files)
  const isOwn = (path: string): boolean => owned.includes(path) || (path === paths[0] && own.length === 0)
  const there = paths.find(path => !isOwn(path) && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
  const changed =
    before === undefined ? [] : differencesOf(place, name, before).filter(({ kind }) => kind !== 'missing')
  const why =
    twin !== undefined
      ? `${place.folder} has ${twin} already, which is the same name on some disks`
      : there !== undefined
        ? `${there} is there already, and is not in the lock`
        : changed[0] === undefined
          ? undefined
          : `${changed[0].message}, as the lock does not say`
  if (why !== undefined)
    throw new InstallError('E_INSTALL_TAKEN', `${why}, so nothing is changed.`, 'Move it away, or replace it: --force.')
}
