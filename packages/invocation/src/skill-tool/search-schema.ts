import * as z from 'zod/mini'
import type { JsonSchema } from '@skills/core/json-schema'

export interface SearchSchemas {
  readonly input: JsonSchema
  readonly output: JsonSchema
  /** Reads the input of a model, or returns one sentence that says what is wrong with it. */
  parse(input: unknown): { readonly query: string; readonly limit: number | undefined } | { readonly message: string }
}

const input = z.object(
  {
    query: z.string('query must be text').check(z.describe('A few words: a name, or what the skill should do.')),
    limit: z.optional(
      z
        .int('limit must be a whole number')
        .check(z.positive('limit must be above 0'), z.describe('How many skills to show at most.')),
    ),
  },
  'the input must be an object',
)

const output = z.object({
  query: z.string(),
  total: z.int(),
  results: z.array(z.object({ name: z.string(), description: z.string(), whenToUse: z.optional(z.string()) })),
  inLargeSources: z.optional(z.int()),
  notSearched: z.optional(z.array(z.string())),
})

/**
 * Makes the JSON Schema of input and output, and the parser of the input. This file is imported only when it is used,
 * because the library takes tens of milliseconds to load.
 */
export function searchSchemas(): SearchSchemas {
  return {
    input: { ...z.toJSONSchema(input, { io: 'input' }) },
    output: { ...z.toJSONSchema(output) },
    parse(given) {
      const result = input.safeParse(given)
      return result.success
        ? { query: result.data.query, limit: result.data.limit }
        : { message: result.error.issues[0]?.message ?? 'the input is not valid' }
    },
  }
}
