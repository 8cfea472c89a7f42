import { messageOf, type Clock, type Diagnostic, type KindAccess } from '@skills/core'
import type { State } from '@skills/state'

export interface Usage {
  /** Number of invocations. */
  readonly count: number
  /** Milliseconds since the epoch. */
  readonly lastUsed: number
}

/** Reads by name how often each skill was invoked, and when it was last invoked. Invalid records are left out. */
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
  readonly signal?: AbortSignal | undefined
  report(diagnostic: Omit<Diagnostic, 'provider'>): void
}

/**
 * Counts one use of a skill in the state `usage`. An executor calls this function after a run. Without a state
 * provider, nothing happens. If the count cannot be written, the failure is reported and the run is not affected.
 * @param name name in the catalog
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
    if (signal?.aborted === true) throw error
    report({
      severity: 'warning',
      type: 'io',
      code: 'usage-not-written',
      name,
      message: `The use of "${name}" could not be recorded: ${messageOf(error)}`,
    })
  }
}

/**
 * Returns by name how often each skill was used; empty without a state provider. Rejects with the errors of the state
 * provider.
 */
export async function readUsage(state: KindAccess<State>, signal?: AbortSignal): Promise<ReadonlyMap<string, Usage>> {
  return usageOf(await state.first((one, call) => one.read('usage', call), { signal }))
}
