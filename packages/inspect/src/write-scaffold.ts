import { readdirSync, readlinkSync } from 'node:fs'
import { rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { abortError, isAbortError, type Diagnostic } from '@skills/core'
import { lstatOf, makeFolders, missingFolders, statOf, systemCode } from '@skills/files'
import { removeAbandoned, temporaryName } from '@skills/state'
import type { Scaffold } from './scaffold.js'

export { makeFolders as makeFolder, missingFolders }

const begun = '.new-skill.'

export type Written =
  /** Absolute paths, forward slashes. */
  { readonly files: readonly string[] } | { readonly problem: Diagnostic }

/**
 * Writes a scaffold into a folder that does not exist yet; missing folders above it are made. Everything is written
 * into a hidden folder beside the place and renamed to it, so it appears as a whole, and a failure leaves nothing. What
 * keeps it from being written is a diagnostic: `already-there`, or `not-written`. See
 * docs/reference/new-skills.md.
 * @throws AbortError when the signal aborts; nothing is left then either
 */
export async function writeScaffold(
  { folder, files }: Scaffold,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Written> {
  const parent = dirname(folder)
  // Without the name, which may be as long as a file system takes.
  const temporary = join(parent, temporaryName(begun))
  removeAbandoned(parent, begun)
  const there = whatIsAt(folder)
  if (there !== undefined) return { problem: taken(folder, there) }
  let made: readonly string[] = []
  try {
    made = missingFolders(parent)
    makeFolders(parent)
    for (const { path, text } of files) {
      stopIfAborted(signal)
      makeFolders(dirname(join(temporary, path)))
      await writeFile(join(temporary, path), text, { flag: 'wx' })
    }
    stopIfAborted(signal)
    await rename(temporary, folder)
    return { files: files.map(({ path }) => `${folder}/${path}`) }
  } catch (error) {
    const left = await takeBack(temporary, made)
    const code = systemCode(error)
    if (code === undefined || isAbortError(error)) throw error
    // Another process may have written it first.
    const thereNow = whatIsAt(folder)
    return { problem: thereNow === undefined ? refused(folder, code, left) : taken(folder, thereNow) }
  }
}

export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal)
}

/**
 * What stands at a path, as it completes a sentence; undefined when nothing does, or below a folder that may not be
 * entered.
 */
function whatIsAt(path: string): string | undefined {
  const stats = lstatOf(path)
  if (stats === undefined) return undefined
  try {
    if (stats.isSymbolicLink()) return `a link to ${readlinkSync(path)}`
    if (!stats.isDirectory()) return stats.isFile() ? 'a file' : 'something that is no folder'
    const names = readdirSync(path)
    if (names.includes('SKILL.md')) return 'a skill'
    if (names.includes('.claude-plugin')) return 'a plugin'
    return names.length === 0
      ? 'an empty folder'
      : `a folder with ${names.length} ${names.length === 1 ? 'entry' : 'entries'} in it`
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return 'a folder that may not be looked into'
  }
}

function taken(folder: string, there: string): Diagnostic {
  return {
    severity: 'error',
    type: 'io',
    code: 'already-there',
    path: folder,
    message: `There is ${there} at ${folder} already, and nothing is overwritten.`,
    hint: 'Choose another name or folder, or remove it first.',
  }
}

/**
 * Removes what was begun, and the folders above that were made for it unless they hold other files by now.
 * Gives what could not be removed.
 * @param made the outermost first
 */
async function takeBack(temporary: string, made: readonly string[]): Promise<string | undefined> {
  try {
    await rm(temporary, { recursive: true, force: true })
    for (const folder of made.toReversed()) if (lstatOf(folder) !== undefined) await rmdir(folder)
    return undefined
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    // A folder that is in use by now is not ours to remove, and below a file there is nothing.
    return code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR' ? undefined : temporary
  }
}

const noWriting = [
  'a folder on the way to it may not be written to',
  'Change the permissions, or choose another folder.',
] as const
const noFolder = ['something on the way to it is not a folder', 'Choose another folder.'] as const

const sentences: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  EACCES: noWriting,
  EPERM: noWriting,
  EROFS: ['the file system is read-only', 'Choose another folder.'],
  ENOTDIR: noFolder,
  EEXIST: noFolder,
  ENOENT: [
    'a folder on the way to it is a link to nothing, was removed meanwhile, or takes no folders',
    'Choose another folder.',
  ],
  ENOSPC: ['the disk is full', 'Make room.'],
  ENAMETOOLONG: ['the name is too long for the file system', 'Shorten it.'],
}

export function refused(folder: string, code: string, left: string | undefined): Diagnostic {
  const [what, hint] = sentences[code] ?? [`the system refused (${code})`, 'Look at the path from a terminal.']
  const obstacle = dirname(missingFolders(folder)[0] ?? folder)
  const because =
    what === noFolder[0] && statOf(obstacle)?.isDirectory() === false ? `${obstacle} is not a folder` : what
  const remains = left === undefined ? '' : ` What was begun is left in ${left}.`
  return {
    severity: 'error',
    type: 'io',
    code: 'not-written',
    path: folder,
    message: `${folder} could not be made: ${because}.${remains}`,
    hint,
  }
}
