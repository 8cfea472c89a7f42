import type { Skills } from '@skills/core'
import { watchSkillsOptions, type SkillsWatch, type WatchSkillsOptions } from './watch-options.js'

/**
 * Keeps the catalog of an engine up to date. Watches the places its sources look at, even if they are missing, and the
 * paths that sources name (`watched()`). Reads only what has changed; the engine then emits `skills:changed`. Settles
 * when everything is watched. Rejects with an `AbortError`, or with the error of the first load. See
 * docs/reference/sources.md, "Watching".
 *
 *     const watch = await watchSkills(skills, { onDiagnostic: console.warn })
 */
export async function watchSkills(skills: Skills, given: WatchSkillsOptions): Promise<SkillsWatch> {
  const options = watchSkillsOptions.read(given)
  return (await import('./watch-catalog.js')).watchCatalog(skills, options)
}
