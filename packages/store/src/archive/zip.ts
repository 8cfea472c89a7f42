import { isUtf8 } from 'node:buffer'
import { crc32, inflateRaw, inflateRawSync } from 'node:zlib'
import { promisify } from 'node:util'
import { setImmediate as turn } from 'node:timers/promises'
import { abortError, messageOf, SkillsError } from '@skills/core'
import { limitBrokenBy, longestTarget, quotedPath } from '../entry-name.js'
import type { ReadCall, StoreCall } from '../store.js'
import type { TreeEntry, TreeFile } from '../tree-store.js'
import type { Entry, ZipFile } from 'yauzl'
import { EntryNames } from './entry-names.js'
import type { ArchiveBytes } from './archive-bytes.js'
import type { Limits } from './limits.js'

const inflate = promisify(inflateRaw)

/** Id of the extra field with a name in UTF-8. */
const unicodePath = 0x7075
/** Bytes of a local header before its name. */
const localHeader = 30
/** Bytes for times and users that programs usually write after the name. */
const usualExtra = 64
/** Most bytes that names, extra fields and comments may have together. */
const largestDirectory = 32 * 1024 * 1024
/** Entries after which the rest of the process gets a turn. */
const batch = 1000
/**
 * Largest file in bytes that is inflated at once, in a fraction of a millisecond; asking a thread would take longer.
 */
const shortFile = 64 * 1024
/** Bytes that a file may inflate to at any ratio: a page of blanks is not a bomb. */
const freeBytes = 1024 * 1024

/** Reads the entries of a zip archive from its central directory. A file is inflated when it is read. */
export async function zipEntries(
  archive: string,
  bytes: ArchiveBytes,
  limits: Limits,
  call: StoreCall,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const { getFileNameLowLevel } = await import('yauzl')
  const names = new EntryNames(archive, limits.maxEntries)
  const found = await centralDirectory(archive, bytes, limits, call)
  refuseShared(archive, found)
  let done = 0
  for (const entry of found) {
    if (++done % batch === 0) {
      await turn()
      if (call.signal.aborted) throw abortError(call.signal)
    }
    const name = nameOf(entry)
    if (name.endsWith('/')) names.add(name)
    else names.add(name, await entryOf(archive, bytes, entry, limits, call))
  }
  return names.entries

  /**
   * Returns the name of an entry. Most programs write UTF-8, and many do not say so. A second name beside it, which
   * only some programs read, must be the same.
   */
  function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
    const named = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
    const name = isUtf8(fileNameRaw) ? fileNameRaw.toString() : named
    if (named !== name && extraFields.some(({ id }) => id === unicodePath))
      throw new SkillsError(
        'E_ARCHIVE_AMBIGUOUS',
        `${archive} has an entry with two names, ${quotedPath(name)} and ${quotedPath(named)}.`,
        { hint: 'Pack the archive again.' },
      )
    return name
  }
}

/** Reads the directory at the end of the archive, and nothing of its files. */
async function centralDirectory(
  archive: string,
  bytes: ArchiveBytes,
  { maxEntries, maxBytes }: Limits,
  { signal }: StoreCall,
): Promise<readonly Entry[]> {
  const zip = await zipOf(archive, bytes)
  try {
    if (zip.entryCount > maxEntries) throw limit(`has more than ${maxEntries} entries`, 'maxEntries')
    const entries: Entry[] = []
    let total = 0
    let directory = 0
    await new Promise<void>((resolve, reject) => {
      zip
        .on('end', resolve)
        .on('error', reject)
        .on('entry', (entry: Entry) => {
          entries.push(entry)
          const { fileNameLength, extraFieldLength, fileCommentLength, uncompressedSize } = entry
          directory += fileNameLength + extraFieldLength + fileCommentLength
          // A size that is too small in the directory is noticed when the file is read.
          total += uncompressedSize
          if (directory > largestDirectory) reject(limit(`has a directory of more than ${largestDirectory} bytes`))
          else if (total > maxBytes) reject(limit(`unpacks to more than ${maxBytes} bytes`, 'maxBytes'))
          else if (signal.aborted) reject(abortError(signal))
          else zip.readEntry()
        })
      zip.readEntry()
    })
    return entries
  } catch (error) {
    throw SkillsError.is(error) || signal.aborted ? error : damaged(archive, messageOf(error), error)
  } finally {
    zip.close()
  }

  function limit(what: string, option?: string): SkillsError {
    const more = option === undefined ? '' : ` In that case, raise "${option}".`
    return new SkillsError('E_ARCHIVE_LIMIT', `${archive} ${what}.`, {
      hint: `Do not unpack the archive unless you packed it yourself.${more}`,
    })
  }
}

