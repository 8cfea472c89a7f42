import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import type { Store, StoreCall } from '../store.js'
import { TreeStore, type TreeEntry } from '../tree-store.js'
import { bytesInMemory, bytesOfFile, type ArchiveBytes } from './archive-bytes.js'
import { unwrapped } from './entry-names.js'
import { isGzip, isTar, tarEntries } from './tar.js'
import { zipEntries } from './zip.js'

const archiveStoreOptions = s.options('archiveStore()', {
  /** Path of the archive, absolute. Give either this or `bytes`. */
  path: s.text(),
  /** Bytes of the archive. Give either this or `path`. */
  bytes: s.typed<Uint8Array>('a Uint8Array'),
  /** Prefix of every entry's path. Default: the path and `!`, or `archive:!`. */
  root: s.text(),
  /** True to leave out the one folder that wraps all entries, such as `package/` in npm's archives. Default: false. */
  strip: s.flag().default(false),
  /** Most entries of an archive. Default: 50,000. */
  maxEntries: s.number({ above: 0 }).default(50_000),
  /** Most bytes that an archive may unpack to. Default: 256 MiB. */
  maxBytes: s.number({ above: 0 }).default(256 * 1024 * 1024),
  /**
   * Most times its own size that an archive, or a file in it, may unpack to. Applies above 16 MiB for an archive, and
   * above 1 MiB for one file. Default: 200.
   */
  maxRatio: s.number({ above: 0 }).default(200),
  /**
   * Path of a file, absolute, for the content of all files of a tar archive, so that none stays in memory. The caller
   * removes it. Default: as many files as fit are kept in memory, and others are read again.
   */
  spool: s.text(),
})

export interface ArchiveStoreOptions extends s.OptionsOf<typeof archiveStoreOptions> {}

/**
 * Makes a store for a `.zip`, `.skill`, `.tar`, `.tgz` or `.tar.gz` archive without unpacking it. The first bytes of
 * the archive decide the format.
 * @throws SkillsError `E_INVALID_OPTION`; calls of the store reject with a SkillsError
 */
export function archiveStore(given: ArchiveStoreOptions): Store {
  const options = archiveStoreOptions.read(given)
  const { path, bytes, spool, strip, maxEntries, maxBytes, maxRatio } = options
  if ((path === undefined) === (bytes === undefined))
    throw new SkillsError('E_INVALID_OPTION', 'archiveStore() needs either "path" or "bytes".', {
      hint: 'Give exactly one of the two options.',
    })
  const archive = options.root ?? path ?? 'The archive'
  const limits = { maxEntries, maxBytes, maxRatio, spool }
  let known: { readonly stamp: string; readonly entries: ReadonlyMap<string, TreeEntry> } | undefined
  return new TreeStore({
    id: 'archive',
    root: options.root ?? `${path?.replaceAll('\\', '/') ?? 'archive:'}!`,
    async entries(call) {
      const found = bytes === undefined ? await bytesOfFile(path ?? '') : { bytes: bytesInMemory(bytes), stamp: '' }
      if (found === undefined) return undefined
      if (known?.stamp !== found.stamp) known = { stamp: found.stamp, entries: await read(found.bytes, call) }
      return known.entries
    },
  })

  async function read(opened: ArchiveBytes, call: StoreCall): Promise<ReadonlyMap<string, TreeEntry>> {
    const head = await opened.at(0, 512)
    const entries =
      head.subarray(0, 2).toString('latin1') === 'PK'
        ? await zipEntries(archive, opened, limits, call)
        : isGzip(head) || isTar(head)
          ? await tarEntries(archive, opened, limits, call)
          : undefined
    if (entries === undefined)
      throw new SkillsError('E_ARCHIVE_FORMAT', `${archive} is neither a zip nor a tar archive.`, {
        hint: 'Give a .zip, .skill, .tar, .tgz or .tar.gz file.',
      })
    return strip ? unwrapped(entries) : entries
  }
}
