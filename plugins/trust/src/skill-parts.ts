import { lstatSync, readdirSync, readlinkSync, type BigIntStats } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { abortError, compareCodeUnits } from '@skills/core'
import { ioProblem, realPathOf, systemCode } from '@skills/files/internal'

export interface SkillLimits {
  /** Most files, folders and links. */
  readonly files: number
  /** Most bytes of all files together. */
  readonly bytes: number
}

/** File, folder or link of a skill. */
export interface SkillPart {
  /**
   * Path in the skill, with forward slashes; empty for the skill itself. The target of a link has the link's path and
   * `//`, which is not part of any other path.
   */
  readonly key: string
  /** Absolute path, without links on the way. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link'
  /** Permission bits; 0 for a link, whose bits mean nothing. */
  readonly mode: number
  /** Bytes of a file. */
  readonly size: number
  /** Target of a link, as it is written there; empty for anything else. */
  readonly target: string
  /** Stamp that differs after a change or replacement. */
  readonly stamp: string
}

/** Parts to look at before other work gets a turn. */
const partBatch = 256

/**
 * Returns everything in a skill, in code unit order of the keys, or a sentence with the reason why the skill cannot be
 * read. Links are followed even out of the folder, because a running skill reads their targets.
 * @param path its folder, or its file if it has no folder of its own; absolute
 */
export async function partsOf(
  path: string,
  limits: SkillLimits,
  signal: AbortSignal,
): Promise<readonly SkillPart[] | string> {
  const parts: SkillPart[] = []
  const folders = new Set<string>()
  let bytes = 0
  const pending = [{ key: '', path }]
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (signal.aborted) throw abortError(signal)
    if (parts.length % partBatch === partBatch - 1) await turn()
    if (parts.length >= limits.files)
      return `The skill has more than ${limits.files.toLocaleString('en')} files and folders.`
    try {
      const part = lookAt(place)
      if (typeof part === 'string') return part
      parts.push(part)
      bytes += part.size
      if (bytes > limits.bytes) return `The skill has more than ${limits.bytes.toLocaleString('en')} bytes.`
      // A folder that a link or a cycle reaches again is read once.
      if (part.kind === 'folder' && !folders.has(part.path)) {
        folders.add(part.path)
        pending.push(...childrenOf(part))
      }
      const real = part.kind === 'link' ? realPathOf(part.path) : undefined
      if (real !== undefined) pending.push({ key: `${part.key}//`, path: real })
    } catch (error) {
      const code = systemCode(error)
      if (code === undefined) throw error
      return code === 'ENOENT' || code === 'ENOTDIR'
        ? changed(place.path)
        : ioProblem('The file', place.path, error).message
    }
  }
  return parts.sort((a, b) => compareCodeUnits(a.key, b.key))
}

export function changed(path: string): string {
  return `${path} changed while it was read.`
}

/** Returns a stamp that shows whether a file is still the same. */
export function stampOf({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(' ')
}

function lookAt({ key, path }: { readonly key: string; readonly path: string }): SkillPart | string {
  if (!isText(key)) return `The name of ${path} is not UTF-8.`
  const stats = lstatSync(path, { bigint: true })
  const stamp = stampOf(stats)
  const mode = Number(stats.mode & 0o7777n)
  if (stats.isFile()) return { key, path, kind: 'file', mode, size: Number(stats.size), target: '', stamp }
  if (stats.isDirectory()) return { key, path, kind: 'folder', mode, size: 0, target: '', stamp }
  if (!stats.isSymbolicLink()) return `${path} is not a file, a folder or a link.`
  const target = readlinkSync(path)
  return isText(target)
    ? { key, path, kind: 'link', mode: 0, size: 0, target, stamp }
    : `The link ${path} leads to a name that is not UTF-8.`
}

/** Returns the children of a folder in reverse order, since the last one is looked at first. */
function childrenOf({ key, path }: SkillPart): readonly { readonly key: string; readonly path: string }[] {
  const names = readdirSync(path).sort(compareCodeUnits).toReversed()
  const prefix = key === '' || key.endsWith('//') ? key : `${key}/`
  return names.map(name => ({ key: `${prefix}${name}`, path: path === '/' ? `/${name}` : `${path}/${name}` }))
}

/** True for valid UTF-8. Two other names may look the same, and then one file would be read for both. */
function isText(name: string): boolean {
  return !name.includes('\uFFFD')
}
