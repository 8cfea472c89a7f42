import * as z from 'zod/mini'
import { isJsonObject, parseJson } from '@skills/files/internal'
import { KeyLines } from '@skills/files'

const names = z.array(z.string('must be a name'), 'must be a list of names')

// Loose, because other keys of the file are for other programs, and an unknown key of ours is a warning.
const section = z.looseObject(
  {
    disabledSources: z.optional(names),
    allowedSources: z.optional(names),
    disabledSkills: z.optional(names),
    disableShell: z.optional(z.boolean('must be true or false')),
  },
  'must be an object',
)

/** Keys of Claude Code in the same file that concern skills. */
const schema = z.looseObject(
  {
    skills: z.optional(section),
    disableSkillShellExecution: z.optional(z.boolean('must be true or false')),
    strictPluginOnlyCustomization: z.optional(z.union([z.boolean(), names], 'must be true, false or a list of names')),
  },
  'must be an object',
)

/** Sources that stay enabled if only plugins may add skills: those of an administrator and of the program. */
const besidesOwn = ['managed', 'plugin', 'bundled', 'builtin']

export type PolicySection = z.infer<typeof section>

export const policyKeys: readonly string[] = Object.keys(section.shape)

/** Problem of a policy, and the key that has it. */
export interface PolicyFault {
  readonly message: string
  readonly keys: readonly PropertyKey[]
}

/**
 * Parses the part of the file that is for this program. Returns the part, undefined if the file has no such part, or
 * the problem. Throws a SyntaxError if the text is not JSON, or is nested more than 100 levels deep.
 */
export function parsePolicy(text: string): { readonly section: PolicySection | undefined } | PolicyFault {
  const data: unknown = parseJson(text)
  const repeated = repeatedKey(text, data)
  // The first of two equal keys would be lost silently, and its restriction with it.
  if (repeated !== undefined)
    return { keys: repeated, message: 'is written twice, and only the second value would be used' }
  const result = schema.safeParse(data)
  if (result.success) return { section: joined(result.data) }
  const [issue] = result.error.issues
  return { message: issue?.message ?? 'is not valid', keys: issue?.path ?? [] }
}

/** Combines both sections. A restriction of either applies. */
function joined({
  skills,
  disableSkillShellExecution: noShell = false,
  strictPluginOnlyCustomization: strict = false,
}: z.infer<typeof schema>): PolicySection | undefined {
  const isStrict = strict === true || (Array.isArray(strict) && strict.includes('skills'))
  if (!noShell && !isStrict) return skills
  const { allowedSources = besidesOwn } = skills ?? {}
  return {
    ...skills,
    ...(noShell && { disableShell: true }),
    ...(isStrict && { allowedSources: allowedSources.filter(source => besidesOwn.includes(source)) }),
  }
}

/** Returns a relevant key that occurs twice, at the top or in `skills`. */
function repeatedKey(text: string, data: unknown): readonly string[] | undefined {
  const given = isJsonObject(data) ? data['skills'] : undefined
  const lines = new KeyLines(text)
  return [
    ['skills'],
    ['disableSkillShellExecution'],
    ['strictPluginOnlyCustomization'],
    ...Object.keys(isJsonObject(given) ? given : {}).map(key => ['skills', key]),
  ].find(keys => lines.isRepeated(keys))
}
