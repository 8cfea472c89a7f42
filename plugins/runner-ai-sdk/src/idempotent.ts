import type { Tool } from 'ai'

/**
 * A tool that says that a call of it may be made twice, such as one that only reads: in a run that another process goes
 * on with, a call that was under way is made again without a question. See docs/reference/runs.md, "Taking over".
 */
export function idempotent<T extends Tool>(tool: T): T & { readonly idempotent: true } {
  return Object.assign({}, tool, { idempotent: true as const })
}
