import * as s from '@skills/core/schema'
import { readdirSync, readlinkSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { abortError, isAbortError, SkillsError, type Diagnostic } from '@skills/core'
import { lstatOf, systemCode, unlessRefused } from '@skills/files/internal'
import { systemRefusal } from '@skills/state'
import { temporaryName } from '@skills/state/internal'
import { namedRoot, Root } from '@skills/state/writer'
import type { Scaffold } from './scaffold.js'

const begun = '.new-skill.'

export type Written =
  /** Absolute paths with forward slashes. */
  { readonly files: readonly string[] } | { readonly problem: Diagnostic }

const writeScaffoldOptions = s.options('writeScaffold()', {
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
  /**
   * Working folder, absolute. In it, and in any repository, links on the way to the new folder are not followed.
   * Default: the folder is the user's own, and links on the way to it are followed.
   */
  cwd: s.text(),
})

export interface WriteScaffoldOptions extends s.OptionsOf<typeof writeScaffoldOptions> {}

/**
 * Writes a scaffold into a new folder, and makes missing folders above it. Everything is written into a hidden folder
 * beside the place and renamed, so the folder appears as a whole and a failure leaves nothing. If the folder cannot be
 * written, returns a diagnostic: `already-there` or `not-written`. See docs/reference/new-skills.md.
 * @throws AbortError if the signal aborts; nothing is left then either
 */
export async function writeScaffold(scaffold: Scaffold, given?: WriteScaffoldOptions): Promise<Written> {
  const { folder, files } = scaffold
  const { signal, cwd } = writeScaffoldOptions.read(given)
  const parent = dirname(folder)
  const there = whatIsAt(folder)
  if (there !== undefined) return { problem: taken(folder, there) }
  // Without the folder's name, which may be as long as a file system allows.
  const temporary = temporaryName(begun)
  let made: readonly string[] = []
  const root = cwd === undefined ? new Root(parent, { kind: 'person' }) : namedRoot(parent, cwd)
  try {
    made = root.makeFolder('')
    root.removeAbandoned('', begun)
    for (const { path, text } of files) {
      stopIfAborted(signal)
      root.create(`${temporary}/${path}`, text)
    }
    stopIfAborted(signal)
    if (root.move(temporary, basename(folder))) return { files: files.map(({ path }) => `${folder}/${path}`) }
    throw Object.assign(new Error('It is there.'), { code: 'EEXIST' })
  } catch (error) {
    const left = takeBack(root, temporary, made)
    if (isAbortError(error)) throw error
    // Another process may have written it first.
    const thereNow = whatIsAt(folder)
    return { problem: thereNow === undefined ? refused(folder, error, left) : taken(folder, thereNow) }
  }
}

export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal)
}

/**
 * Returns a description of the entry at a path that completes a sentence. Returns undefined if there is none, or if a
 * folder on the way must not be entered.
 */
function whatIsAt(path: string): string | undefined {
  const stats = lstatOf(path)
  if (stats === undefined) return undefined
  return unlessRefused(() => {
    if (stats.isSymbolicLink()) return `a link to ${readlinkSync(path)}`
    if (!stats.isDirectory()) return stats.isFile() ? 'a file' : 'something that is not a folder'
    const names = readdirSync(path)
    if (names.includes('SKILL.md')) return 'a skill'
    if (names.includes('.claude-plugin')) return 'a plugin'
    return names.length === 0
      ? 'an empty folder'
      : `a folder with ${names.length} ${names.length === 1 ? 'entry' : 'entries'} in it`
  }, 'a folder that cannot be listed')
}

function taken(folder: string, there: string): Diagnostic {
  return {
    severity: 'error',
    type: 'io',
    code: 'already-there',
    path: folder,
    message: `There is ${there} at ${folder} already, and nothing is overwritten.`,
    hint: 'Choose another name or folder, or remove the existing one first.',
  }
}

/**
 * Removes the unfinished folder, and the folders above that were made for it unless they have other files by now.
 * Returns the path of anything that could not be removed.
 * @param made outermost first
 */
function takeBack(root: Root, temporary: string, made: readonly string[]): string | undefined {
  try {
    root.remove(temporary)
    const [outermost] = made
    if (outermost === undefined) return undefined
    const above = dirname(outermost)
    const own = new Root(above, { kind: 'person' })
    for (const folder of made.toReversed()) own.removeEmpty(folder.slice(above.length + 1))
    return undefined
  } catch (error) {
    // If the writer refused, nothing was started.
    if (SkillsError.is(error)) return undefined
    const code = systemCode(error)
    if (code === undefined) throw error
    return code === 'ENOTDIR' || code === 'ENOENT' ? undefined : `${root.path}/${temporary}`
  }
}

/** Converts an error of the system, or a refusal of the writer, to a diagnostic. Throws any other error. */
export function refused(folder: string, error: unknown, left: string | undefined): Diagnostic {
  const problem = { severity: 'error', type: 'io', code: 'not-written', path: folder } as const
  const known = systemRefusal(`${folder} could not be made`, error)
  if (!SkillsError.is(known) || (known.code !== 'E_STATE' && known.code !== 'E_WRITE')) throw error
  const { message, hint = '' } = known
  const remains = left === undefined ? '' : ` The unfinished files are in ${left}.`
  return { ...problem, message: `${message.slice(0, -hint.length - 1)}${remains}`, hint }
}
