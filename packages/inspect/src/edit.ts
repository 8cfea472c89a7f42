import { createHash } from 'node:crypto'
import { isInside, readWholeFile, readWholeFileSync } from '@skills/files'
import { readFields } from '@skills/skill-md'
import { checkBytes, checkFile, type CheckOptions } from './check-file.js'
import { repairedText } from './repair-file.js'
import { replaceFile } from './replace-file.js'
import { checkOptions } from '@skills/core'
import { makePrivateFolder, stateFolderOf, withLock } from '@skills/state'
import type { Diagnostic, FileIdentity, Host } from '@skills/core'

/** A skill file as it is at one moment, for an editor. */
export interface EditableFile {
  readonly path: string
  readonly text: string
  /** Digest of its bytes: what is saved says which text it was made from. */
  readonly version: string
  readonly identity: FileIdentity
}

/** What a text would be, were it the file. */
export interface CheckedText {
  /** As `skills lint` has them. */
  readonly diagnostics: readonly Diagnostic[]
  /** What a listing is made of; undefined where it would not load. */
  readonly fields?: Pick<
    ReturnType<typeof readFields>['fields'],
    'description' | 'whenToUse' | 'disableModelInvocation'
  >
}

/**
 * Reads a skill file for an editor. Gives a diagnostic for anything that cannot be edited: what is no file, lies outside
 * of the roots, or is no text of UTF-8, which could not be written back as it was.
 * @param roots absolute: its real path has to lie in one of them
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
  if (Buffer.compare(Buffer.from(text), bytes) !== 0) return refuse(`${path} is not in UTF-8: edit it elsewhere.`)
  return { path, text, version: versionOf(bytes), identity }
}

const checkNames = { standard: 1, fields: 1, bodyChars: 1, signal: 1 } as const

/** What a text would be at `path`, which is not touched. */
export async function checkText(path: string, text: string, options: CheckOptions = {}): Promise<CheckedText> {
  checkOptions<CheckOptions>('checkText()', options, checkNames)
  const { diagnostics, parsed } = await checkBytes(path, Buffer.from(text), options)
  return { diagnostics, ...(parsed !== undefined && { fields: readFields(parsed.data, options.fields).fields }) }
}

/** The text with the repair that `skills lint --fix` would write, with the text before; undefined where there is none. */
export async function repairOf(
  path: string,
  options: CheckOptions = {},
): Promise<{ readonly before: string; readonly after: string } | undefined> {
  checkOptions<CheckOptions>('repairOf()', options, checkNames)
  const checked = await checkFile(path, options)
  const repaired = await repairedText(path, checked, options)
  if (checked.content === undefined || repaired === undefined || !('text' in repaired)) return undefined
  return { before: checked.content.text, after: repaired.text }
}

export interface SaveOptions {
  /** Of {@link openToEdit}, from which the text was made. */
  readonly version: string
  /** Absolute: the file's real path has to lie in one of them. */
  readonly roots: readonly string[]
  /** Whose state has the lock by which one text is saved at a time. */
  readonly host: Pick<Host, 'env' | 'home' | 'platform' | 'clock'>
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds that another process that saves the same file is waited for. */
const lockMs = 5000

/**
 * Writes a text in the place of a file in one step, unless it is another one than it was made from. One process saves a
 * file at a time: of two that were made from one version the second is told. Gives the new version, or what kept it from
 * being written: the file is then as it was.
 * @throws SkillsError `E_STATE` when the lock cannot be had; AbortError
 */
export async function saveText(
  path: string,
  text: string,
  options: SaveOptions,
): Promise<{ readonly version: string } | { readonly problem: Diagnostic }> {
  checkOptions<SaveOptions>('saveText()', options, { version: 1, roots: 1, host: 1, signal: 1 })
  const { version, roots, host, signal = new AbortController().signal } = options
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
          message: `${path} was changed meanwhile, so it was not saved.`,
          hint: 'Copy your text, open the file again, and put it in there.',
        },
      }
    const bytes = Buffer.from(text)
    const problem = replaceFile(now.identity, bytes, { what: 'change', code: 'not-saved' })
    return problem === undefined ? { version: versionOf(bytes) } : { problem: { ...problem, path } }
  })
}

const versionOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
