import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { SkillsError } from '@skills/core'
import { isInside } from '@skills/files/internal'
import { LocalStore, readWholeFileSync } from '@skills/files'
import { removeTemporary } from '@skills/state/internal'
import { Root, temporaryRoot } from '@skills/state/writer'
import { fileDigest } from './content-cache.js'
import { masked } from './error.js'
import { divided } from './exact-source.js'
import { fetchCommit } from './git.js'
import { npmTarball } from './npm.js'
import { pluginSource } from './marketplace.js'
import type { Resolved } from './resolution.js'
import { openOptions, idleLimitMs, largestArchive, type OpenOptions, type Opening } from './open-options.js'
import type { OpenedStore } from './skill-files.js'
import { misfitOf } from './resolution.js'
import type { PlainSource, PluginSource, InstallSource } from './source.js'

/** Source whose skills can be examined. Its files are not unpacked on the disk, and no code in it has run. */
export interface OpenedSource extends OpenedStore {
  readonly resolved: Resolved
  /** Names in the folder of a skill at the root that are not part of it. */
  readonly skips: readonly string[]
  /** Entry of the plugin in its marketplace. Undefined for another source. */
  readonly entry?: Readonly<Record<string, unknown>>
  close(): Promise<void>
}

const downloadMs = 300_000

/**
 * Opens a source for reading. Fetches a commit into a bare repository, and an archive into a file, both in a temporary
 * folder that `close` removes.
 * @throws SkillsError, and the errors of the stores: `E_GIT_…`, `E_ARCHIVE_…`, `E_HTTP_…`
 */
export async function openSource(source: InstallSource, given: OpenOptions): Promise<OpenedSource> {
  const options: Opening = { signal: new AbortController().signal, ...openOptions.read(given) }
  if (source.type === 'plugin') return openPlugin(source, options)
  if (source.type === 'folder') return openFolder(source.path)
  const own = temporaryRoot('skills-source.')
  try {
    const opened = await openIn(own, source, options)
    const close = async (): Promise<void> => {
      await opened.store.close?.()
      removeTemporary(own)
    }
    return { ...opened, skips: [], close }
  } catch (error) {
    removeTemporary(own)
    throw error
  }
}

async function openIn(
  own: Root,
  source: Exclude<InstallSource, { readonly type: 'folder' | 'plugin' }>,
  options: Opening,
): Promise<OpenedStore & Pick<OpenedSource, 'resolved'>> {
  const { host, pinned, onProgress } = options
  const folder = own.path
  const path = `${folder}/archive`
  const archive = { path, spool: `${path}.files` }
  switch (source.type) {
    case 'git': {
      const exact = await divided(source, options)
      const { url } = exact
      const repository = `${folder}/repository.git`
      const commit = await fetchCommit(
        pinned?.type === 'git' ? { ...exact, ref: pinned.commit } : exact,
        repository,
        options,
      )
      const top = `${url}@${commit.slice(0, 12)}`
      return {
        store: (await import('@skills/store/git')).gitStore({ repository, ref: commit, root: top, env: host.env }),
        top,
        root: exact.path === undefined ? top : `${top}/${exact.path}`,
        name: basename(exact.path ?? url).replace(/\.git$/, ''),
        resolved: { type: 'git', url, commit },
      }
    }
    case 'npm': {
      const found = await npmTarball(source, path, pinned?.type === 'npm' ? pinned : undefined, options)
      const root = `npm:${found.name}@${found.version}`
      const { archiveStore } = await import('@skills/store/archive')
      const store = archiveStore({ ...archive, root, strip: true })
      return { store, root, top: root, name: basename(found.name), resolved: { type: 'npm', ...found } }
    }
    case 'archive': {
      const { at } = source
      await getArchive(at, path, options)
      const digest = `sha256:${fileDigest(path)}`
      if (pinned?.type === 'archive' && pinned.digest !== digest)
        throw new SkillsError(
          'E_INSTALL_DIFFERS',
          `${at} differs from the archive in the lock: its digest is ${digest}.`,
          { hint: 'Look at what changed, then run: skills update.' },
        )
      const { archiveStore } = await import('@skills/store/archive')
      const name = basename(at.split('?')[0] ?? '').replace(/\.(?:tar\.gz|[a-z]+)$/i, '')
      return {
        store: archiveStore({ ...archive, root: at }),
        root: at,
        top: at,
        name,
        resolved: { type: 'archive', at, digest },
      }
    }
    case 'site': {
      const { url } = source
      onProgress?.({ what: `Asking ${url}` })
      const root = url.replace(/\/$/, '')
      let count = 0
      const { archiveStore } = await import('@skills/store/archive')
      const { httpStore } = await import('@skills/store/http')
      const store = httpStore({
        url,
        root,
        archive(bytes, at) {
          const file = `${path}.${count++}`
          own.create(basename(file), bytes)
          return archiveStore({ path: file, spool: `${file}.files`, root: at })
        },
      })
      return { store, root, top: root, name: new URL(url).hostname, resolved: { type: 'site', url } }
    }
  }
}

