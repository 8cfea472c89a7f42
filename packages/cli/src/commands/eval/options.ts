import { resolve } from 'node:path'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { printableLine } from '../../output/printable.js'
import { UsageError } from '../../arguments/usage-error.js'
import type { EvalModel } from '@skills/evals'
import type { Price } from '@skills/evals/internal'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'
import type { Io } from '../../io.js'

/** Options of an evaluation with a model. */
export interface EvalOptions {
  /** Name of the model as typed; recordings are stored under it. */
  readonly model: string
  readonly mode: 'record' | 'replay'
  readonly level: 'trigger' | 'outcome' | undefined
  readonly trials: number | undefined
  readonly concurrency: number | undefined
  /** Folder, absolute. */
  readonly recordings: string
  readonly price: Price | undefined
  readonly maxCost: number | undefined
  readonly threshold: number | undefined
}

/**
 * Reads the options of an evaluation with a model.
 * @throws UsageError
 */
export function evalOptionsOf(invocation: InvocationOf<typeof command>, { cwd, env }: Io): EvalOptions {
  const { has, text } = invocation
  const level = text('--level')
  if (level !== undefined && level !== 'trigger' && level !== 'outcome')
    throw new UsageError(`The option --level needs trigger or outcome, but was given "${printableLine(level)}".`)
  if (has('--record') && has('--replay')) throw new UsageError('Give --record or --replay, not both.')
  const price = priceOf(text('--price'))
  const maxCost = numberOf(invocation, '--max-cost', /^\d+(\.\d+)?$/, 'dollars, such as 2.50')
  if (maxCost !== undefined && price === undefined)
    throw new UsageError('The option --max-cost needs the price of the model: --price 3,15.')
  const count = 'a whole number from 1 to 9999'
  return {
    model: text('--model') ?? '',
    mode: has('--replay') || (!has('--record') && isSet(env['CI'])) ? 'replay' : 'record',
    level,
    trials: numberOf(invocation, '--trials', /^[1-9]\d{0,3}$/, count),
    concurrency: numberOf(invocation, '--concurrency', /^[1-9]\d{0,3}$/, count),
    recordings: resolve(cwd, text('--recordings') ?? resolve(cwd, invocation.cwd ?? '', 'evals/recordings')),
    price,
    maxCost,
    threshold: numberOf(invocation, '--threshold', /^(0?\.\d+|0|1|1\.0)$/, 'a share from 0 to 1, such as 0.8'),
  }
}

/**
 * Returns the model that `--model` names: `anthropic/NAME`, `openai/NAME`, or any NAME at the address of `--base-url`.
 * @throws UsageError for an unknown provider or a missing key
 */
export function modelOf(invocation: InvocationOf<typeof command>, { env }: Io): EvalModel {
  const given = invocation.text('--model') ?? ''
  const baseURL = invocation.text('--base-url')
  if (baseURL !== undefined) {
    if (!/^https?:\/\//i.test(baseURL) || !URL.canParse(baseURL))
      throw new UsageError(`The option --base-url needs an http address, but was given "${printableLine(baseURL)}".`)
    const apiKey = env['SKILLS_MODEL_KEY']
    return createOpenAICompatible({ name: 'custom', baseURL, ...(apiKey !== undefined && { apiKey }) })(given)
  }
  const [, provider = '', name = ''] = /^([^/]+)\/(.+)$/.exec(given) ?? []
  const key = (variable: string): string => {
    const apiKey = env[variable]
    if (apiKey === undefined || apiKey === '')
      throw new UsageError(
        `The model ${printableLine(given)} needs a key in the environment variable ${variable}. To use only recordings, give --replay.`,
      )
    return apiKey
  }
  if (provider === 'anthropic') return createAnthropic({ apiKey: key('ANTHROPIC_API_KEY') })(name)
  if (provider === 'openai')
    return createOpenAICompatible({
      name: 'openai',
      baseURL: 'https://api.openai.com/v1',
      apiKey: key('OPENAI_API_KEY'),
    })(name)
  throw new UsageError(
    `The option --model needs anthropic/NAME or openai/NAME, or --base-url beside it, but was given "${printableLine(given)}".`,
  )
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value)
}

function numberOf(
  invocation: InvocationOf<typeof command>,
  flag: '--max-cost' | '--trials' | '--concurrency' | '--threshold',
  form: RegExp,
  what: string,
): number | undefined {
  const given = invocation.text(flag)
  if (given === undefined || form.test(given)) return given === undefined ? undefined : Number(given)
  throw new UsageError(`The option ${flag} needs ${what}, but was given "${printableLine(given)}".`)
}

function priceOf(given: string | undefined): Price | undefined {
  if (given === undefined) return undefined
  const [, input, output] = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(given) ?? []
  if (input !== undefined && output !== undefined) return { input: Number(input), output: Number(output) }
  throw new UsageError(
    `The option --price needs the dollars for a million input tokens and for a million output tokens, such as 3,15, but was given "${printableLine(given)}".`,
  )
}
