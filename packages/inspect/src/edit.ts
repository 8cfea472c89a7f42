import * as s from '@skills/core/schema'
import { createHash } from 'node:crypto'
import { isInside } from '@skills/files/internal'
import { readWholeFile, readWholeFileSync } from '@skills/files'
import { readFields } from '@skills/skill-md'
import { textCheckOptions, checkBytes, checkFile, type CheckOptions } from './check-file.js'
import { repairedText } from './repair-file.js'
import { replaceFile } from './replace-file.js'
import { makePrivateFolder, stateFolderOf, withLock } from '@skills/state'
import type { Diagnostic, FileIdentity, Host } from '@skills/core'

/** Skill file in one state, for an editor. */
export interface EditableFile {
  readonly path: string
  readonly text: string
  /** Digest of the bytes. Saving names the version that the text was made from. */
  readonly version: string
  readonly identity: FileIdentity
}

/** Result of checking a text as if it were the file. */
export interface CheckedText {
  /** Diagnostics as from `skills lint`. */
  readonly diagnostics: readonly Diagnostic[]
  /** Fields for the listing; undefined if the text would not load. */
  readonly fields?: Pick<
    ReturnType<typeof readFields>['fields'],
    'description' | 'whenToUse' | 'disableModelInvocation'
  >
}

/**
 * Reads a skill file for an editor. Returns a diagnostic for a path that cannot be edited: it is not a file, it lies
 * outside the roots, or it is not UTF-8 text, which could not be written back unchanged.
 * @param roots absolute folders; the file's real path must lie in one of them
 */
export async function openToEdit(path: string, roots: readonly string[]): Promise<EditableFile | Diagnostic> {
  const refuse = (message: string): Diagnostic => ({ severity: 'error', type: 'io', code: 'not-edited', path, message })
  const file = await readWholeFile(path, { within: [...roots] })
  if (file === undefined) return refuse(`${path} does not exist.`)
  if ('problem' in file) return file.problem
  const { bytes, identity } = file
  if (!roots.some(root => isInside(identity.realPath, root)))
    return refuse(`${path} leads out of the folders of skills.`)
  const text = bytes.toString('utf8')
  if (Buffer.compare(Buffer.from(text), bytes) !== 0)
    return refuse(`${path} is not in UTF-8. Edit the file with another program.`)
  return { path, text, version: versionOf(bytes), identity }
}

/** Checks a text as if it were at `path`, without touching the file. */
export async function checkText(path: string, text: string, given?: CheckOptions): Promise<CheckedText> {
  const options = textCheckOptions.read(given)
  const { diagnostics, parsed } = await checkBytes(path, Buffer.from(text), options)
  return { diagnostics, ...(parsed !== undefined && { fields: readFields(parsed.data, options.fields).fields }) }
}

/**
 * Returns the file's text before and after the repair that `skills lint --fix` would write. Undefined if the file needs
 * no repair.
 */
export async function repairOf(
  path: string,
  given?: CheckOptions,
): Promise<{ readonly before: string; readonly after: string } | undefined> {
  const options = textCheckOptions.read(given, 'repairOf()')
  const checked = await checkFile(path, options)
  const repaired = await repairedText(path, checked, options)
  if (checked.content === undefined || repaired === undefined || !('text' in repaired)) return undefined
  return { before: checked.content.text, after: repaired.text }
}

const saveOptions = s.options('saveText()', {
  /** Version from {@link openToEdit}, from which the text was made. */
  version: s.text().required(),
  /** Absolute folders; the file's real path must lie in one of them. */
  roots: s.list(s.text()).required(),
  /** Host whose state has the lock that allows one save of a file at a time. */
  host: s.typed<Pick<Host, 'env' | 'home' | 'platform' | 'clock'>>('an object').required(),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

export interface SaveOptions extends s.OptionsOf<typeof saveOptions> {}

/** Milliseconds to wait for another process that saves the same file. */
const lockMs = 5000

/**
 * Replaces a file's text in one step, unless the file has changed since `version`. Only one process saves a file at a
 * time. If two callers save from the same version, the second save is refused. Returns the new version, or the reason
 * why nothing was written.
 * @throws SkillsError `E_STATE` if the lock cannot be taken; AbortError
 */
export async function saveText(
  path: string,
  text: string,
  given: SaveOptions,
): Promise<{ readonly version: string } | { readonly problem: Diagnostic }> {
  const { version, roots, host, signal = new AbortController().signal } = saveOptions.read(given)
  const opened = await openToEdit(path, roots)
  if (!('version' in opened)) return { problem: opened }
  const { realPath } = opened.identity
  const folder = `${stateFolderOf(host)}/saves`
  makePrivateFolder(folder, process.geteuid?.())
  const name = createHash('sha256').update(realPath).digest('hex').slice(0, 32)
  return withLock(`${folder}/${name}.lock`, { clock: host.clock, limitMs: lockMs, signal }, () => {
    const now = readWholeFileSync(realPath, { within: [...roots] })
    if (now === undefined || 'problem' in now || versionOf(now.bytes) !== version)
      return {
        problem: {
          severity: 'error',
          type: 'io',
          code: 'not-saved',
          path,
          message: `${path} was changed by another program, so it was not saved.`,
          hint: 'Copy your text, open the file again, and paste the text.',
        },
      }
    const bytes = Buffer.from(text)
    const problem = replaceFile(now.identity, bytes, { what: 'change', code: 'not-saved' })
    return problem === undefined ? { version: versionOf(bytes) } : { problem: { ...problem, path } }
  })
}

const versionOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
