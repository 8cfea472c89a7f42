import { SkillsError } from '@skills/core'
import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { isTrustedFolder } from '@skills/distributions/trust'
import { openState } from '@skills/state'
import { agentFolders } from './agents.js'
import { isPlaced, readRecord, type PlaceRecord } from './place-record.js'
import { sha256 } from './content-cache.js'
import { readLock, readManifest, type Lock, type LockedSkill, type Manifest } from './lock.js'
import type { Resolved } from './resolution.js'
import { spotDifferences, spotsOf } from './differences.js'
import type { InstallContext } from './context.js'
import type { InstallPlace } from './place.js'

/** Changes that `ci` and `sync` would make in a place. */
export interface Agreement {
  /** Digest of all skills and agents that both files name, which a person agrees to. */
  readonly digest: string
  /** True if no one has to be asked: it was agreed to before, the folder is trusted, or the place is the user's own. */
  readonly isAgreed: boolean
  /** Skills that no one has agreed to in this version. */
  readonly skills: readonly { readonly name: string; readonly source: string; readonly resolved: Resolved }[]
  readonly agents: readonly string[]
  /** Folders that are written to, relative to the base of the place. */
  readonly folders: readonly string[]
}

/**
 * Returns the changes that `skills.json` and the lock of a place ask for, and whether a person has agreed to them.
 * Changes nothing.
 */
export async function agreementFor(context: InstallContext): Promise<Agreement> {
  const { place } = context
  return agreementTo(readManifest(place.manifest), readLock(place.lock, place.home), context)
}

async function agreementTo(
  manifest: Manifest,
  lock: Lock,
  { place, host, signal }: Pick<InstallContext, 'place' | 'host' | 'signal'>,
): Promise<Agreement> {
  const { agreed } = readRecord(place, host)
  const isNew = (item: string): boolean => !agreed.has(item)
  const skills = Object.entries(lock).filter(([name, locked]) => isNew(skillItem(name, locked)))
  const agents = [...new Set([...manifest.agents, ...agentsOf(lock)])].filter(one => isNew(agentItem(one))).toSorted()
  const spots = Object.entries(lock).flatMap(([name, locked]) => spotsOf(place, name, locked))
  const isTrusted = async (): Promise<boolean> =>
    isTrustedFolder(openState(host, { report: () => undefined }), place.base, host, { signal })
  return {
    digest: `sha256:${sha256(itemsOf(manifest, lock).toSorted().join('\n'))}`,
    isAgreed: place.scope === 'user' || skills.length + agents.length === 0 || (await isTrusted()),
    skills: skills.map(([name, { source, resolved }]) => ({ name, source, resolved })),
    agents,
    folders: [...new Set(spots.map(({ path }) => below(place, dirname(path))))].toSorted(),
  }
}

/** Returns the digests of all items that a person agrees to by agreeing to `skills.json` and the lock. */
export function itemsOf({ agents }: Pick<Manifest, 'agents'>, lock: Lock): readonly string[] {
  return [
    ...[...new Set([...agents, ...agentsOf(lock)])].map(agentItem),
    ...Object.entries(lock).map(([name, locked]) => skillItem(name, locked)),
  ]
}

function agentItem(name: string): string {
  return sha256(JSON.stringify(['agent', name]))
}

function skillItem(name: string, { source, resolved, path, digest }: LockedSkill): string {
  return sha256(JSON.stringify(['skill', name, source, Object.entries(resolved).toSorted(), path, digest]))
}

function below({ base }: InstallPlace, path: string): string {
  return relative(base, path).replaceAll('\\', '/')
}

/**
 * Throws if no person has agreed to the lock.
 * @param agreed digest that a person was shown
 * @param lock lock that would be written
 * @throws SkillsError `E_INSTALL_CONSENT`
 */
export async function refuseUnagreed(
  agreed: string | undefined,
  lock: Lock,
  context: Pick<InstallContext, 'place' | 'host' | 'signal'>,
): Promise<void> {
  const { digest, isAgreed } = await agreementTo(readManifest(context.place.manifest), lock, context)
  if (!isAgreed && agreed !== digest) throw notAgreed(agreed, digest, context)
}

/**
 * Throws if the digest of `skills.json` and the lock is not this one, even if a person agreed to them before.
 * @throws SkillsError `E_INSTALL_CONSENT`
 */
export async function refuseOther(digest: string, context: InstallContext): Promise<void> {
  const wanted = await agreementFor(context)
  if (wanted.digest !== digest) throw notAgreed(digest, wanted.digest, context)
}

function notAgreed(agreed: string | undefined, digest: string, context: Pick<InstallContext, 'place'>): SkillsError {
  return new SkillsError(
    'E_INSTALL_CONSENT',
    agreed === undefined
      ? `No one has agreed to the skills that ${context.place.lock} would install here; its digest is ${digest}.`
      : `${context.place.lock} does not match the digest that was agreed to: its digest is ${digest}.`,
    { hint: 'See what would be installed: skills ci --dry-run.' },
  )
}

/**
 * Returns the folders in which the agents of a lock look. A lock that names a folder where an agent does not look is
 * refused, because the lock comes from the repository and could name any folder.
 * @throws SkillsError `E_INSTALL_LOCK`
 */
export async function foldersOf(
  lock: Lock,
  more: readonly string[],
  context: Pick<InstallContext, 'place' | 'host' | 'signal'>,
): Promise<readonly string[]> {
  const looks = await agentFolders([...new Set([...agentsOf(lock), ...more])], context)
  for (const [name, { agents }] of Object.entries(lock))
    for (const [agent, text] of Object.entries(agents)) {
      const folder = text.slice(text.indexOf(' ') + 1)
      if (text !== 'same' && looks[agent]?.includes(folder) !== true)
        throw new SkillsError(
          'E_INSTALL_LOCK',
          `${context.place.lock} puts ${name} for ${agent} into ${folder}, but ${agent} does not read that folder.`,
          { hint: 'Update the folders of the agents: skills sync.' },
        )
    }
  return [...new Set(Object.values(looks).flat())]
}

export function agentsOf(lock: Lock): readonly string[] {
  return [...new Set(Object.values(lock).flatMap(({ agents }) => Object.keys(agents)))]
}

/**
 * Throws if the place of a skill holds something that differs from the lock and that this package did not put there.
 * @throws SkillsError `E_INSTALL_TAKEN`
 */
export function refuseForeign(
  name: string,
  locked: LockedSkill,
  { place, record }: { readonly place: InstallPlace; readonly record: PlaceRecord },
): void {
  for (const spot of spotsOf(place, name, locked)) {
    const stats = lstatSync(spot.path, { throwIfNoEntry: false })
    if (stats === undefined || isPlaced(place, record, spot.path)) continue
    if (spotDifferences(place, name, spot, locked.files).length === 0) continue
    const what = stats.isSymbolicLink() ? ` (a link to ${readlinkSync(spot.path)})` : ''
    throw new SkillsError(
      'E_INSTALL_TAKEN',
      `${spot.path}${what} already exists, differs from the lock and was not installed by this program, so nothing is changed.`,
      { hint: 'Move that file or folder away, or replace it with --force.' },
    )
  }
}
