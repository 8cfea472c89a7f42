import * as z from 'zod/mini'

const text = z.string()
const skill = { name: text, source: text, path: z.optional(text) }
const rules = z.exactOptional(z.array(text))
const permissions = z.object({
  alwaysAllowRules: z.exactOptional(z.object({ command: rules })),
  disallowedTools: rules,
  onlyTools: rules,
})
const options = z.object({ mainLoopModel: z.exactOptional(text), maxThinkingTokens: z.exactOptional(z.number()) })
const context = z.object({
  toolPermissionContext: z.exactOptional(permissions),
  options: z.exactOptional(options),
  effortValue: z.exactOptional(z.union([text, z.number()])),
})

/** Parts of a session's value. Each part is read separately, so that a broken part does not affect the others. */
export const parts = {
  effort: z.optional(z.union([z.literal(['low', 'medium', 'high', 'xhigh', 'max']), z.number()])),
  skills: z.array(
    z.object({
      name: text,
      path: z.optional(text),
      args: z.optional(text),
      content: text,
      restore: z.optional(z.boolean()),
      digest: z.optional(text),
    }),
  ),
  hooks: z.object({ skills: z.array(z.object({ ...skill, digest: text })), done: z.array(text) }),
  sent: z.array(text),
  lasting: z.object({ context, by: z.array(z.object(skill)) }),
  forks: z.array(text),
}

/**
 * JSON Schema of a session's value. This file is imported only when it is used, because the library takes tens of
 * milliseconds to load.
 */
export const schema: Readonly<Record<string, unknown>> = {
  ...z.toJSONSchema(z.object({ version: z.literal(1), id: text, ...parts })),
}
