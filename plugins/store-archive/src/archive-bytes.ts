import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { ArchiveError } from './errors.js'

/** The bytes of an archive at one moment. */
export interface ArchiveBytes {
  readonly size: number
  /** As many as there are; a file that was written since is refused. */
  at(start: number, length: number): Promise<Buffer>
  stream(): Readable
}

export function bytesInMemory(bytes: Uint8Array): ArchiveBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    size: buffer.length,
    at: async (start, length) => buffer.subarray(start, start + length),
    stream: () => Readable.from(slicesOf(buffer)),
  }
}

/** A file, with what tells that it is the one of before; undefined where it is not there. It is open only while it is read. */
export async function bytesOfFile(path: string): Promise<{ readonly bytes: ArchiveBytes; readonly stamp: string } | undefined> {
  const stats = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
    throw error
  })
  if (stats === undefined) return undefined
  if (!stats.isFile()) throw new ArchiveError('E_ARCHIVE_FORMAT', `${path} is not a file.`, 'Give the path of a zip or tar archive.')
  const stamp = stampOf(stats)
  const bytes: ArchiveBytes = {
    size: stats.size,
    async at(start, length) {
      const file = await open(path)
      try {
        if (stampOf(await file.stat()) !== stamp) throw new ArchiveError('E_ARCHIVE_CHANGED', `${path} was written since its entries were read.`, 'List the skills again.')
        const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, stats.size - start)))
        const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
    stream: () => createReadStream(path),
  }
  return { bytes, stamp }
}

function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Readonly<Record<'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs', number>>): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ')
}

/** Small enough that limits are checked between them. */
function* slicesOf(buffer: Buffer): Generator<Buffer> {
  for (let start = 0; start < buffer.length; start += 65_536) yield buffer.subarray(start, start + 65_536)
}
