import { findProjectFolders, realFolders, slashes } from '@skills/fs'
import { fileSource, type Layout, type SkillRoot } from '@skills/skill-files'
import type { Provider } from '@skills/core'

export interface ProjectSourceOptions {
  /** Folders of a project folder that hold a `skills` folder, highest first. Default: `.claude`, `.agents`. */
  readonly folders?: readonly string[]
  /** Further folders whose skills count as the project's, absolute. */
  readonly additional?: readonly string[]
  readonly layout?: Layout
}

/**
 * The project's skills, nearest folder first, then those of the additional folders.
 * A link is followed only inside the project and the additional folders. See docs/reference.md, "Project skills".
 */
export function projectSource({ folders = ['.claude', '.agents'], additional = [], layout }: ProjectSourceOptions = {}): Provider<'source'> {
  return fileSource({
    id: 'project', source: 'project', layout,
    roots: host => {
      const project = findProjectFolders(host)
      const within = realFolders([project.top, ...additional])
      const rootsIn = (base: string, rest: Partial<SkillRoot>): SkillRoot[] =>
        folders.map(folder => ({ ...rest, path: `${base}/${folder}/skills`, within, hasSidecars: folder === '.agents' || folder === '.codex' }))
      return {
        roots: [
          ...project.folders.flatMap(base => rootsIn(base, { qualifier: base.slice(project.top.length).replace(/^\//, '') || 'project' })),
          ...additional.flatMap(base => rootsIn(slashes(base), { source: 'additional', qualifier: 'additional' })),
        ],
        diagnostics: project.diagnostics,
        skipped: project.skipped.map(path => ({ path, state: 'skipped', found: 0, note: 'It belongs to another user or is open to all.' })),
      }
    },
  })
}
