import type { Tool } from 'ai'

/**
 * Marks a tool whose calls may be repeated, such as one that only reads. When another process resumes a run, a call
 * that was in progress is then repeated without a question. See docs/reference/runs.md, "Taking over".
 */
export function idempotent<T extends Tool>(tool: T): T & { readonly idempotent: true } {
  return Object.assign({}, tool, { idempotent: true as const })
}
