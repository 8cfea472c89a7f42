import type { KindAccess } from '@skills/core'
import type { Hooks } from './hooks.js'
import type { Invocation } from './executor.js'

export interface RegisterHooksCall {
  readonly signal: AbortSignal
  /** The fork that the invocation makes, whose hooks they are to be. Default: the agent that it was invoked in. */
  readonly forkId?: string | undefined
}

/**
 * Registers the hooks of a skill that is being invoked; an executor does so before it expands anything. One that forks
 * says so by the fork's id, also where the skill has no hooks: then the fork is known to be inside the agent that
 * forked. Gives what undoes it: an executor calls that when the invocation fails, and one that forks when the fork has
 * ended, however it did; then every hook that was registered in the fork goes. Does nothing without a provider of
 * hooks. Rejects with an `AbortError` when the signal aborts.
 */
export async function registerHooks(
  access: KindAccess<Hooks>,
  { command, trust, agentId, session }: Pick<Invocation, 'command' | 'trust' | 'agentId' | 'session'>,
  { signal, forkId }: RegisterHooksCall,
): Promise<() => void> {
  if (forkId !== undefined) session?.forkBegins(forkId, command.name)
  const sessionId = session?.key
  const hasHooks = command.hooks !== undefined && command.hooks !== null
  if (access.ids.length === 0 || (!hasHooks && forkId === undefined)) return () => undefined
  let undo = (): void => undefined
  try {
    await access.first(
      async (hooks, call) => {
        let undoOne: (() => void) | undefined
        undo = () => {
          undoOne?.()
          if (forkId !== undefined) hooks.forget?.(forkId)
        }
        if (forkId !== undefined) hooks.enter?.(forkId, agentId, sessionId)
        if (hasHooks) undoOne = await hooks.register({ command, trust, agentId: forkId ?? agentId, sessionId }, call)
        // After an abort the caller never receives `undo`.
        if (call.signal.aborted) undo()
      },
      { signal },
    )
  } catch (error) {
    undo()
    throw error
  }
  return () => undo()
}
