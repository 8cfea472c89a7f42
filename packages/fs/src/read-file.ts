import type { Stats } from 'node:fs'
import { abortError, type Diagnostic, type FileIdentity } from '@skills/core'
import { escapeProblem, followLink, realPathOf } from './real-path.js'
import { identityOf } from './file-identity.js'
import { ioProblem, systemCode } from './problem.js'
import { probeSlowly, type Probe } from './probe.js'

export interface ReadFileOptions {
  /** Real paths of folders that a link must not lead out of. Undefined: links may lead anywhere. */
  readonly within?: readonly string[] | undefined
  /** Bytes. Default 1 MiB. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal | undefined
}

export type WholeFile =
  | { readonly bytes: Buffer; readonly identity: FileIdentity }
  | { readonly problem: Diagnostic }
  | undefined

/**
 * Reads a whole regular file under the same rules as a walk: no device is opened, no link leads outside.
 * Undefined when nothing is there.
 */
export async function readWholeFile(path: string, { within, maxBytes = 1024 * 1024, signal }: ReadFileOptions = {}): Promise<WholeFile> {
  const stopIfAborted = (): void => {
    if (signal?.aborted === true) throw abortError(signal)
  }
  stopIfAborted()
  let bytes: Buffer | undefined
  let stats: Stats | undefined
  // Not the file alone but any folder on the way to it may be a link.
  const resolved = within === undefined ? undefined : resolvedPath(path)
  const escape = resolved === undefined ? undefined : escapeProblem(path, resolved, within)
  if (escape !== undefined) return { problem: escape }
  let realPath = resolved ?? path
  const read = async (from: string): Promise<Probe> => probeSlowly(from, maxBytes, head => {
    stopIfAborted()
    stats = head.stats
    if (head.isWhole) bytes = head.bytes.subarray(0, head.length)
    return !head.isWhole
  }, undefined)
  let probe = await read(realPath)
  if (probe.found === 'link') {
    const target = followLink(path, within)
    if ('problem' in target) return target
    realPath = target.realPath
    probe = await read(realPath)
  }
  stopIfAborted()
  switch (probe.found) {
    case 'file': return bytes === undefined || stats === undefined ? undefined : { bytes, identity: identityOf(realPath, stats) }
    case 'nothing': return undefined
    case 'error': return { problem: ioProblem('The file', path, probe.error) }
    case 'too-large': return { problem: { severity: 'error', type: 'validation', code: 'file-too-large', path, message: `${path} has ${probe.size} bytes; ${maxBytes} are allowed.` } }
    case 'link': return { problem: { severity: 'error', type: 'io', code: 'unreadable', path, message: `${path} leads to another link.` } }
    case 'other': return { problem: { severity: 'error', type: 'io', code: 'not-a-file', path, message: `${path} is ${probe.kind}, not a file.` } }
  }
}

/** Undefined for what is not there or cannot be resolved: reading it tells which. */
function resolvedPath(path: string): string | undefined {
  try {
    return realPathOf(path)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
