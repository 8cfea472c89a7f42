import type { Skills } from '@skills/core'
import { watchSkillsOptions, type SkillsWatch, type WatchSkillsOptions } from './watch-options.js'

/**
 * Keeps the catalog of an engine up to date: watches the places its sources look at, whether they exist or not, and
 * what else sources name (`watched()`), and has only what changed read again. The engine then emits `skills:changed`.
 * Settles when everything is watched. Rejects with an `AbortError`, or with what the first load fails with. See
 * docs/reference/skill-files.md, "Watching".
 *
 *     const watch = await watchSkills(skills, { onDiagnostic: console.warn })
 */
export async function watchSkills(skills: Skills, given: WatchSkillsOptions): Promise<SkillsWatch> {
  const options = watchSkillsOptions.read(given)
  return (await import('./watch-catalog.js')).watchCatalog(skills, options)
}
