import type { JsonSchema } from '@skills/core/json-schema'
import * as z from 'zod/mini'

export interface ParameterOptions {
  /** Name of the parameter for the skill's name. */
  readonly nameParameter: string
  /** True if there is a parameter `args`. */
  readonly takesArgs: boolean
}

export interface ToolSchemas {
  readonly input: JsonSchema
  readonly output: JsonSchema
  /** Reads the input of a model, or returns one sentence that says what is wrong with it. */
  parse(input: unknown): { readonly name: string; readonly args: string } | { readonly message: string }
}

// Loose, since an executor may return more than the schema names.
const output = z.union([
  z.looseObject({
    success: z.boolean(),
    commandName: z.string(),
    status: z.literal('inline'),
    allowedTools: z.optional(z.array(z.string())),
    model: z.optional(z.string()),
  }),
  z.looseObject({
    success: z.boolean(),
    commandName: z.string(),
    status: z.literal('forked'),
    agentId: z.string(),
    result: z.optional(z.string()),
  }),
])

/**
 * Makes the JSON Schema of input and output, and the parser of the input. This file is imported only when it is used,
 * because the library takes tens of milliseconds to load.
 */
export function toolSchemas({ nameParameter, takesArgs }: ParameterOptions): ToolSchemas {
  const name = z.string(`${nameParameter} must be text`).check(z.describe('The name of the skill, as it is listed.'))
  const args = z.string('args must be text').check(z.describe('What to tell the skill, if it takes arguments.'))
  const input = z.object(
    { [nameParameter]: name, ...(takesArgs && { args: z.optional(args) }) },
    'the input must be an object',
  )
  return {
    input: { ...z.toJSONSchema(input, { io: 'input' }) },
    output: { ...z.toJSONSchema(output) },
    parse(given) {
      const result = input.safeParse(given)
      if (!result.success) return { message: result.error.issues[0]?.message ?? 'the input is not valid' }
      const data = new Map<string, unknown>(Object.entries(result.data))
      const textOf = (parameter: string): string => {
        const value = data.get(parameter)
        return typeof value === 'string' ? value : ''
      }
      return { name: textOf(nameParameter), args: takesArgs ? textOf('args') : '' }
    },
  }
}
