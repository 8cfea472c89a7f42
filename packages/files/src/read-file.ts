import { setImmediate as turn } from 'node:timers/promises'
import { abortError, type Diagnostic, type FileIdentity } from '@skills/core'
import { after, danglingLink } from '@skills/store/internal'
import { escapeProblem, type Store, type StoreFile, type StoreStats } from '@skills/store'
import { readContained } from './contained-read.js'
import { readUnlikely } from './file-reads.js'
import { LocalStore } from './local-store.js'
import { ioProblem } from './problem.js'

export interface ReadFileOptions {
  /** Real paths of folders that a link must not lead out of. Undefined: links may lead anywhere. */
  readonly within?: readonly string[] | undefined
  /** Largest file in bytes. Default: 1 MiB. */
  readonly maxBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Store that has the file. Default: the disk of this machine. */
  readonly store?: Store | undefined
  /** Returns true for bytes that the store keeps, so that they need not be copied. Default: all are copied. */
  readonly isKept?: ((bytes: Buffer) => boolean) | undefined
}

export type WholeFile =
  | { readonly bytes: Buffer; readonly identity: FileIdentity; readonly stats: StoreStats }
  | { readonly problem: Diagnostic }
  | undefined

const disk = new LocalStore()
const never = new AbortController().signal
const defaultMaxBytes = 1024 * 1024

/**
 * Reads a whole file that comes from outside. Such files are read only by this function, by {@link readWholeFileSync}
 * or by the walk. Refuses anything but a regular file, a file whose real path lies outside, and a file that is or
 * becomes too large. A problem says what is wrong, where, and what to do. Returns undefined if nothing is there.
 */
export async function readWholeFile(
  path: string,
  { within, maxBytes = defaultMaxBytes, signal = never, store = disk, isKept }: ReadFileOptions = {},
): Promise<WholeFile> {
  if (signal.aborted) throw abortError(signal)
  try {
    const call = { maxBytes, signal, within: within ?? 'anywhere' } as const
    // The bytes are lent, so they are copied as soon as they come.
    const own = (file: StoreFile | undefined): WholeFile => wholeOf(path, file, maxBytes, isKept)
    const whole = await after(store.read(path, call), async file =>
      file?.found === 'link' ? own(await readLinked(store, path, within, call)) : own(file),
    )
    await giveWay()
    if (signal.aborted) throw abortError(signal)
    return whole
  } catch (error) {
    if (signal.aborted) throw abortError(signal)
    return { problem: ioProblem('The file', path, error) }
  }
}

/** Milliseconds of reading many files in a row after which the rest of the process gets a turn. */
const sliceMs = 3
let sliceStart = performance.now()

async function giveWay(): Promise<void> {
  if (performance.now() - sliceStart < sliceMs) return
  await turn()
  sliceStart = performance.now()
}

/** Reads the target of a link, for a store that leaves it to the caller where links may lead. */
async function readLinked(
  store: Store,
  path: string,
  within: readonly string[] | undefined,
  call: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<StoreFile | undefined> {
  const realPath = await store.realPath?.(path, call)
  if (realPath === undefined) return { found: 'refused', problem: danglingLink(path) }
  const stats = await store.stat(realPath, call)
  const problem = escapeProblem(path, realPath, within, () => stats?.kind === 'folder')
  return problem === undefined ? store.read(realPath, call) : { found: 'refused', problem }
}

/**
 * Reads a whole file synchronously. Meant for a few small files of this machine that are probably in the page cache;
 * with callbacks, each file would take several turns of the event loop. A caller that reads many files must let the
 * rest of the process run in between.
 */
export function readWholeFileSync(
  path: string,
  { within, maxBytes = defaultMaxBytes }: Pick<ReadFileOptions, 'within' | 'maxBytes'> = {},
): WholeFile {
  try {
    return wholeOf(path, readContained(path, { within, maxBytes }, readUnlikely), maxBytes)
  } catch (error) {
    return { problem: ioProblem('The file', path, error) }
  }
}

function wholeOf(
  path: string,
  file: StoreFile | undefined,
  maxBytes: number,
  isKept: ReadFileOptions['isKept'] = () => false,
): WholeFile {
  switch (file?.found) {
    // A file that is read at once is lent: the next file uses the same buffer.
    case 'file':
      return {
        bytes: isKept(file.bytes)
          ? file.bytes.subarray(0, file.length)
          : Buffer.from(file.bytes.subarray(0, file.length)),
        identity: file.stats.identity,
        stats: file.stats,
      }
    case 'refused':
      return { problem: file.problem }
    case 'too-large':
      return {
        problem: {
          severity: 'error',
          type: 'validation',
          code: 'file-too-large',
          path,
          message: `${path} has ${file.size} bytes; ${maxBytes} are allowed.`,
          hint: 'Make the file smaller.',
        },
      }
    case 'other':
      return {
        problem: {
          severity: 'error',
          type: 'io',
          code: 'not-a-file',
          path,
          message: `${path} is ${file.what}, not a file.`,
          hint: 'Put a regular file in its place, or remove it.',
        },
      }
    case 'link':
    case 'unwanted':
    case undefined:
      return undefined
  }
}
