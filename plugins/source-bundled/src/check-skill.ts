import { isAbsolute } from 'node:path'
import { wrongField } from './bundled-command.js'
import type { OwnField } from '@skills/core/fields'

/** Names that Windows reserves for devices, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Characters that some file system rejects in a name or gives a meaning: of a drive, a stream, a pattern. */
const special = /[\p{Cc}\p{Cs}\\:<>"|?*]/u

/**
 * Checks that the paths of files are different files on every platform and are all in one folder. Returns the problem
 * as the end of a sentence about the skill, or undefined.
 */
export function wrongPath(paths: readonly string[]): string | undefined {
  const files = new Map<string, string>()
  const folders = new Map<string, string>()
  for (const path of paths) {
    const problem = wrongSegment(path)
    if (problem !== undefined) return `has a file ${JSON.stringify(path)}, whose path ${problem}`
    const twin = addedTo(files, path)
    if (twin !== undefined)
      return `has the files ${JSON.stringify(twin)} and ${JSON.stringify(path)}, which are the same file on a system that ignores case`
    for (const folder of foldersAbove(path)) {
      const other = addedTo(folders, folder)
      if (other !== undefined && other !== folder)
        return `has the folders ${JSON.stringify(other)} and ${JSON.stringify(folder)}, which are the same folder on a system that ignores case`
    }
  }
  for (const path of paths) {
    const file = foldersAbove(path)
      .map(above => files.get(foldedPath(above)))
      .find(found => found !== undefined)
    if (file !== undefined)
      return `has the file ${JSON.stringify(file)}, but ${JSON.stringify(path)} needs a folder of that name`
  }
  return undefined
}

/** Returns the folders above a relative path, the outermost first. */
export function foldersAbove(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

/** Adds a path. Returns an earlier path that some file system treats as equal. */
function addedTo(known: Map<string, string>, path: string): string | undefined {
  const before = known.get(foldedPath(path))
  if (before === undefined) known.set(foldedPath(path), path)
  return before
}

/** Returns the same text for paths that some file system treats as equal. */
function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

function wrongSegment(path: string): string | undefined {
  if (/^(?:[/\\]|[a-z]:)/i.test(path)) return 'is absolute'
  const names = path.split('/')
  if (names.includes('..') || path.split('\\').includes('..')) return "leads out of the skill's folder"
  if (names.some(name => name === '' || name === '.')) return 'has an empty part or "."'
  if (special.test(path)) return 'holds a character that some platforms do not allow'
  if (names.some(name => device.test(name))) return 'has a name that Windows reserves for a device'
  return names.some(name => /[. ]$/.test(name)) ? 'has a part that ends in a dot or a space' : undefined
}

/**
 * Letters, marks and digits of any script, and characters that join them. No such name can be read as a path, as
 * another name or as empty.
 */
const plainName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_:.-]*$/u

/** Returns the name of a skill for messages. */
export function nameOf(skill: unknown): string | undefined {
  const name: unknown = typeof skill === 'object' && skill !== null && 'name' in skill ? skill.name : undefined
  return typeof name === 'string' ? name : undefined
}

/**
 * Returns the problem of a registered skill, as the end of a sentence about the skill. Undefined if the skill is valid.
 */
export function wrongSkill(skill: unknown, known: readonly OwnField[]): string | undefined {
  if (typeof skill !== 'object' || skill === null) return 'is not an object'
  const name = nameOf(skill)
  if (name === undefined || name === '') return 'has no name'
  if (!plainName.test(name)) return 'has a name with characters other than letters, digits, "-", "_", ":" and "."'
  const [body, getPrompt, files, isEnabled] = ['body', 'getPrompt', 'files', 'isEnabled'].map((field): unknown =>
    Reflect.get(skill, field),
  )
  if (isEnabled !== undefined && typeof isEnabled !== 'function') return 'has an isEnabled that is not a function'
  if (body !== undefined && getPrompt !== undefined) return 'has both a body and a getPrompt'
  if (typeof body !== 'string' && typeof getPrompt !== 'function')
    return 'has neither a body that is a text nor a getPrompt that is a function'
  return wrongField(skill, known) ?? (files === undefined ? undefined : wrongFiles(files))
}

/**
 * Returns the problem of a registered skill's files, as the end of a sentence about the skill. Undefined if the files
 * are valid.
 */
export function wrongFiles(files: unknown): string | undefined {
  if (typeof files === 'string')
    return isAbsolute(files) ? undefined : `has files in the folder ${JSON.stringify(files)}, which is not absolute`
  if (typeof files !== 'object' || files === null || Array.isArray(files))
    return 'has files that are neither an object from paths to contents nor the path of a folder'
  const problem = wrongPath(Object.keys(files))
  if (problem !== undefined) return problem
  const odd = Object.entries(files).find(
    ([, content]) => typeof content !== 'string' && !(content instanceof Uint8Array),
  )
  return odd === undefined ? undefined : `has a file ${JSON.stringify(odd[0])} that is neither text nor bytes`
}
