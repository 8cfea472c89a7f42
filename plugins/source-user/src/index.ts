import { resolve } from 'node:path'
import { fileSource, rootsIn, type AgentFolder, type FileSourceOptions, type Layout } from '@skills/skill-files'
import type { Host, Provider } from '@skills/core'

export interface UserSourceOptions {
  /** Agents' folders in the home folder, highest first; a name such as `.opencode` tells what it keeps. Default: `.claude`, `.agents`. */
  readonly folders?: readonly (string | AgentFolder)[]
  readonly layout?: Layout
  /** Whether what was read is kept for the next process, as {@link FileSourceOptions.index} says. Default false. */
  readonly index?: FileSourceOptions['index']
}

/**
 * The user's own skills and legacy commands: those of `$CLAUDE_CONFIG_DIR`, else of `.claude` in the home folder, then of its
 * other folders. See docs/reference.md, "User skills".
 */
export function userSource({ folders = ['.claude', '.agents'], layout, index }: UserSourceOptions = {}): Provider<'source'> {
  return fileSource({ id: 'user', source: 'user', layout, index, roots: host => ({ roots: rootsIn(folders, folder => folderOf(folder, host), { layout }) }) })
}

function folderOf(folder: string, { cwd, env, home }: Host): string | undefined {
  const configured = folder === '.claude' ? env['CLAUDE_CONFIG_DIR'] ?? '' : ''
  if (configured !== '') return resolve(cwd, configured)
  // Without a home folder the path would start at the topmost one.
  return home === '' ? undefined : `${home}/${folder}`
}
