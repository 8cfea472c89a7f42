import type { KindAccess } from '@skills/core'
import type { Hooks } from './hooks.js'
import type { Invocation } from './executor.js'

export interface RegisterHooksCall {
  readonly signal?: AbortSignal | undefined
  /**
   * Id of the fork that the invocation makes, which becomes the owner of the hooks. Default: the agent that it was
   * invoked in.
   */
  readonly forkId?: string | undefined
}

/**
 * Registers the hooks of a skill that is being invoked. An executor calls this function before it expands anything. An
 * executor that makes forks passes the fork's id even if the skill has no hooks, so that the provider knows which agent
 * the fork belongs to. Without a provider of hooks, nothing happens. Rejects with an `AbortError` when the signal
 * aborts.
 *
 * @returns undo function. An executor calls it when the invocation fails. An executor that makes forks also calls it
 *   when the fork has ended, which removes every hook that was registered in the fork
 */
export async function registerHooks(
  access: KindAccess<Hooks>,
  {
    command,
    trust,
    approved,
    agentId,
    session,
  }: Pick<Invocation, 'command' | 'trust' | 'approved' | 'agentId' | 'session'>,
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
        const owner = {
          command,
          trust,
          ...(approved !== undefined && { approved }),
          agentId: forkId ?? agentId,
          sessionId,
        }
        if (hasHooks) undoOne = await hooks.register(owner, call)
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
