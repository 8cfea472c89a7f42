import { SkillsError } from '@skills/core'
import { constants } from 'node:fs'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'

/** Bytes that are read at a time; small enough to check limits in between. */
const pieceBytes = 262_144

/** Bytes of an archive in one state. */
export interface ArchiveBytes {
  readonly size: number
  /** Reads as many bytes as there are, up to `length`. Refuses a file that was written since. */
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
 * Opens a file as an archive, with a stamp that identifies its state. Returns undefined if the file is missing. The
 * file is open only while bytes are read from it.
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

  /** Opens the file. Does not wait if a pipe took its place meanwhile. */
  async function opened<T>(use: (file: FileHandle) => Promise<T>): Promise<T> {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      if (stampOf(await file.stat()) !== stamp)
        throw new SkillsError('E_ARCHIVE_CHANGED', `${path} was changed after its entries were read.`, {
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

  /** Yields large pieces and opens the file for each, so that no descriptor stays open if the reader stops. */
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
