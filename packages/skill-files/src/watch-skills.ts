import { checkOptions } from '@skills/core'
import type { Diagnostic, Skills } from '@skills/core'

export interface WatchSkillsOptions {
  /** Told of what keeps files from being watched, and of loads that failed. */
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
  /** Milliseconds without an event before what happened is looked at. Default 100. */
  readonly debounceMs?: number | undefined
  /** Milliseconds between two looks at everything, once the system refuses to watch. Default 2000. */
  readonly pollMs?: number | undefined
  /** Closes the watch when it aborts. */
  readonly signal?: AbortSignal | undefined
}

export interface SkillsWatch {
  /** Idempotent. Nothing is loaded afterwards and nothing stays open. Closing the engine closes it too. */
  close(): Promise<void>
}

/**
 * Keeps the catalog of an engine up to date: watches the places its sources look at, whether they exist or not, and what
 * else sources name (`watched()`), and has only what changed read again. The engine then emits `skills:changed`. Settles when
 * everything is watched. Rejects with an `AbortError`, or with what the first load fails with. See docs/reference.md, "Watching".
 *
 *     const watch = await watchSkills(skills, { onDiagnostic: console.warn })
 */
export async function watchSkills(skills: Skills, options: WatchSkillsOptions): Promise<SkillsWatch> {
  checkOptions<WatchSkillsOptions>('watchSkills()', options, { onDiagnostic: 1, debounceMs: 1, pollMs: 1, signal: 1 })
  return (await import('./watch-catalog.js')).watchCatalog(skills, options)
}
