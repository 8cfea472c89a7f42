import { createContext, Script, type Context } from 'node:vm'
import { messageOf } from '@skills/core'

let machine: { readonly context: Context; readonly script: Script } | undefined

/**
 * Whether a regular expression is found in a text; why that cannot be told, a clause, when it takes too long or fails.
 * A regular expression may backtrack for years. Only where code runs under a time limit can it be
 * stopped on its own thread, and another thread would be waited for all the same.
 */
export function timedTest(source: string, text: string, limitMs: number): boolean | string {
  machine ??= { context: createContext(Object.create(null)), script: new Script('new RegExp(source).test(text)') }
  const { context, script } = machine
  context['source'] = source
  context['text'] = text
  try {
    return script.runInContext(context, { timeout: limitMs }) === true
  } catch (error) {
    // What another context throws is no Error of this one.
    const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
    return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? `took longer than ${limitMs} ms` : `failed: ${messageOf(error)}`
  }
}