/** Copies or downloads an archive into a file of its own, so that it does not change while it is read. */
async function getArchive(
  at: string,
  to: string,
  { signal, onProgress, idleMs = idleLimitMs }: Opening,
): Promise<void> {
  if (/^https?:/i.test(at)) {
    const { download } = await import('@skills/store/http')
    const onBytes = (done: number, total?: number): void =>
      onProgress?.({ what: `Getting ${masked(at)}`, done, total, unit: 'bytes' })
    onBytes(0)
    if (await download({ url: at, to, maxBytes: largestArchive, timeoutMs: downloadMs, idleMs, signal, onBytes }))
      return
  }
  const size = /^https?:/i.test(at) ? undefined : statSync(at, { throwIfNoEntry: false })?.size
  if (size !== undefined && size > largestArchive)
    throw new SkillsError('E_INSTALL_LIMIT', `${at} has ${size} bytes; ${largestArchive} are allowed.`, {
      hint: 'Unpack the archive yourself, and add the folder.',
    })
  const archive = size === undefined ? undefined : readWholeFileSync(at, { maxBytes: largestArchive })
  if (archive === undefined || !('bytes' in archive))
    throw new SkillsError('E_INSTALL_NOT_FOUND', `There is no archive ${masked(at)}.`, { hint: 'Check the address.' })
  new Root(dirname(to), { kind: 'temporary' }).create(basename(to), archive.bytes)
}

function openFolder(path: string): OpenedSource {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new SkillsError('E_INSTALL_NOT_FOUND', `There is no folder ${path}.`, { hint: 'Give the path of a folder.' })
  return {
    store: new LocalStore(),
    root: path,
    top: path,
    isLocal: true,
    name: basename(path),
    resolved: { type: 'folder', path },
    skips: ['.git', 'node_modules'],
    close: async () => undefined,
  }
}

/** Opens a plugin of a marketplace: a folder of it, or a source of its own. */
async function openPlugin(source: PluginSource, options: Opening): Promise<OpenedSource> {
  const { marketplace, name } = source
  const { pinned, ...rest } = options
  // The pin is for the marketplace itself, or for the source that it names. Paths were compared with the lock, which
  // knows its folder.
  const fits = (one: PlainSource): boolean =>
    pinned?.type === 'folder' || pinned?.type === 'archive'
      ? one.type === pinned.type
      : pinned !== undefined && misfitOf(one, pinned, '/') === undefined
  const isOwn = fits(marketplace)
  const market = await openSource(marketplace, isOwn ? options : rest)
  let keeps = false
  try {
    const found = await pluginSource(market, source, options.signal)
    const leads = 'source' in found ? found.source : marketplace
    if (pinned !== undefined && (leads === marketplace ? !isOwn : !fits(leads)))
      throw new SkillsError(
        'E_INSTALL_DIFFERS',
        `The marketplace of ${JSON.stringify(name)} names another source than the lock.`,
        { hint: 'Look at what changed, then run: skills update.' },
      )
    if ('source' in found) return { ...(await openSource(found.source, options)), entry: found.entry }
    const root = found.path === '' ? market.root : `${market.root}/${found.path}`
    const [top, real] = await Promise.all(
      [market.root, root].map(path => market.store.realPath?.(path, options) ?? path),
    )
    if (real !== undefined && !isInside(real, top ?? market.root))
      throw new SkillsError(
        'E_INSTALL_UNSAFE',
        `The plugin ${JSON.stringify(name)} of ${market.root} is a link that leads out of the marketplace.`,
        { hint: 'Tell the publisher of the marketplace.' },
      )
    keeps = true
    return { ...market, root, name, entry: found.entry }
  } finally {
    if (!keeps) await market.close()
  }
}
