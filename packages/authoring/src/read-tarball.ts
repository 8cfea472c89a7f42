import { messageOf, type Diagnostic } from '@skills/core'
import type { ReadEntry } from 'tar/read-entry'

/** File of a tarball. */
export interface TarballFile {
  /** Path as written in the tarball, with forward slashes. */
  readonly path: string
  readonly bytes: Buffer
}

/** Most bytes that a tarball may have after unpacking. */
const most = 512 * 1024 * 1024

/**
 * Unpacks the regular files of a tarball from npm in memory. Leaves out links and devices, which npm does not pack.
 * Returns the diagnostic `invalid-tarball` for anything else.
 * @param path path for the diagnostic
 */
export async function readTarball(bytes: Uint8Array, path: string): Promise<readonly TarballFile[] | Diagnostic> {
  const files: TarballFile[] = []
  const invalid = await readEntries(bytes, path, entry => {
    if (entry.type !== 'File' && entry.type !== 'OldFile') return entry.resume()
    const pieces: Buffer[] = []
    entry.on('data', piece => pieces.push(piece))
    return entry.on('end', () => files.push({ path: entry.path, bytes: Buffer.concat(pieces) }))
  })
  return invalid ?? files
}

/** Returns the tarball without some files, or the given bytes if none is left out. */
export async function withoutFiles(
  bytes: Buffer,
  path: string,
  isLeftOut: (path: string) => boolean,
): Promise<Buffer | Diagnostic> {
  const files = await readTarball(bytes, path)
  if ('severity' in files) return files
  if (!files.some(file => isLeftOut(file.path))) return bytes
  const { Pack } = await import('tar/pack')
  const pack = new Pack({ gzip: true })
  const packed = pack.concat()
  const invalid = await readEntries(bytes, path, entry => (isLeftOut(entry.path) ? entry.resume() : pack.add(entry)))
  pack.end()
  return invalid ?? packed
}

async function readEntries(
  bytes: Uint8Array,
  path: string,
  onReadEntry: (entry: ReadEntry) => unknown,
): Promise<Diagnostic | undefined> {
  // Imported on use, because most programs that check skills never unpack anything.
  const [{ gunzipSync }, { Parser }] = await Promise.all([import('node:zlib'), import('tar/parse')])
  try {
    const data = gunzipSync(bytes, { maxOutputLength: most })
    // The parser would unpack a tarball that is packed twice, and so exceed the limit.
    if (data.toString('latin1', 257, 262) !== 'ustar') throw new Error('the packed content is not a tar archive')
    await new Promise<void>((resolve, reject) => {
      const parser = new Parser({ strict: true, onReadEntry: entry => void onReadEntry(entry) })
      parser.on('error', reject).on('end', resolve)
      parser.end(data)
    })
    return undefined
  } catch (error) {
    return {
      severity: 'error',
      type: 'parse',
      code: 'invalid-tarball',
      path,
      message: `${path} is not a tarball: ${messageOf(error).replace(/\.$/, '')}.`,
      hint: 'Pack the plugin again.',
    }
  }
}
