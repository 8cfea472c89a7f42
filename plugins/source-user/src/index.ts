import { resolve } from 'node:path'
import { fileSource, type Layout, type SkillRoot } from '@skills/skill-files'
import type { Host, Provider } from '@skills/core'

export interface UserSourceOptions {
  /** Folders of the home folder that hold a `skills` folder, highest first. Default: `.claude`, `.agents`. */
  readonly folders?: readonly string[]
  readonly layout?: Layout
}

/**
 * The user's own skills: `skills/` in `$CLAUDE_CONFIG_DIR`, else in `.claude` of the home folder, then in its other folders.
 * See docs/reference.md, "User skills".
 */
export function userSource({ folders = ['.claude', '.agents'], layout }: UserSourceOptions = {}): Provider<'source'> {
  return fileSource({ id: 'user', source: 'user', layout, roots: host => ({ roots: folders.flatMap(folder => rootIn(folder, host)) }) })
}

function rootIn(folder: string, { cwd, env, home }: Host): SkillRoot | [] {
  const configured = folder === '.claude' ? env['CLAUDE_CONFIG_DIR'] ?? '' : ''
  // Without a home folder the path would start at the topmost one.
  if (configured === '' && home === '') return []
  const base = configured === '' ? `${home}/${folder}` : resolve(cwd, configured)
  return { path: `${base}/skills`, hasSidecars: folder === '.agents' || folder === '.codex' }
}
