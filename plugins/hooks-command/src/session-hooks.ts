import { hooksDigest, type HooksAtWork } from '@skills/invocation'
import type { DeclaredHook } from '@skills/invocation/internal'
import { Nesting } from './nesting.js'
import { RegisteredHooks } from './registered-hooks.js'
import type { SessionOwner } from './active-hook.js'

/** State of one session. */
export class SessionHooks {
  readonly registered = new RegisteredHooks()
  readonly nesting = new Nesting()
  /** Hooks that were over when the session was saved, by {@link keyOf}. */
  readonly done = new Set<string>()
  /** Settles when the hooks that act from the start of the session are registered; undefined before it has begun. */
  begun: Promise<void> | undefined
  isReady = false
  hasStarted = false

  /** Removes all hooks; the next question begins the session again. The nesting of forks stays. */
  end(): void {
    this.registered.clear()
    this.done.clear()
    this.begun = undefined
    this.isReady = false
    this.hasStarted = false
  }

  atWork(): HooksAtWork {
    const skills = this.registered
      .owners()
      .filter(({ fromStart, agentId }) => fromStart !== true && agentId === undefined)
      .map(({ command }) => {
        const { name, source, filePath } = command
        return { name, source, ...(filePath !== undefined && { path: filePath }), digest: hooksDigest(command) }
      })
    const done = this.registered
      .done()
      .filter(({ owner }) => owner.agentId === undefined)
      .map(hook => keyOf(hook.owner, hook))
    return { skills, done: [...new Set([...this.done, ...done])] }
  }

  /** True if a hook was over when the session was saved. */
  isDone(owner: SessionOwner, hook: DeclaredHook): boolean {
    return hook.isOnce && owner.agentId === undefined && this.done.has(keyOf(owner, hook))
  }
}

function keyOf({ command }: SessionOwner, { field }: Pick<DeclaredHook, 'field'>): string {
  return JSON.stringify([command.source, command.name, command.filePath ?? '', hooksDigest(command), field])
}
