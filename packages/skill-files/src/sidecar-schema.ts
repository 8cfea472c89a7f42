import * as z from 'zod/mini'

// Loose: the file says much else that is not ours to judge.
const schema = z.nullable(z.looseObject({
  policy: z.optional(z.nullable(z.looseObject({
    allow_implicit_invocation: z.optional(z.nullable(z.union([z.stringbool(), z.boolean()], { error: 'must be true or false' }))),
  }))),
}))

/** Whether the model may invoke the skill by itself. Throws a sentence naming the field that is wrong. */
export function checkSidecar(data: unknown): boolean {
  const result = schema.safeParse(data)
  if (result.success) return result.data?.policy?.allow_implicit_invocation ?? true
  const [issue] = result.error.issues
  throw new TypeError(`${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}`.trim() + '.')
}
