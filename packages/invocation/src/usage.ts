import { messageOf, type Clock, type Diagnostic, type KindAccess } from '@skills/core'
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

export interface UseCall {
  readonly clock: Clock
  readonly signal: AbortSignal
  report(diagnostic: Omit<Diagnostic, 'provider'>): void
}

/**
 * Counts one use of a skill in the state `usage`; an executor does so after it ran one. Does nothing where nothing is
 * remembered; a count that cannot be written is reported and costs nothing else.
 * @param name as it stands in the catalog
 */
export async function countUse(
  name: string,
  state: KindAccess<State>,
  { clock, report, signal }: UseCall,
): Promise<void> {
  const lastUsed = clock.now()
  try {
    await state.first(
      (one, call) =>
        one.update(
          'usage',
          value => {
            const usage = new Map(usageOf(value))
            usage.set(name, { count: (usage.get(name)?.count ?? 0) + 1, lastUsed })
            return Object.fromEntries(usage)
          },
          call,
        ),
      { signal },
    )
  } catch (error) {
    if (signal.aborted) throw error
    report({
      severity: 'warning',
      type: 'io',
      code: 'usage-not-written',
      name,
      message: `That "${name}" was used could not be written down: ${messageOf(error)}`,
    })
  }
}

/** How often each skill was used, by name; empty where nothing is remembered. Rejects as the state does. */
export async function readUsage(state: KindAccess<State>, signal: AbortSignal): Promise<ReadonlyMap<string, Usage>> {
  return usageOf(await state.first((one, call) => one.read('usage', call), { signal }))
}
