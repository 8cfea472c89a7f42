import * as s from '@skills/core/schema'
import { isAbsolute, resolve } from 'node:path'
import type { FileReads, AgentFolder } from '@skills/files/internal'
import { fileSource, rootsIn, type Layout, type SkillRoot } from '@skills/files/source'
import type { Host, Provider, SourceName } from '@skills/core'

const userSourceOptions = s.options('userSource()', {
  /**
   * Agents' folders in the home folder, or absolute ones, highest first. A known name such as `.opencode` determines
   * what the folder contains. Default: `.claude`, `.agents`.
   */
  folders: s.either(
    s.list(s.either(s.text(), s.typed<AgentFolder>('an agent folder'))),
    s.fn<(host: Host) => readonly (string | AgentFolder)[]>(),
  ),
  /** Skill that keeps a name which several have: the one found first (default), or last. */
  wins: s.oneOf('first', 'last'),
  /** Id among the sources, for a second one. */
  id: s.text().default('user'),
  /** Name of the source in precedence and trust. */
  source: s.text<SourceName>().default('user'),
  /** Lower first among sources of that name. Default: 0. */
  order: s.number(),
  layout: s.typed<Layout>('a layout'),
  /** True to read the folder that `$CLAUDE_CONFIG_DIR` names in place of `~/.claude`; false to ignore the variable. */
  configDir: s.flag().default(true),
  /**
   * Cache of files that other engines of this process have read: a `SharedReads` of `@skills/files`. Default: no cache.
   */
  sharedReads: s.typed<FileReads>('shared reads', 'over'),
})

export interface UserSourceOptions extends s.OptionsOf<typeof userSourceOptions> {}

/**
 * Makes the source of the user's own skills and legacy commands. The folder `$CLAUDE_CONFIG_DIR` comes first (`.claude`
 * in the home folder if the variable is not set), then the other folders of agents in the home folder. See
 * docs/reference/folders.md, "User skills".
 */
export function userSource(given?: UserSourceOptions): Provider<'source'> {
  const { folders, layout, id, source, configDir, ...others } = userSourceOptions.read(given)
  const roots = (host: Host) => ({ roots: rootsOf(configDir ? host : withoutConfigDir(host), folders, layout) })
  return fileSource({ ...others, id, source, layout, roots })
}

/**
 * Returns a function that lists the folders in which a {@link userSource} searches for skills. Links of a project may
 * lead into them. Folders of commands are left out: a command that a link leads to would be read as a skill of the
 * project, and take precedence over every command. See docs/reference/folders.md, "Project skills".
 * @param folders as in {@link UserSourceOptions.folders}
 */
export function userRoots(folders?: UserSourceOptions['folders']): (host: Host) => readonly string[] {
  return host =>
    rootsOf(host, folders)
      .filter(({ layout }) => layout?.holds !== 'commands')
      .map(({ path }) => path)
}

function withoutConfigDir(host: Host): Host {
  return { ...host, env: { ...host.env, CLAUDE_CONFIG_DIR: undefined } }
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
  // Without a home folder the path would start at the root of the file system.
  return home === '' ? undefined : `${home}/${folder}`
}
