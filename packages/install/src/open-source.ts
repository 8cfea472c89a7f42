import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { makeTemporaryFolder } from '@skills/state'
import { LocalStore, readWholeFileSync } from '@skills/files'
import { rm } from 'node:fs/promises'
import { checkOptions, type Host } from '@skills/core'
import { InstallError, redacted } from './error.js'
import { fetchCommit } from './git.js'
import { npmTarball } from './npm.js'
import { pluginSource } from './marketplace.js'
import { sha256 } from './content-cache.js'
import type { GitSource, Source } from './source.js'
import type { OpenedStore } from './skill-files.js'

/** What a source led to, as it stands in the lock. */
export type Resolved =
  | { readonly type: 'git'; readonly url: string; readonly commit: string }
  | { readonly type: 'npm'; readonly name: string; readonly version: string; readonly integrity: string }
  | { readonly type: 'archive'; readonly at: string; readonly digest: string }
  | { readonly type: 'site'; readonly url: string }
  | { readonly type: 'folder'; readonly path: string }

/** A source whose skills can be looked at: nothing of it lies on the disk as files, and nothing of it has run. */
export interface OpenedSource extends OpenedStore {
  readonly resolved: Resolved
  /** Names in the folder of a skill at the root that are not part of it. */
  readonly skips: readonly string[]
  close(): Promise<void>
}

export interface OpenOptions {
  readonly host: Pick<Host, 'env' | 'home' | 'platform'>
  readonly signal: AbortSignal
  /** What the lock says of it: that commit, version or archive is opened, whatever is newer. */
  readonly pinned?: Resolved | undefined
  /** Told what is waited for, as `Getting https://… .` */
  readonly onProgress?: ((text: string) => void) | undefined
}

/** Bytes of an archive that is downloaded. */
const largestArchive = 64 * 1024 * 1024

/**
 * Opens a source for reading: a commit is fetched into a bare repository, an archive into memory.
 * @throws InstallError, and the errors of the stores: `E_GIT_…`, `E_ARCHIVE_…`, `E_HTTP_…`
 */
export async function openSource(source: Source, options: OpenOptions): Promise<OpenedSource> {
  checkOptions<OpenOptions>('openSource()', options, { host: 1, signal: 1, pinned: 1, onProgress: 1 })
  const { pinned } = options
  switch (source.type) {
    case 'git':
      return openGit(pinned?.type === 'git' ? { ...source, ref: pinned.commit } : source, options)
    case 'npm':
      return openPackage(source, options)
    case 'archive':
      return openArchive(source.at, options)
    case 'site': {
      const { archiveStore, httpStore } = await import('@skills/distributions/stores')
      options.onProgress?.(`Asking ${source.url}`)
      const root = source.url.replace(/\/$/, '')
      const store = httpStore({ url: source.url, root, archive: (bytes, at) => archiveStore({ bytes, root: at }) })
      const close = async (): Promise<void> => store.close()
      return opened(store, root, new URL(source.url).hostname, { type: 'site', url: source.url }, { close })
    }
    case 'folder': {
      if (statSync(source.path, { throwIfNoEntry: false })?.isDirectory() !== true)
        throw new InstallError(
          'E_INSTALL_NOT_FOUND',
          `There is no folder ${source.path}.`,
          'Give the path of a folder.',
        )
      const { path } = source
      return opened(
        new LocalStore(),
        path,
        basename(path),
        { type: 'folder', path },
        { skips: ['.git', 'node_modules'] },
      )
    }
    case 'plugin':
      return openPlugin(source, options)
  }
}

