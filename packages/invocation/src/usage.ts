import { messageOf, type Diagnostic, type Skills } from '@skills/core'
import type { State } from '@skills/state'

export interface Usage {
  /** How often it was invoked. */
  readonly count: number
  /** Milliseconds since the epoch. */
  readonly lastUsed: number
}

/** How often each skill was invoked and when last, by name. What is no such record is left out. */
export function usageOf(value: unknown): ReadonlyMap<string, Usage> {
  const usage = new Map<string, Usage>()
  if (typeof value !== 'object' || value === null) return usage
  for (const [name, one] of Object.entries(value as Record<string, Partial<Usage> | null>)) {
    const { count, lastUsed } = one ?? {}
    if (isCount(count) && isCount(lastUsed)) usage.set(name, { count, lastUsed })
  }
  return usage
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/**
 * Counts every prompt that is carried out, in the state `usage`. A count that cannot be written is reported and costs nothing else.
 * @returns what stops counting
 */
export function recordUsage(skills: Pick<Skills, 'hook' | 'host' | 'signal'>, state: State, report: (diagnostic: Diagnostic) => void): () => void {
  return skills.hook('invocation:end', async ({ commandName, entry: { command } }) => {
    if (command.type !== 'prompt') return
    const lastUsed = skills.host.clock.now()
    try {
      await state.update('usage', value => {
        const usage = new Map(usageOf(value))
        usage.set(commandName, { count: (usage.get(commandName)?.count ?? 0) + 1, lastUsed })
        return Object.fromEntries(usage)
      }, { signal: skills.signal })
    } catch (error) {
      report({ severity: 'warning', type: 'io', code: 'usage-not-written', name: commandName, message: `That "${commandName}" was used could not be written down: ${messageOf(error)}` })
    }
  })
}
