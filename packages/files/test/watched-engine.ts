import { createSkills, systemClock, type Catalog, type CatalogChange, type Diagnostic, type Skills } from '@skills/core'
import { watchSkills, type FileSourceOptions, type SkillRoot } from '@skills/files/source'
import type { SkillsWatch, WatchSkillsOptions } from '@skills/files/internal'
import { fakeHost } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { sourceOver } from './load.js'

export interface WatchedEngine {
  readonly skills: Skills
  readonly watch: SkillsWatch
  /** Every change so far, without the catalog. */
  readonly changes: readonly CatalogChange[]
  readonly diagnostics: readonly Diagnostic[]
  /** Settles when the catalog of an event, or of the last one, satisfies the condition. */
  until(isSo: (catalog: Catalog) => boolean): Promise<void>
}

/** Makes an engine over these roots whose catalog is kept up to date. The end of the test closes everything. */
export async function watchedEngine(
  roots: string | readonly SkillRoot[],
  {
    onDiagnostic: told,
    debounceMs = 20,
    pollMs,
    signal,
    ...ofSource
  }: Partial<WatchSkillsOptions & FileSourceOptions> = {},
): Promise<WatchedEngine> {
  const changes: CatalogChange[] = []
  const diagnostics: Diagnostic[] = []
  let look = (): void => {}
  const onDiagnostic = told ?? ((diagnostic: Diagnostic) => void diagnostics.push(diagnostic))
  const skills = createSkills({
    plugins: [sourceOver(roots, ofSource)],
    host: fakeHost({ clock: systemClock }),
    onDiagnostic: () => {},
  })
  onTestFinished(() => skills.close())
  let last = await skills.catalog()
  const see = (catalog: Catalog): void => {
    last = catalog
    look()
  }
  skills.hook('skills:changed', ({ added, removed, changed, catalog }) => {
    changes.push({ added, removed, changed })
    see(catalog)
  })
  const watch = await watchSkills(skills, {
    debounceMs,
    ...(pollMs !== undefined && { pollMs }),
    ...(signal && { signal }),
    onDiagnostic,
  })
  return {
    skills,
    watch,
    changes,
    diagnostics,
    until: isSo =>
      new Promise(resolve => {
        look = () => {
          if (!isSo(last)) return
          look = () => {}
          resolve()
        }
        look()
      }),
  }
}

export function descriptionOf(catalog: Catalog, name: string): string | undefined {
  return catalog.get(name)?.command.description
}

export function skillText(description: string): string {
  return `---\ndescription: ${description}\n---\nBody.\n`
}
