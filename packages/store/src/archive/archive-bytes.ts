import { SkillsError } from '@skills/core'
import { constants } from 'node:fs'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'

/** Small enough that limits are checked between them. */
const pieceBytes = 262_144

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

/**
 * A file, with what tells that it is the one of before; undefined where it is not there. It is open only while it is
 * read.
 */
export async function bytesOfFile(
  path: string,
): Promise<{ readonly bytes: ArchiveBytes; readonly stamp: string } | undefined> {
  const stats = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  })
  if (stats === undefined) return undefined
  if (!stats.isFile())
    throw new SkillsError('E_ARCHIVE_FORMAT', `${path} is not a file.`, {
      hint: 'Give the path of a zip or tar archive.',
    })
  const stamp = stampOf(stats)
  const { size } = stats
  return {
    stamp,
    bytes: {
      size,
      at: (start, length) => opened(file => readAt(file, start, length)),
      stream: () => Readable.from(pieces()),
    },
  }

  /** Does not wait where a pipe was put in the file's place meanwhile. */
  async function opened<T>(use: (file: FileHandle) => Promise<T>): Promise<T> {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      if (stampOf(await file.stat()) !== stamp)
        throw new SkillsError('E_ARCHIVE_CHANGED', `${path} was written since its entries were read.`, {
          hint: 'List the skills again.',
        })
      return await use(file)
    } finally {
      await file.close()
    }
  }

  async function readAt(file: FileHandle, start: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - start)))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
    return buffer.subarray(0, bytesRead)
  }

  /** In pieces of a size that is worth opening the file for: no descriptor stays open where the reader goes away. */
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let start = 0; start < size; start += pieceBytes) yield await opened(file => readAt(file, start, pieceBytes))
  }
}

function stampOf({
  dev,
  ino,
  size,
  mtimeMs,
  ctimeMs,
}: Readonly<Record<'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs', number>>): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(' ')
}

function* slicesOf(buffer: Buffer): Generator<Buffer> {
  for (let start = 0; start < buffer.length; start += pieceBytes) yield buffer.subarray(start, start + pieceBytes)
}
