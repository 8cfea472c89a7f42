import { checkOptions } from '@skills/core'
import { findProjectFolders, isInside, realFolders, slashes, type ProjectReach } from '@skills/files'
import {
  fileSource,
  rootsIn,
  type AgentFolder,
  type FileSourceOptions,
  type Layout,
  type SkillRoot,
} from '@skills/files/source'
import type { Host, Provider, SourceName } from '@skills/core'

export interface ProjectSourceOptions {
  /**
   * Agents' folders in a project folder, highest first; a name such as `.github` tells what it keeps. Default:
   * `.claude`, `.agents`.
   */
  readonly folders?: readonly (string | AgentFolder)[] | ((host: Host) => readonly (string | AgentFolder)[])
  /** How far up skills are looked for: to the root of the repository (default), to the home folder, or not at all. */
  readonly reach?: ProjectReach
  /**
   * Which of several skills of one name keeps it: that of the nearest folder (`first`, the default), or that of the
   * outermost.
   */
  readonly wins?: FileSourceOptions['wins']
  /** Its id among the sources, for a second one. Default: `project`. */
  readonly id?: string
  /** The word that precedence and trust go by. Default: `project`. */
  readonly source?: SourceName
  /** Lower first among sources of that word. Default: 0. */
  readonly order?: number
  /** Further folders whose skills count as the project's, absolute. */
  readonly additional?: readonly string[]
  /**
   * Folders of skills besides that links may lead into, such as the user's: to folders in them, and to files of the
   * same name. Default: none.
   */
  readonly linksTo?: (host: Host) => readonly string[]
  readonly layout?: Layout | undefined
  /** What other engines of this process have read, as {@link FileSourceOptions.sharedReads} says. Default: nothing. */
  readonly sharedReads?: FileSourceOptions['sharedReads']
}

/**
 * The project's skills and legacy commands, nearest folder first, then those of the additional folders.
 * A link is followed only inside the project, the additional folders and, where skills are looked for, those that
 * `linksTo` gives. See docs/reference/folders.md, "Project skills".
 */
export function projectSource(options: ProjectSourceOptions = {}): Provider<'source'> {
  checkOptions<ProjectSourceOptions>('projectSource()', options, {
    folders: 1,
    reach: 1,
    wins: 1,
    id: 1,
    source: 1,
    order: 1,
    additional: 1,
    linksTo: 1,
    layout: 1,
    sharedReads: 1,
  })
  const {
    folders: given = ['.claude', '.agents'],
    additional = [],
    linksTo,
    layout,
    reach,
    id = 'project',
    source = 'project',
    ...others
  } = options
  return fileSource({
    ...others,
    id,
    source,
    layout,
    roots: host => {
      const project = findProjectFolders(host, reach)
      const folders = typeof given === 'function' ? given(host) : given
      const own = realFolders([project.top, ...additional])
      const linked = realFolders(linksTo?.(host) ?? []).map(folder => `${folder}/*`)
      const rootsBelow = (base: string, rest: Omit<SkillRoot, 'path'>, top = own): readonly SkillRoot[] =>
        // A folder of commands takes any Markdown file, and a link could make one of the user's notes.
        rootsIn(folders, folder => `${base}/${folder}`, { ...rest, within: [...top, ...linked], layout }).map(root =>
          root.layout?.holds === 'commands' ? { ...root, within: top } : root,
        )
      // Of a folder above all that is the project's, links stay in the agents' own folders.
      const topOf = (base: string): readonly string[] | undefined =>
        isInside(base, project.top)
          ? undefined
          : realFolders(folders.map(folder => `${base}/${typeof folder === 'string' ? folder : folder.name}`))
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
          note: 'It belongs to another user or is open to all.',
        })),
      }
    },
  })
}
