import * as s from '@skills/core/schema'
import { findProjectFolders } from '@skills/files'
import { foldersOfMain, isInside, realFolders, slashes, type FileReads, type AgentFolder } from '@skills/files/internal'
import { fileSource, rootsIn, type Layout, type SkillRoot } from '@skills/files/source'
import type { Host, Provider, SourceName } from '@skills/core'

const projectSourceOptions = s.options('projectSource()', {
  /**
   * Agents' folders in a project folder, highest first. A known name such as `.github` determines what the folder
   * contains.
   */
  folders: s
    .either(
      s.list(s.either(s.text(), s.typed<AgentFolder>('an agent folder'))),
      s.fn<(host: Host) => readonly (string | AgentFolder)[]>(),
    )
    .default(['.claude', '.agents']),
  /**
   * How far up skills are searched: to the root of the repository (default), to the home folder, or not at all. `root`:
   * in the root of the repository alone.
   */
  reach: s.oneOf('home', 'repository', 'repository-or-all', 'root', 'working-folder'),
  /**
   * Skill that keeps a name which several have: that of the nearest folder (`first`, the default), or that of the
   * outermost (`last`).
   */
  wins: s.oneOf('first', 'last'),
  /** Id among the sources, for a second one. */
  id: s.text().default('project'),
  /** Name of the source in precedence and trust. */
  source: s.text<SourceName>().default('project'),
  /** Lower first among sources of that name. Default: 0. */
  order: s.number(),
  /** Absolute paths of further folders whose skills count as the project's. */
  additional: s.list(s.text()).default([]),
  /**
   * Returns further folders of skills, such as the user's, that links may lead into: to folders in them, and to files
   * of the same name. Default: none.
   */
  linksTo: s.fn<(host: Host) => readonly string[]>(),
  layout: s.typed<Layout>('a layout'),
  /**
   * Cache of files that other engines of this process have read: a `SharedReads` of `@skills/files`. Default: no cache.
   */
  sharedReads: s.typed<FileReads>('shared reads', 'over'),
})

export interface ProjectSourceOptions extends s.OptionsOf<typeof projectSourceOptions> {}

/**
 * Makes the source of the project's skills and legacy commands, nearest folder first, then those of the additional
 * folders. A link is followed only inside the project and the additional folders, and for skills also into the folders
 * of `linksTo`. See docs/reference/folders.md, "Project skills".
 */
export function projectSource(given?: ProjectSourceOptions): Provider<'source'> {
  const { folders: named, additional, linksTo, layout, reach, id, source, ...others } = projectSourceOptions.read(given)
  return fileSource({
    ...others,
    id,
    source,
    layout,
    roots: async host => {
      const project = findProjectFolders(host, reach)
      const folders = typeof named === 'function' ? named(host) : named
      const own = realFolders([project.top, ...additional])
      const nameOf = (folder: string | AgentFolder): string => (typeof folder === 'string' ? folder : folder.name)
      // Links of a git worktree may lead into the same folders of its main checkout, where git ignores them.
      const ofMain = await foldersOfMain(project.top, folders.map(nameOf))
      const linked = realFolders([...(linksTo?.(host) ?? []), ...ofMain]).map(folder => `${folder}/*`)
      const rootsBelow = (base: string, rest: Omit<SkillRoot, 'path'>, top = own): readonly SkillRoot[] =>
        // A folder of commands reads any Markdown file, so a link could make a command of one of the user's notes.
        rootsIn(folders, folder => `${base}/${folder}`, { ...rest, within: [...top, ...linked], layout }).map(root =>
          root.layout?.holds === 'commands' ? { ...root, within: top } : root,
        )
      // In a folder above the project, links have to stay in the agents' own folders.
      const topOf = (base: string): readonly string[] | undefined =>
        isInside(base, project.top) ? undefined : realFolders(folders.map(folder => `${base}/${nameOf(folder)}`))
      return {
        roots: [
          ...project.folders.flatMap(base =>
            rootsBelow(
              base,
              { qualifier: base.slice(project.top.length).replace(/^\//, '') || 'project' },
              topOf(base),
            ),
          ),
          ...additional.flatMap(base => rootsBelow(slashes(base), { source: 'additional', qualifier: 'additional' })),
        ],
        diagnostics: project.diagnostics,
        skipped: project.skipped.map(path => ({
          path,
          state: 'skipped',
          found: 0,
          note: 'The folder belongs to another user, or all users can write to it.',
        })),
      }
    },
  })
}
