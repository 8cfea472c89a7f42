import { createHash, type Hash } from 'node:crypto'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { writeAll } from '@skills/state/internal'
import { Root } from '@skills/state/writer'
import { createGunzip } from 'node:zlib'
import { abortError, messageOf, SkillsError } from '@skills/core'
import { limitBrokenBy, quotedPath } from '../entry-name.js'
import type { ReadCall, StoreCall } from '../store.js'
import type { TreeEntry } from '../tree-store.js'
import type { ReadEntry } from 'tar/read-entry'
import { EntryNames } from './entry-names.js'
import type { ArchiveBytes } from './archive-bytes.js'
import type { Limits } from './limits.js'

/**
 * Largest file in bytes that is kept from the first reading on. All kept files together have at most `keptBytes`;
 * others are read again.
 */
const keptFile = 256 * 1024
const keptBytes = 32 * 1024 * 1024
/** Bytes that an archive may unpack to at any ratio, because blocks of a tar archive are mostly blank. */
const freeBytes = 16 * 1024 * 1024
/** Most bytes of a header that names an entry or gives its times; a path and a target need far fewer. */
const longestHeader = 64 * 1024
/** Bytes after which the rest of the process gets a turn: a few milliseconds' worth. */
const sliceBytes = 512 * 1024

/** Receives the content of a file piece by piece; `end` follows the last one. */
interface Taker {
  take(piece: Buffer): void
  end(): void
}

/** Reads the entries of a tar archive, packed by gzip or not, once from its beginning to its end. */
export async function tarEntries(
  archive: string,
  bytes: ArchiveBytes,
  limits: Limits,
  call: StoreCall,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const names = new EntryNames(archive, limits.maxEntries)
  const { spool } = limits
  const spooled = spool === undefined ? undefined : spoolAt(spool)
  let kept = 0
  let written = 0
  try {
    await scan(archive, bytes, limits, call, collect, { onHeader: () => names.count() })
  } finally {
    if (spooled !== undefined) closeSync(spooled)
  }
  return names.entries

  function collect(entry: ReadEntry, index: number): Taker | void {
    switch (entry.type) {
      case 'Directory':
      case 'GNUDumpDir':
        return void names.add(entry.path)
      case 'SymbolicLink':
        return void names.add(entry.path, linkOf(entry.linkpath ?? ''))
      case 'Link':
        return void names.add(entry.path, copyOf(entry))
      case 'File':
      case 'OldFile':
      case 'ContiguousFile':
        break
      default:
        return void names.add(entry.path, { other: 'a device or a pipe' })
    }
    const isKept = spooled === undefined && entry.size <= keptFile && kept + entry.size <= keptBytes
    if (isKept) kept += entry.size
    const start = written
    const pieces: Buffer[] = []
    const hash: Hash = createHash('sha256')
    return {
      take(piece) {
        hash.update(piece)
        if (isKept) pieces.push(piece)
        else if (spool !== undefined && spooled !== undefined) {
          writeAll(spooled, piece, spool)
          written += piece.length
        }
      },
      end() {
        const content = Buffer.concat(pieces)
        names.add(entry.path, {
          size: entry.size,
          version: hash.digest('hex'),
          mode: entry.mode,
          read: reading => {
            if (isKept) return content
            return spool === undefined
              ? readAgain(archive, bytes, limits, index, reading)
              : readAt(spool, start, entry.size)
          },
        })
      },
    }
  }

  function linkOf(target: string): TreeEntry {
    return limitBrokenBy(target) !== undefined ? { other: 'a link with too long a target' } : { link: target }
  }

  /** Returns the entry of an earlier file for a second name of it. */
  function copyOf(entry: ReadEntry): TreeEntry {
    const target = names.entries.get(names.pathOf(entry.linkpath ?? '') ?? '')
    if (target !== undefined && 'read' in target) return target
    throw new SkillsError(
      'E_ARCHIVE_UNSAFE',
      `${archive} has a hard link ${quotedPath(entry.path)} to ${quotedPath(entry.linkpath ?? '')}, but the archive has no such file.`,
      { hint: 'No entry of the archive is read. Pack the archive again without hard links.' },
    )
  }
}

function spoolAt(path: string): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC
  return new Root(dirname(path), { kind: 'temporary' }).open(basename(path), flags)
}

function readAt(path: string, start: number, length: number): Buffer {
  const content = Buffer.allocUnsafe(length)
  const file = openSync(path, 'r')
  try {
    if (readSync(file, content, 0, length, start) === length) return content
    throw new SkillsError('E_ARCHIVE_CHANGED', `${path} was changed by another program.`, {
      hint: 'List the skills again.',
    })
  } finally {
    closeSync(file)
  }
}