/** Refuses entries that overlap: a few bytes would be unpacked as often as the directory says. */
function refuseShared(archive: string, entries: readonly Entry[]): void {
  const endOf = ({ relativeOffsetOfLocalHeader, fileNameRaw, compressedSize }: Entry): number =>
    relativeOffsetOfLocalHeader + localHeader + fileNameRaw.length + compressedSize
  const sorted = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  for (const [at, entry] of sorted.entries()) {
    const next = sorted[at + 1]
    if (next !== undefined && endOf(entry) > next.relativeOffsetOfLocalHeader)
      throw new SkillsError(
        'E_ARCHIVE_AMBIGUOUS',
        `${archive} uses the same bytes for ${quotedPath(entry.fileNameRaw.toString())} and ${quotedPath(next.fileNameRaw.toString())}.`,
        { hint: 'Pack the archive again. Do not unpack it unless you packed it yourself.' },
      )
  }
}

async function zipOf(archive: string, bytes: ArchiveBytes): Promise<ZipFile> {
  const { fromRandomAccessReader, RandomAccessReader } = await import('yauzl')
  class Reader extends RandomAccessReader {
    // The library asks for a few bytes of each entry, one after the other, so more are read ahead.
    #ahead: { readonly start: number; readonly found: Buffer } = { start: 0, found: Buffer.of() }

    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null) => void,
    ): void {
      const { start, found } = this.#ahead
      if (position >= start && position + length <= start + found.length) {
        found.copy(buffer, offset, position - start, position - start + length)
        return void setImmediate(callback, null)
      }
      void this.#read(position, length).then(ahead => {
        ahead.copy(buffer, offset, 0, length)
        return setImmediate(callback, ahead.length < length ? new Error('it ends too early') : null)
      }, callback)
    }

    async #read(start: number, length: number): Promise<Buffer> {
      const found = await bytes.at(start, Math.max(length, 65_536))
      this.#ahead = { start, found }
      return found
    }
  }
  const options = { lazyEntries: true, decodeStrings: false, autoClose: false }
  return new Promise((resolve, reject) => {
    fromRandomAccessReader(new Reader(), bytes.size, options, (error, zip) => {
      if (error === null) resolve(zip)
      else reject(damaged(archive, error.message, error))
    })
  })
}

async function entryOf(
  archive: string,
  bytes: ArchiveBytes,
  entry: Entry,
  limits: Limits,
  call: StoreCall,
): Promise<TreeEntry> {
  if (entry.isEncrypted()) return { other: 'an encrypted file' }
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    return { other: `a file packed by method ${entry.compressionMethod}` }
  // Programs on Unix keep a file's mode in the upper half; others leave it empty.
  const mode = entry.externalFileAttributes >>> 16
  const file: TreeFile = {
    size: entry.uncompressedSize,
    ...(mode !== 0 && { mode: mode & 0o777 }),
    version: `${entry.crc32.toString(16)}-${entry.uncompressedSize}`,
    read: reading => readEntry(archive, bytes, entry, limits, reading),
  }
  switch (mode & 0o170000) {
    case 0:
    case 0o100000:
      return file
    case 0o120000: {
      const target = await file.read({ ...call, maxBytes: longestTarget })
      const link = Buffer.from(target).toString()
      return limitBrokenBy(link) === undefined ? { link } : { other: 'a link with too long a target' }
    }
    default:
      return { other: 'a device, a pipe or a socket' }
  }
}

