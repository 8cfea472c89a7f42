import { parse, resolve } from 'node:path'
import { compareCodeUnits, SkillsError, type Host } from '@skills/core'
import { findProjectFolders } from '@skills/files'
import { ioProblem, isInside, plainFolder, realPathOf, statOf, systemCode } from '@skills/files/internal'
import { agreedItemsIn, keyOf, type AgreedItem } from './consent.js'
import { callOf, recordsOf, type RememberCall } from './remembered.js'
import { forgetApprovals } from './approvals.js'
import type { State } from '@skills/state'

/** A folder whose user said that what is in it may run. */
export interface TrustedFolder {
  /** Absolute, links resolved, forward slashes. It need not exist any more. */
  readonly path: string
  /** Milliseconds since the epoch. */
  readonly since: number
  /** What its user agreed to. Absent in a record of before this was remembered. */
  readonly items?: readonly AgreedItem[] | undefined
}

export interface TrustCallOptions extends RememberCall {
  /**
   * What the user agrees to, besides what they agreed to before: what is not named here does not count. Default:
   * nothing.
   */
  readonly items?: readonly AgreedItem[] | undefined
}

export interface Revocation {
  /** What was trusted and is no more: the folder, and folders in it. */
  readonly revoked: readonly TrustedFolder[]
  /** The folder above it that is trusted, and on whose account it still is. */
  readonly stillTrustedBy?: TrustedFolder | undefined
}

export type FolderHost = Pick<Host, 'cwd' | 'home' | 'platform' | 'uid'>

/** Under this name, as `{ folders: [{ path, since, items: [{ kind, label, path, digest }] }] }`. */
const name = 'trust'

/** Every folder that is trusted, by path. See docs/reference/trust.md, "Trust". */
export async function trustedFolders(state: State, call: RememberCall = {}): Promise<readonly TrustedFolder[]> {
  return foldersIn(await state.read(name, callOf(call)))
}

/**
 * The real path of a folder that may be trusted, for a host to refuse the others before it asks its user. Throws
 * `E_INVALID_OPTION` for what is no folder, for the root, the home folder and what is above it, for a folder that all
 * users may write to, and for a parent of the working folder that belongs to another user.
 * @param folder what is relative starts from the working folder of the host
 */
export function folderToTrust(folder: string, host: FolderHost): string {
  const path = realFolder(resolve(host.cwd, folder))
  const obstacle = obstacleTo(path, host)
  if (obstacle !== undefined)
    throw new SkillsError('E_INVALID_OPTION', `${path} cannot be trusted: ${obstacle}.`, {
      hint: 'Trust the folder of one project.',
    })
  return path
}

/**
 * Trusts a folder and everything below it, by its real path. Throws what `folderToTrust` throws. What of the folder
 * needs more than its place to be trusted counts by its digest: `items`. See docs/reference/trust.md, "Trust".
 * @param folder what is relative starts from the working folder of the host
 */
export async function trustFolder(
  state: State,
  folder: string,
  host: FolderHost & Pick<Host, 'clock'>,
  { items = [], ...call }: TrustCallOptions = {},
): Promise<TrustedFolder> {
  const path = folderToTrust(folder, host)
  const agreed = items.map(({ kind, label, path: file, digest, record }): AgreedItem => ({
    kind,
    label,
    path: realPathOrGiven(file),
    digest,
    ...(record && { record }),
  }))
  const given = new Set(agreed.map(keyOf))
  let trusted: TrustedFolder = { path, since: host.clock.now() }
  await state.update(
    name,
    value => {
      const folders = foldersIn(value)
      const before = folders.find(one => one.path === path) ?? trusted
      trusted = { ...before, items: [...(before.items ?? []).filter(one => !given.has(keyOf(one))), ...agreed] }
      return { folders: [...folders.filter(one => one.path !== path), trusted].sort(byPath) }
    },
    callOf(call),
  )
  return trusted
}

