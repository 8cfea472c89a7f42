import { createContext, Script, type Context } from 'node:vm'
import { messageOf } from '@skills/core'

let machine: { readonly context: Context; readonly script: Script } | undefined

/**
 * Searches a text with a regular expression. Returns a clause if the search takes too long or fails. A regular
 * expression may backtrack for years, and only `node:vm` can stop it on the same thread. Another thread would not help,
 * because the caller would have to wait for it.
 */
export function timedTest(source: string, text: string, limitMs: number): boolean | string {
  machine ??= { context: createContext(Object.create(null)), script: new Script('new RegExp(source).test(text)') }
  const { context, script } = machine
  context['source'] = source
  context['text'] = text
  try {
    return script.runInContext(context, { timeout: limitMs }) === true
  } catch (error) {
    // An error of another context is not an instance of this context's Error.
    const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
    return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? `took longer than ${limitMs} ms` : `failed: ${messageOf(error)}`
  }
}
