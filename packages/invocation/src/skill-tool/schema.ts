import * as z from 'zod/mini'

export type JsonSchema = Readonly<Record<string, unknown>>

export interface ParameterOptions {
  /** What the parameter for the skill's name is called. */
  readonly nameParameter: string
  /** Whether there is a parameter `args`. */
  readonly takesArgs: boolean
}

export interface ToolSchemas {
  readonly input: JsonSchema
  readonly output: JsonSchema
  /** What a model wrote, or one sentence on what is wrong with it. */
  parse(input: unknown): { readonly name: string; readonly args: string } | { readonly message: string }
}

// Loose: an executor may tell more than the model is told.
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
 * Input and output as JSON Schema, and the check that goes with it. Its file is imported on use: the library takes tens
 * of milliseconds to load.
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