async function openGit(source: GitSource, { host, signal, onProgress }: OpenOptions): Promise<OpenedSource> {
  const { gitStore } = await import('@skills/distributions/stores')
  onProgress?.(`Fetching ${redacted(source.url)}`)
  const folder = makeTemporaryFolder('skills-git.')
  const close = async (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const { repository, commit } = await fetchCommit(source, `${folder}/repository.git`, host, signal)
    const top = `${source.url}@${commit.slice(0, 12)}`
    const store = gitStore({ repository, ref: commit, root: top, env: host.env })
    const root = source.path === undefined ? top : `${top}/${source.path}`
    const name = basename(source.path ?? source.url).replace(/\.git$/, '')
    const closeAll = async (): Promise<void> => {
      await store.close()
      await close()
    }
    return opened(store, root, name, { type: 'git', url: source.url, commit }, { close: closeAll })
  } catch (error) {
    await close()
    throw error
  }
}

async function openPackage(
  source: Extract<Source, { type: 'npm' }>,
  { host, pinned, onProgress }: OpenOptions,
): Promise<OpenedSource> {
  const { archiveStore } = await import('@skills/distributions/stores')
  onProgress?.(`Asking npm for ${source.name}`)
  const known = pinned?.type === 'npm' ? pinned : undefined
  const wanted = known === undefined ? source : { name: known.name, range: known.version }
  const { name, version, integrity, bytes } = await npmTarball(wanted, host, known?.integrity)
  const root = `npm:${name}@${version}`
  return opened(archiveStore({ bytes, root, strip: true }), root, basename(name), {
    type: 'npm',
    name,
    version,
    integrity,
  })
}

async function openArchive(at: string, { signal, pinned, onProgress }: OpenOptions): Promise<OpenedSource> {
  const { archiveStore, download } = await import('@skills/distributions/stores')
  const isUrl = /^https?:/i.test(at)
  if (isUrl) onProgress?.(`Getting ${at}`)
  const bytes = isUrl ? await download({ url: at, maxBytes: largestArchive, signal }) : fileAt(at)
  if (bytes === undefined)
    throw new InstallError('E_INSTALL_NOT_FOUND', `There is no archive ${at}.`, 'Look at the address.')
  const digest = `sha256:${sha256(bytes)}`
  if (pinned?.type === 'archive' && pinned.digest !== digest)
    throw new InstallError(
      'E_INSTALL_DIFFERS',
      `${at} is not the archive of the lock: its digest is ${digest}.`,
      'Look at what changed, then update it: skills update.',
    )
  return opened(
    archiveStore({ bytes, root: at }),
    at,
    basename(at.split('?')[0] ?? '').replace(/\.(?:tar\.gz|[a-z]+)$/i, ''),
    { type: 'archive', at, digest },
  )
}

function opened(
  store: OpenedStore['store'],
  root: string,
  name: string,
  resolved: Resolved,
  more: Partial<Pick<OpenedSource, 'skips' | 'close'>> = {},
): OpenedSource {
  return { store, root, name, resolved, skips: [], close: async () => undefined, ...more }
}

function fileAt(path: string): Buffer | undefined {
  const read = readWholeFileSync(path, { maxBytes: largestArchive })
  if (read !== undefined && 'problem' in read)
    throw new InstallError('E_INSTALL_LIMIT', read.problem.message, read.problem.hint ?? 'Give an archive.')
  return read?.bytes
}

/** A plugin of a marketplace: a folder of it, or a source of its own. */
async function openPlugin(source: Extract<Source, { type: 'plugin' }>, options: OpenOptions): Promise<OpenedSource> {
  const { marketplace, name } = source
  const { pinned, ...rest } = options
  // What is pinned is the marketplace itself, or what it names.
  const isOwn =
    marketplace.type === 'git' && pinned?.type === 'git'
      ? pinned.url === marketplace.url
      : pinned?.type === marketplace.type
  const market = await openSource(marketplace, isOwn ? options : rest)
  let keeps = false
  try {
    const found = await pluginSource(market, name, options.signal)
    if ('source' in found) return await openSource(found.source, options)
    keeps = true
    return { ...market, root: found.path === '' ? market.root : `${market.root}/${found.path}`, name }
  } finally {
    if (!keeps) await market.close()
  }
}
