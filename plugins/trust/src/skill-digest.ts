import { createHash, type Hash } from 'node:crypto'
import { basename } from 'node:path'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { abortError } from '@skills/core'
import { ioProblem, systemCode } from '@skills/files/internal'
import { changed, partsOf, stampOf, type SkillLimits, type SkillPart } from './skill-parts.js'

export type SkillDigest =
  /** SHA-256, 64 hexadecimal digits. */
  | {
      readonly digest: string
      /** Digest of each file by its path in the skill, or by its name for a skill of one file. */
      readonly files: ReadonlyMap<string, string>
    }
  /** Sentence that says why there is no digest. */
  | { readonly reason: string }

/** File of a skill in the state in which an invocation read it. */
export interface OwnFile {
  /** Real path. */
  readonly path: string
  /** SHA-256 of its bytes, 64 hexadecimal digits. */
  readonly digest: string
}

/** Bytes to read before other work gets a turn. */
const sliceBytes = 4 * 1024 * 1024

/**
 * Computes the digest of everything in a skill: the path, mode, bytes and target of each file, folder and link. Returns
 * a reason instead for a skill that is too large, cannot be read completely, or changes meanwhile.
 * @param own bytes that will run. If the skill's file has other bytes or another place by now, there is no digest
 * @param path its folder, or its file if it has no folder of its own; absolute, without links in the folders above it
 * @throws AbortError when the signal aborts
 */
export async function digestOfSkill(
  path: string,
  limits: SkillLimits,
  signal: AbortSignal,
  own?: OwnFile,
): Promise<SkillDigest> {
  const parts = await partsOf(path, limits, signal)
  if (typeof parts === 'string') return { reason: parts }
  const hash = createHash('sha256')
  let sliceLeft = sliceBytes
  let isOwnFound = own === undefined
  const files = new Map<string, string>()
  for (const part of parts) {
    addText(hash, part.kind)
    addText(hash, part.key)
    addText(hash, part.mode.toString(8))
    addText(hash, part.target)
    addLength(hash, part.size)
    const isOwn = part.kind === 'file' && part.path === own?.path
    const bytes = part.kind === 'file' ? createHash('sha256') : undefined
    const problem = part.kind === 'file' ? addFile(hash, part, bytes) : undefined
    if (problem !== undefined) return { reason: problem }
    const digest = bytes?.digest('hex')
    if (isOwn && digest !== own.digest) return { reason: changed(part.path) }
    if (digest !== undefined) files.set(part.key === '' ? basename(part.path) : part.key, digest)
    isOwnFound ||= isOwn
    sliceLeft -= part.size
    if (sliceLeft > 0) continue
    await turn()
    if (signal.aborted) throw abortError(signal)
    sliceLeft = sliceBytes
  }
  // Parts that were read first may have changed since, and new ones were not read at all.
  const after = await partsOf(path, limits, signal)
  if (typeof after === 'string') return { reason: after }
  const other = isOwnFound ? differenceOf(parts, after) : own?.path
  return other === undefined ? { digest: hash.digest('hex'), files } : { reason: changed(other) }
}

/** Adds a text after its length, so that no two texts have the bytes of two others. */
function addText(hash: Hash, text: string): void {
  const bytes = Buffer.from(text)
  addLength(hash, bytes.length)
  hash.update(bytes)
}

function addLength(hash: Hash, length: number): void {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  hash.update(bytes)
}

const buffer = Buffer.alloc(256 * 1024)

/** Adds the bytes of a file. Returns a sentence if they cannot be read as they were found. */
function addFile(hash: Hash, { path, size, stamp }: SkillPart, bytes: Hash | undefined): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP'
      ? changed(path)
      : ioProblem('The file', path, error).message
  }
  try {
    if (stampOf(fstatSync(descriptor, { bigint: true })) !== stamp) return changed(path)
    let left = size
    for (;;) {
      const read = readSync(descriptor, buffer, 0, buffer.length, null)
      if (read === 0) return left === 0 ? undefined : changed(path)
      left -= read
      if (left < 0) return changed(path)
      hash.update(buffer.subarray(0, read))
      bytes?.update(buffer.subarray(0, read))
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return ioProblem('The file', path, error).message
  } finally {
    closeSync(descriptor)
  }
}

/** Returns the path of the first part that differs. */
function differenceOf(before: readonly SkillPart[], after: readonly SkillPart[]): string | undefined {
  for (let at = 0; at < Math.max(before.length, after.length); at++) {
    const [a, b] = [before[at], after[at]]
    if (a?.key !== b?.key || a?.path !== b?.path || a?.stamp !== b?.stamp || a?.target !== b?.target)
      return (a ?? b)?.path
  }
  return undefined
}
