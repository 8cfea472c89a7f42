import { createHash } from 'node:crypto'
import { askingValues } from '@skills/core/fields'
import type { PromptCommand } from '@skills/core'

/** Parts of a skill in the state that a person agreed to, so that later changes can be named. */
export interface SkillRecord {
  /** Fields that need permission, by name. Long values are kept as digests. */
  readonly fields: Readonly<Record<string, string>>
  /** Digests of files by path in the skill. Absent for a skill of very many files. */
  readonly files?: Readonly<Record<string, string>> | undefined
}

/** Most files of a skill that are recorded separately. */
const mostFiles = 200
/** Longest value of a field, in UTF-16 code units, that is recorded as it is. */
const longest = 200

/**
 * Makes the record of a skill from its fields and files.
 * @param files digests by path in the skill
 */
export function skillRecord(command: PromptCommand, files: ReadonlyMap<string, string>): SkillRecord {
  const fields = askingValues(command).flatMap(({ name, value }) => {
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return []
    const text = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value)
    return [[name, text.length <= longest ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`]]
  })
  return {
    fields: Object.fromEntries(fields) as Record<string, string>,
    ...(files.size <= mostFiles && { files: Object.fromEntries(files) }),
  }
}

/** Reads a record from the state; undefined if it is not valid. */
export function skillRecordIn(value: unknown): SkillRecord | undefined {
  const texts = (given: unknown): Readonly<Record<string, string>> | undefined =>
    typeof given === 'object' && given !== null && Object.values(given).every(one => typeof one === 'string')
      ? (given as Record<string, string>)
      : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const fields = texts(Reflect.get(value, 'fields'))
  const files = texts(Reflect.get(value, 'files'))
  return fields === undefined ? undefined : { fields, ...(files && { files }) }
}

/** Most changes that a sentence names. The others are counted. */
const mostNamed = 5

/** Returns one clause for each change: first changed fields that need permission, then changed files. */
export function skillChanges(before: SkillRecord, now: SkillRecord): readonly string[] {
  const fields = differences(before.fields, now.fields).map(([name, was, is]) => {
    if (is === undefined) return `${name} is gone`
    return is.startsWith('sha256:')
      ? `${name} changed`
      : was === undefined || was.startsWith('sha256:')
        ? `${name} is now ${is}`
        : `${name} was ${was} and is ${is}`
  })
  const files =
    before.files === undefined || now.files === undefined
      ? []
      : differences(before.files, now.files).map(
          ([path, was, is]) => `${path} ${is === undefined ? 'is gone' : was === undefined ? 'is new' : 'changed'}`,
        )
  const all = [...fields, ...files]
  return all.length <= mostNamed ? all : [...all.slice(0, mostNamed), `${all.length - mostNamed} more`]
}

function differences(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly (readonly [string, string | undefined, string | undefined])[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return keys.flatMap(key => {
    const [was, is] = [
      Object.hasOwn(before, key) ? before[key] : undefined,
      Object.hasOwn(now, key) ? now[key] : undefined,
    ]
    return was === is ? [] : [[key, was, is] as const]
  })
}
