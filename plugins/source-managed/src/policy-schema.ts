import * as z from 'zod/mini'
import { isJsonObject, parseJson } from '@skills/files/internal'
import { KeyLines } from '@skills/files'

const names = z.array(z.string('must be a name'), 'must be a list of names')

// Loose: what else the file says is for other programs, and an unknown key of ours is a warning.
const section = z.looseObject(
  {
    disabledSources: z.optional(names),
    allowedSources: z.optional(names),
    disabledSkills: z.optional(names),
    disableShell: z.optional(z.boolean('must be true or false')),
  },
  'must be an object',
)

/** What Claude Code reads in the same file, as far as it is about skills. */
const schema = z.looseObject(
  {
    skills: z.optional(section),
    disableSkillShellExecution: z.optional(z.boolean('must be true or false')),
    strictPluginOnlyCustomization: z.optional(z.union([z.boolean(), names], 'must be true, false or a list of names')),
  },
  'must be an object',
)

/** Sources of skills that stay where plugins alone may bring any: those of an administrator, and of the program. */
const besidesOwn = ['managed', 'plugin', 'bundled', 'builtin']

export type PolicySection = z.infer<typeof section>

export const policyKeys: readonly string[] = Object.keys(section.shape)

/** What is wrong with a policy, and at which key. */
export interface PolicyFault {
  readonly message: string
  readonly keys: readonly PropertyKey[]
}

/**
 * The part of the file that is ours, undefined without one; or what is wrong with it. Throws a SyntaxError for what is
 * no JSON, or is nested more than 100 levels deep.
 */
export function parsePolicy(text: string): { readonly section: PolicySection | undefined } | PolicyFault {
  const data: unknown = parseJson(text)
  const repeated = repeatedKey(text, data)
  // What stands first would be gone without a word, and with it a restriction.
  if (repeated !== undefined)
    return { keys: repeated, message: 'stands there twice, and only the later one would count' }
  const result = schema.safeParse(data)
  if (result.success) return { section: joined(result.data) }
  const [issue] = result.error.issues
  return { message: issue?.message ?? 'is not valid', keys: issue?.path ?? [] }
}

/** Both sections as one: what either of them forbids is forbidden. */
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

/** A key that a policy has twice: one that is looked at, or one in `skills`. */
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