/** Reads a file that was too large to be kept. gzip can only be read from the beginning. */
async function readAgain(
  archive: string,
  bytes: ArchiveBytes,
  limits: Limits,
  wanted: number,
  call: ReadCall,
): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let isOver = false
  await scan(
    archive,
    bytes,
    limits,
    call,
    (_entry, index) =>
      index !== wanted ? undefined : { take: piece => void pieces.push(piece), end: () => void (isOver = true) },
    { isDone: () => isOver },
  )
  if (!isOver)
    throw new SkillsError('E_ARCHIVE_CHANGED', `${archive} was changed after its entries were read.`, {
      hint: 'List the skills again.',
    })
  return Buffer.concat(pieces)
}

async function scan(
  archive: string,
  bytes: ArchiveBytes,
  { maxBytes, maxRatio }: Limits,
  { signal }: StoreCall,
  onEntry: (entry: ReadEntry, index: number) => Taker | void,
  {
    isDone = () => false,
    onHeader = () => {},
  }: {
    /** Returns true if the rest need not be read. */
    readonly isDone?: () => boolean
    /** Called for each header of a header. */
    readonly onHeader?: () => void
  } = {},
): Promise<void> {
  const { Parser } = await import('tar/parse')
  let failure: unknown
  let index = 0
  const parser = new Parser({
    strict: true,
    maxMetaEntrySize: longestHeader,
    onReadEntry(entry: ReadEntry) {
      const taker = failure === undefined ? attempt(() => onEntry(entry, index++)) : undefined
      if (typeof taker === 'object')
        entry.on('data', piece => taker.take(piece)).on('end', () => attempt(() => taker.end()))
      else entry.resume()
    },
  })
  parser.on('error', error => (failure ??= error))
  parser.on('meta', () => attempt(onHeader))
  parser.on('ignoredEntry', (entry: ReadEntry) => {
    // A header of a header that is too long would lose the name it gives. For types that tar does not know, the entry
    // itself shows it.
    if (entry.meta)
      failure ??= new SkillsError('E_ARCHIVE_LIMIT', `${archive} has a header of more than ${longestHeader} bytes.`, {
        hint: 'No entry of the archive is read. Pack the archive with shorter names.',
      })
    else attempt(() => onEntry(entry, index++))
  })
  const source = bytes.stream()
  const isPacked = (await bytes.at(0, 2)).equals(gzipMagic)
  const unpacked = isPacked ? source.on('error', error => unpacked.destroy(error)).pipe(createGunzip()) : source
  let total = 0
  let turnAt = sliceBytes
  try {
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      if (total >= turnAt) {
        await turn()
        turnAt = total + sliceBytes
      }
      if (signal.aborted) throw abortError(signal)
      // The parser would unpack an archive that is packed twice, and so exceed every limit here.
      if (isPacked && total === 0 && !isTar(piece)) throw new Error('the packed content is not a tar archive')
      total += piece.length
      if (total > maxBytes) throw limit(`unpacks to more than ${maxBytes} bytes`, 'maxBytes')
      if (total > freeBytes && total > bytes.size * maxRatio)
        throw limit(`unpacks to more than ${maxRatio} times its size`, 'maxRatio')
      parser.write(piece)
      if (failure !== undefined) throw failure
      if (isDone()) return
    }
    parser.end()
    if (failure !== undefined) throw failure
  } catch (error) {
    if (SkillsError.is(error) || signal.aborted) throw error
    throw new SkillsError('E_ARCHIVE_FORMAT', `${archive} is not a valid tar archive: ${messageOf(error)}.`, {
      hint: 'Pack or download the archive again.',
      cause: error,
    })
  } finally {
    source.destroy()
    unpacked.destroy()
  }

  /** Keeps an error that is thrown inside the parser, because it would not come out. */
  function attempt<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      failure ??= error
      return undefined
    }
  }

  function limit(what: string, option: string): SkillsError {
    return new SkillsError('E_ARCHIVE_LIMIT', `${archive} ${what}.`, {
      hint: `Do not unpack the archive unless you packed it yourself. In that case, raise "${option}".`,
    })
  }
}

const gzipMagic = Buffer.from([0x1f, 0x8b])

export function isGzip(head: Buffer): boolean {
  return head.subarray(0, 2).equals(gzipMagic)
}

export function isTar(head: Buffer): boolean {
  return head.subarray(257, 262).toString('latin1') === 'ustar'
}
