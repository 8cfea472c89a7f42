import { parse, resolve } from 'node:path'
import { compareCodeUnits, SkillsError, type Host } from '@skills/core'
import { findProjectFolders } from '@skills/files'
import { ioProblem, isInside, plainFolder, realPathOf, statOf, systemCode } from '@skills/files/internal'
import { agreedItemsIn, keyOf, type AgreedItem } from './consent.js'
import { callOf, recordsOf, type RememberCall } from './remembered.js'
import { forgetApprovals } from './approvals.js'
import type { State } from '@skills/state'

/** Folder that the user trusts, so that its content may run. */
export interface TrustedFolder {
  /** Absolute path with links resolved and forward slashes. It need not exist any more. */
  readonly path: string
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Items that its user agreed to. Absent in records from before agreements were recorded. */
  readonly items?: readonly AgreedItem[] | undefined
}

export interface TrustCallOptions extends RememberCall {
  /** Items that the user agrees to, besides earlier ones. Items that are not named here do not count. Default: none. */
  readonly items?: readonly AgreedItem[] | undefined
}

export interface Revocation {
  /** Folders that are no longer trusted: the folder itself, and folders in it. */
  readonly revoked: readonly TrustedFolder[]
  /** Folder above that is trusted, so that this one still is. */
  readonly stillTrustedBy?: TrustedFolder | undefined
}

export type FolderHost = Pick<Host, 'cwd' | 'home' | 'platform' | 'uid'>

/** Name in the state. Its value is `{ folders: [{ path, since, items: [{ kind, label, path, digest }] }] }`. */
const name = 'trust'

/** Returns every trusted folder, by path. See docs/reference/trust.md, "Trust". */
export async function trustedFolders(state: State, call: RememberCall = {}): Promise<readonly TrustedFolder[]> {
  return foldersIn(await state.read(name, callOf(call)))
}

/**
 * Returns the real path of a folder that may be trusted. A host calls this before it asks its user, to refuse other
 * folders.
 * @param folder a relative path starts from the working folder of the host
 * @throws SkillsError `E_INVALID_OPTION` for a path that is not a folder, for the root, the home folder and folders
 * above it, for a folder that all users may write to, and for a parent of the working folder that belongs to another
 * user
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
 * Trusts a folder, by its real path, and everything below it. Parts that are not trusted by their place alone are
 * trusted by their digests in `items`. See docs/reference/trust.md, "Trust".
 * @param folder a relative path starts from the working folder of the host
 * @throws SkillsError the errors of `folderToTrust`
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
 * Stops trusting a folder and everything below it, and forgets the approvals of its skills.
 * @param folder a relative path starts from the working folder of the host; the folder need not exist any more
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
 * True if a folder, after its links are resolved, is a trusted folder or lies in one. A missing folder is not trusted.
 * @param folder absolute path
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

/** Returns the trusted folder that a real path lies in. A record of a folder that must not be trusted is ignored. */
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
  throw new SkillsError('E_INVALID_OPTION', `The folder ${path} cannot be trusted: there is no such folder.`, {
    hint: 'Check the path.',
  })
}

/** Returns the end of a sentence that says why a folder must not be trusted; undefined if it may. */
function obstacleTo(path: string, host: FolderHost): string | undefined {
  if (isTooWide(path, host))
    return 'it is the root, your home folder or a folder above that, and holds more than one project'
  const { skipped } = findProjectFolders(host)
  if (skipped.some(one => realPathOrGiven(one) === path))
    return 'it belongs to another user or is shared with all users, so nothing in it is loaded for your projects'
  // Any user who may write there can add a skill. A sticky bit does not prevent it.
  const isOpen = host.platform !== 'win32' && ((statOf(path)?.mode ?? 0) & 0o002) !== 0
  return isOpen ? 'everybody may write to it' : undefined
}

/** True for the root, the home folder, and folders between them. */
function isTooWide(path: string, { home }: FolderHost): boolean {
  if (parse(path).root === path) return true
  return home !== '' && [plainFolder(home), realPathOrGiven(plainFolder(home))].some(one => isInside(one, path))
}

/** Returns the real path, or the given one if it does not exist or may not be read. */
function realPathOrGiven(path: string): string {
  try {
    return realPathOf(path) ?? path
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return path
  }
}
