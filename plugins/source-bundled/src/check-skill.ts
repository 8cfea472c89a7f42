import { isAbsolute } from 'node:path'
import { wrongField } from './field-table.js'
import { wrongPath } from './file-paths.js'
import type { OwnField } from '@skills/core/fields'

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

/** Returns the problem of a registration, as the end of a sentence about the skill. Undefined if it is valid. */
export function wrongSkill(skill: unknown, known: readonly OwnField[]): string | undefined {
  if (typeof skill !== 'object' || skill === null) return 'is no object'
  const name = nameOf(skill)
  if (name === undefined || name === '') return 'has no name'
  if (!plainName.test(name)) return 'has a name with characters other than letters, digits, "-", "_", ":" and "."'
  const [body, getPrompt, files, isEnabled] = ['body', 'getPrompt', 'files', 'isEnabled'].map((field): unknown =>
    Reflect.get(skill, field),
  )
  if (isEnabled !== undefined && typeof isEnabled !== 'function') return 'has an isEnabled that is no function'
  if (body !== undefined && getPrompt !== undefined) return 'has both a body and a getPrompt'
  if (typeof body !== 'string' && typeof getPrompt !== 'function')
    return 'has neither a body that is a text nor a getPrompt that is a function'
  return wrongField(skill, known) ?? (files === undefined ? undefined : wrongFiles(files))
}

/** Returns the problem of a registration's files, in the same form. */
export function wrongFiles(files: unknown): string | undefined {
  if (typeof files === 'string')
    return isAbsolute(files) ? undefined : `has files in the folder ${JSON.stringify(files)}, which is not absolute`
  if (typeof files !== 'object' || files === null || Array.isArray(files))
    return 'has files that are neither texts and bytes by path nor a folder'
  const problem = wrongPath(Object.keys(files))
  if (problem !== undefined) return problem
  const odd = Object.entries(files).find(
    ([, content]) => typeof content !== 'string' && !(content instanceof Uint8Array),
  )
  return odd === undefined ? undefined : `has a file ${JSON.stringify(odd[0])} that is neither text nor bytes`
}
