import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import type { Store, StoreCall } from '../store.js'
import { TreeStore, type TreeEntry } from '../tree-store.js'
import { bytesInMemory, bytesOfFile, type ArchiveBytes } from './archive-bytes.js'
import { unwrapped } from './entry-names.js'
import { isGzip, isTar, tarEntries } from './tar.js'
import { zipEntries } from './zip.js'

const archiveStoreOptions = s.options('archiveStore()', {
  /** The archive's path, absolute. Either this or `bytes`. */
  path: s.text(),
  /** The archive itself. */
  bytes: s.typed<Uint8Array>('a Uint8Array'),
  /** What stands before the path of every entry. Default: the path and `!`, or `archive:!`. */
  root: s.text(),
  /** Leaves out the one folder that wraps all entries, such as `package/` of npm's archives. */
  strip: s.flag().default(false),
  /** Entries that an archive may have. */
  maxEntries: s.number({ above: 0 }).default(50_000),
  /** Bytes that an archive may unpack to. */
  maxBytes: s.number({ above: 0 }).default(256 * 1024 * 1024),
  /**
   * How many times its size an archive, or a file in it, may unpack to once that is more than 16 MiB, or 1 MiB of one
   * file.
   */
  maxRatio: s.number({ above: 0 }).default(200),
  /**
   * Path of a file, absolute, which the caller removes: it takes what the files of a tar archive hold, one behind the
   * other, so that none stays in memory. Default: as many as fit are kept, and others are looked up again.
   */
  spool: s.text(),
})

export interface ArchiveStoreOptions extends s.OptionsOf<typeof archiveStoreOptions> {}

/**
 * The files of a `.zip`, `.skill`, `.tar`, `.tgz` or `.tar.gz` archive, which is not unpacked. Which it is its first
 * bytes say.
 * @throws SkillsError `E_INVALID_OPTION`; its calls reject with an SkillsError
 */
export function archiveStore(given: ArchiveStoreOptions): Store {
  const options = archiveStoreOptions.read(given)
  const { path, bytes, spool, strip, maxEntries, maxBytes, maxRatio } = options
  if ((path === undefined) === (bytes === undefined))
    throw new SkillsError('E_INVALID_OPTION', 'archiveStore() needs either "path" or "bytes".', {
      hint: 'Give one of the two.',
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