async function readEntry(
  archive: string,
  bytes: ArchiveBytes,
  entry: Entry,
  { maxRatio }: Limits,
  { maxBytes, signal }: ReadCall,
): Promise<Uint8Array> {
  const { compressedSize, uncompressedSize, fileNameRaw } = entry
  const name = quotedPath(fileNameRaw.toString())
  // Deflating adds at most a few bytes in a thousand, so anything larger is not an honest file.
  if (compressedSize > maxBytes * 1.01 + 1024)
    throw limit(`packs ${name} in ${compressedSize} bytes, which is more than its stated size`)
  // Includes the bytes that usually stand between the name and the content, so that the file is opened once.
  const read = await bytes.at(
    entry.relativeOffsetOfLocalHeader,
    localHeader + fileNameRaw.length + usualExtra + compressedSize,
  )
  signal.throwIfAborted()
  const header = read.subarray(0, localHeader + fileNameRaw.length)
  if (header.length < localHeader || header.readUInt32LE(0) !== 0x04034b50)
    throw damaged(archive, `${name} does not begin where the directory says`)
  if (!header.subarray(localHeader).equals(fileNameRaw))
    throw new SkillsError(
      'E_ARCHIVE_AMBIGUOUS',
      `${archive} gives ${name} a different name in the header of that file.`,
      { hint: 'Pack it again.' },
    )
  const start = localHeader + header.readUInt16LE(26) + header.readUInt16LE(28)
  const packed =
    start + compressedSize <= read.length
      ? read.subarray(start, start + compressedSize)
      : await bytes.at(entry.relativeOffsetOfLocalHeader + start, compressedSize)
  signal.throwIfAborted()
  if (packed.length < compressedSize) throw damaged(archive, `${name} ends too early`)
  const byRatio = Math.max(freeBytes, compressedSize * maxRatio)
  // One byte more than declared shows that the file is larger.
  const maxOutputLength = Math.min(maxBytes, byRatio, uncompressedSize) + 1
  // In one piece, because joining pieces takes as long again.
  const options = { maxOutputLength, chunkSize: Math.max(64, maxOutputLength) }
  const inflated = async (): Promise<Buffer> =>
    compressedSize + uncompressedSize < shortFile ? inflateRawSync(packed, options) : inflate(packed, options)
  const unpacked =
    entry.compressionMethod === 0
      ? packed
      : await inflated().catch((error: unknown) => {
          if (!(error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'))
            throw damaged(archive, `${name} cannot be inflated: ${messageOf(error)}`, error)
          if (byRatio < Math.min(maxBytes, uncompressedSize))
            throw limit(`inflates ${name} to more than ${maxRatio} times its size`)
          throw damaged(archive, `${name} is larger than the directory says`, error)
        })
  signal.throwIfAborted()
  if (unpacked.length !== uncompressedSize) throw damaged(archive, `${name} has another size than the directory says`)
  if (crc32(unpacked) !== entry.crc32) throw damaged(archive, `${name} has another checksum than the directory says`)
  return unpacked

  function limit(what: string): SkillsError {
    return new SkillsError('E_ARCHIVE_LIMIT', `${archive} ${what}.`, {
      hint: 'Do not unpack the archive unless you packed it yourself. In that case, raise "maxRatio".',
    })
  }
}

function damaged(archive: string, why: string, cause?: unknown): SkillsError {
  return new SkillsError('E_ARCHIVE_FORMAT', `${archive} is not a valid zip archive: ${why}.`, {
    hint: 'Pack or download the archive again.',
    cause,
  })
}
