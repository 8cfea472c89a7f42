import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { systemCode } from '@skills/files/internal'
import { abortError, messageOf, SkillsError, type Clock } from '@skills/core'
import { withLock, type Hold } from '@skills/state'
import type { LockOptions } from '@skills/state/internal'
import { namedRoot, Root } from '@skills/state/writer'
import { changedSettings } from './settings-text.js'
import { readSettings, type Change } from './settings.js'
import type { SettingsFile } from './settings-files.js'

export interface SaveOptions {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** For tests: called when the new text is written and not yet in place. */
  readonly beforeReplacing?: (() => void) | undefined
}

/** Milliseconds to wait for another process that saves rules to the file. */
const lockMs = 5000
/** Most attempts to replace a file that others write at the same time. */
const mostAttempts = 20
/** Byte order mark. */
const mark = '\uFEFF'

/**
 * Applies changes to the present content of a settings file.
 * @throws SkillsError `E_STATE` if it fails, and the file is unchanged; `E_WRITE` if the path leads through a link of
 * the project
 */
export async function saveRules(
  { path, isProject = false }: Pick<SettingsFile, 'path' | 'isProject'>,
  changes: readonly Change[],
  { clock, signal = new AbortController().signal, beforeReplacing }: SaveOptions,
): Promise<void> {
  // A link in a project is replaced by the project's file; a link of the user's own is kept.
  const target = isProject ? path : realTarget(path)
  const folder = dirname(target)
  const root = isProject ? namedRoot(folder, dirname(folder)) : new Root(folder, { kind: 'person' })
  try {
    root.makeFolder('', 0o700)
  } catch (error) {
    throw SkillsError.is(error) ? error : unwritable(path, error)
  }
  await locked(target, path, { clock, limitMs: lockMs, signal, root }, hold => {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      if (signal.aborted) throw abortError(signal)
      const before = bytesOf(target, path)
      // If the text differs from `before`, the file was changed and is not replaced.
      const text = changedSettings(readSettings(target), changes, path)
      if (text === undefined || replace(root, target, { path, before, text, hold, beforeReplacing })) return
    }
    throw new SkillsError(
      'E_STATE',
      `The settings file ${path} was not written: another program changed it at each attempt.`,
      { hint: 'Save again when no other program writes the file.' },
    )
  })
}

/** Runs `work` under the lock of the file, so that no other process saves meanwhile. Throws the errors of `work`. */
async function locked(target: string, path: string, options: LockOptions, work: (hold: Hold) => void): Promise<void> {
  let isTaken = false
  try {
    await withLock(`${target}.lock`, options, hold => {
      isTaken = true
      work(hold)
    })
  } catch (error) {
    throw isTaken || !SkillsError.is(error) ? error : unlockable(path, error)
  }
}

interface Replacement extends Pick<SaveOptions, 'beforeReplacing'> {
  readonly path: string
  readonly before: Buffer | undefined
  readonly text: string
  readonly hold: Hold
}

/** Writes beside the file and renames into its place. Returns false if another program changed the file meanwhile. */
function replace(
  root: Root,
  target: string,
  { path, before, text, hold: { isHeld }, beforeReplacing }: Replacement,
): boolean {
  try {
    root.write(basename(target), hasMark(before) ? mark + text : text, {
      replaces: { bytes: before },
      ...(before === undefined && { mode: 0o600 }),
      ready() {
        beforeReplacing?.()
        if (!isHeld())
          throw new SkillsError(
            'E_STATE',
            `The settings file ${path} was not written: another process took over its lock while this process was paused.`,
            { hint: 'Save again.' },
          )
      },
    })
    return true
  } catch (error) {
    if (!isSame(before, bytesOf(target, path))) return false
    throw SkillsError.is(error) ? error : unwritable(path, error)
  }
}

/** Returns the target of a link, so that the link is kept. */
function realTarget(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return path
    throw unwritable(path, error)
  }
}

function bytesOf(target: string, path: string): Buffer | undefined {
  try {
    if (!statSync(target).isFile())
      throw new SkillsError('E_STATE', `The settings file ${path} is not a regular file.`, {
        hint: 'Put a file in its place.',
      })
    return readFileSync(target)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw SkillsError.is(error)
      ? error
      : new SkillsError('E_STATE', `The settings file ${path} cannot be read: ${messageOf(error)}.`, {
          hint: 'Change the permissions of the file, or of a folder above it.',
          cause: error,
        })
  }
}

function hasMark(bytes: Buffer | undefined): boolean {
  return bytes?.subarray(0, 3).equals(Buffer.from(mark)) === true
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other)
}

const meanwhile = 'until then the rules apply only to this session.'

function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')
}

function unwritable(path: string, error: unknown): SkillsError {
  const denied = isDenied(error)
  return new SkillsError(
    'E_STATE',
    `The settings file ${path} cannot be written${denied ? ': the file or its folder is read-only' : `: ${messageOf(error)}`}.`,
    {
      hint: denied
        ? `Change the permissions, and save again; ${meanwhile}`
        : 'Check the path in a terminal, and save again.',
      cause: error,
    },
  )
}

/** @param error error of locking: its cause is the system's refusal; absent if another process has the lock */
function unlockable(path: string, error: SkillsError): SkillsError {
  const { cause, message } = error
  if (isDenied(cause)) {
    return new SkillsError('E_STATE', `The settings file ${path} cannot be written: its folder is read-only.`, {
      hint: `Change the permissions of the folder, and save again; ${meanwhile}`,
      cause: error,
    })
  }
  const what =
    cause === undefined
      ? `Another process has been writing ${path} for too long`
      : `The settings file ${path} cannot be written`
  return new SkillsError('E_STATE', `${what}: ${message}`, { hint: `Save again later; ${meanwhile}`, cause: error })
}
