import * as s from '@skills/core/schema'
import { isAbsolute, resolve } from 'node:path'
import type { FileReads, AgentFolder } from '@skills/files/internal'
import { fileSource, rootsIn, type Layout, type SkillRoot } from '@skills/files/source'
import type { Host, Provider, SourceName } from '@skills/core'

const userSourceOptions = s.options('userSource()', {
  /**
   * Agents' folders in the home folder, or absolute ones, highest first; a name such as `.opencode` tells what it
   * keeps. Default: `.claude`, `.agents`.
   */
  folders: s.either(
    s.list(s.either(s.text(), s.typed<AgentFolder>('an agent folder'))),
    s.fn<(host: Host) => readonly (string | AgentFolder)[]>(),
  ),
  /** Which of several skills of one name keeps it: the one found first (default), or last. */
  wins: s.oneOf('first', 'last'),
  /** Its id among the sources, for a second one. */
  id: s.text().default('user'),
  /** The word that precedence and trust go by. */
  source: s.text<SourceName>().default('user'),
  /** Lower first among sources of that word. Default: 0. */
  order: s.number(),
  layout: s.typed<Layout>('a layout'),
  /** What other engines of this process have read, as `SharedReads` of `@skills/files` does. Default: nothing. */
  sharedReads: s.typed<FileReads>('shared reads', 'over'),
})

export interface UserSourceOptions extends s.OptionsOf<typeof userSourceOptions> {}

/**
 * The user's own skills and legacy commands: those of `$CLAUDE_CONFIG_DIR`, else of `.claude` in the home folder, then
 * of its other folders. See docs/reference/folders.md, "User skills".
 */
export function userSource(given?: UserSourceOptions): Provider<'source'> {
  const { folders, layout, id, source, ...others } = userSourceOptions.read(given)
  return fileSource({ ...others, id, source, layout, roots: host => ({ roots: rootsOf(host, folders, layout) }) })
}

/**
 * Where a {@link userSource} with these folders looks for skills: what links of a project may lead to. Not for
 * commands: reached as a skill, one would be the project's, which comes before all commands. See
 * docs/reference/folders.md, "Project skills".
 * @param folders as in {@link UserSourceOptions.folders}
 */
export function userRoots(folders?: UserSourceOptions['folders']): (host: Host) => readonly string[] {
  return host =>
    rootsOf(host, folders)
      .filter(({ layout }) => layout?.holds !== 'commands')
      .map(({ path }) => path)
}

function rootsOf(
  host: Host,
  folders: UserSourceOptions['folders'] = ['.claude', '.agents'],
  layout?: Layout,
): readonly SkillRoot[] {
  return rootsIn(typeof folders === 'function' ? folders(host) : folders, folder => folderOf(folder, host), { layout })
}

function folderOf(folder: string, { cwd, env, home }: Host): string | undefined {
  const configured = folder === '.claude' ? (env['CLAUDE_CONFIG_DIR'] ?? '') : ''
  if (configured !== '') return resolve(cwd, configured)
  if (isAbsolute(folder)) return folder
  // Without a home folder the path would start at the topmost one.
  return home === '' ? undefined : `${home}/${folder}`
}