/**
 * Trusts a folder and what is below it no longer, and forgets which of its skills were approved.
 * @param folder what is relative starts from the working folder of the host; it need not exist any more
 */
export async function revokeFolder(
  state: State,
  folder: string,
  host: Pick<Host, 'cwd'>,
  call: RememberCall = {},
): Promise<Revocation> {
  const given = plainFolder(resolve(host.cwd, folder))
  const paths = [given, realPathOrGiven(given)]
  let revoked: readonly TrustedFolder[] = []
  let left: readonly TrustedFolder[] = []
  const isMeant = (path: string): boolean => paths.some(one => isInside(path, one))
  await state.update(
    name,
    value => {
      const folders = foldersIn(value)
      revoked = folders.filter(one => isMeant(one.path))
      left = folders.filter(one => !isMeant(one.path))
      return revoked.length === 0 ? value : { folders: left }
    },
    callOf(call),
  )
  await forgetApprovals(state, isMeant, call)
  return { revoked, stillTrustedBy: left.find(one => paths.some(path => isInside(path, one.path))) }
}

/**
 * Whether a folder lies in one that is trusted, wherever links lead. One that is not there is not trusted.
 * @param folder absolute
 */
export async function isTrustedFolder(
  state: State,
  folder: string,
  host: FolderHost,
  call: RememberCall = {},
): Promise<boolean> {
  const path = realPathOf(plainFolder(folder))
  return path !== undefined && folderAround(path, await trustedFolders(state, call), host) !== undefined
}

/**
 * The trusted folder that a real path lies in. One that must not be trusted does not count, however it came to stand
 * there.
 */
export function folderAround(
  path: string,
  folders: readonly TrustedFolder[],
  host: FolderHost,
): TrustedFolder | undefined {
  return folders.find(one => isInside(path, one.path) && !isTooWide(one.path, host))
}

function foldersIn(value: unknown): readonly TrustedFolder[] {
  return recordsOf(value, 'folders')
    .flatMap(({ path, since, items: given }): readonly TrustedFolder[] => {
      if (typeof path !== 'string' || typeof since !== 'number') return []
      const items = agreedItemsIn(given)
      return [{ path, since, ...(items && { items }) }]
    })
    .sort(byPath)
}

function byPath(a: TrustedFolder, b: TrustedFolder): number {
  return compareCodeUnits(a.path, b.path)
}

function realFolder(path: string): string {
  try {
    const real = realPathOf(path)
    if (real !== undefined && statOf(real)?.isDirectory() === true) return real
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    const { message, hint } = ioProblem('The folder', path, error)
    throw new SkillsError('E_INVALID_OPTION', message, { hint, cause: error })
  }
  throw new SkillsError('E_INVALID_OPTION', `There is no folder ${path} that could be trusted.`, {
    hint: 'Check the path.',
  })
}

/** The end of a sentence: why a folder must not be trusted. */
function obstacleTo(path: string, host: FolderHost): string | undefined {
  if (isTooWide(path, host)) return 'it is the root, your home folder or above it, and holds more than one project'
  const { skipped } = findProjectFolders(host)
  if (skipped.some(one => realPathOrGiven(one) === path))
    return 'it belongs to another user or is shared with all, so that nothing of it counts where you work'
  // Any user who may write there can add a skill. A sticky bit does not prevent it.
  const isOpen = host.platform !== 'win32' && ((statOf(path)?.mode ?? 0) & 0o002) !== 0
  return isOpen ? 'everybody may write to it' : undefined
}

/** The root, the home folder, and what is between. */
function isTooWide(path: string, { home }: FolderHost): boolean {
  if (parse(path).root === path) return true
  return home !== '' && [plainFolder(home), realPathOrGiven(plainFolder(home))].some(one => isInside(one, path))
}

/** One that is not there, or may not be looked at, is what it is called. */
function realPathOrGiven(path: string): string {
  try {
    return realPathOf(path) ?? path
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return path
  }
}
