import { messageOf, type Diagnostic } from '@skills/core'
import type { ReadEntry } from 'tar/read-entry'

/** A file of a tarball. */
export interface TarballFile {
  /** As it is written there, forward slashes. */
  readonly path: string
  readonly bytes: Buffer
}

/** Bytes that a tarball may have when it is unpacked. */
const most = 512 * 1024 * 1024

/**
 * The regular files of a tarball as npm makes one, unpacked in memory. Links and devices, which npm does not pack, are
 * left out. What is no such tarball is a diagnostic, `invalid-tarball`.
 * @param path for the diagnostic
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

/** The same tarball without the files that are left out, or the bytes given where there are none. */
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
  // Most programs that check skills never unpack anything.
  const [{ gunzipSync }, { Parser }] = await Promise.all([import('node:zlib'), import('tar/parse')])
  try {
    const data = gunzipSync(bytes, { maxOutputLength: most })
    // The parser would unpack what is packed twice, beyond that limit.
    if (data.toString('latin1', 257, 262) !== 'ustar') throw new Error('what is packed is no tar archive')
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
      message: `${path} is no tarball: ${messageOf(error).replace(/\.$/, '')}.`,
      hint: 'Pack it again.',
    }
  }
}
