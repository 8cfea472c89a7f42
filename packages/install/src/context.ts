import { isAbsolute, relative } from 'node:path'
import { checkOptions, type Host } from '@skills/core'
import { ContentCache } from './content-cache.js'
import { installPlace, type InstallPlace } from './place.js'
import { parseSource, type Source } from './source.js'
import type { Progress } from './open-options.js'
import { usualLimits, type SkillLimits } from './skill-files.js'

export interface InstallOptions {
  readonly host: Host
  /** Default `project`. */
  readonly scope?: 'project' | 'user'
  readonly signal: AbortSignal
  /** What one skill may have at most. Default: 512 files and 16 MiB. */
  readonly limits?: SkillLimits
  /** Milliseconds after which a source that sends next to nothing is given up. Default 30,000. */
  readonly idleMs?: number
  /** Told how far something is that may take long; undefined once it is over, or a person is asked. */
  readonly onProgress?: (progress?: Progress) => void
  /** What agents make of a staged skill, a line each, shown beside what it can do. Default: nothing is said. */
  readonly compat?: (folder: string, signal: AbortSignal) => Promise<readonly string[]>
}

/** Where skills are installed, and how: what every operation begins with. */
export interface InstallContext extends InstallOptions {
  readonly place: InstallPlace
  readonly cache: ContentCache
  readonly limits: SkillLimits
}

/** @throws SkillsError `E_STATE` where the cache or the state of the user cannot be used */
export function installContext(options: InstallOptions): InstallContext {
  checkOptions<InstallOptions>('installContext()', options, {
    host: 1,
    scope: 1,
    signal: 1,
    limits: 1,
    onProgress: 1,
    compat: 1,
    idleMs: 1,
  })
  const { host, scope = 'project', limits = usualLimits } = options
  return { ...options, limits, place: installPlace(host, scope), cache: new ContentCache(host) }
}

/** A source of `skills.json`: its paths are relative to that file. */
export function wantedSource(text: string, { place, host }: Pick<InstallContext, 'place' | 'host'>): Source {
  return parseSource(text, { cwd: place.root, home: host.home })
}

/** A path as it stands in both files: relative to them where it lies beside or below them, so that a clone has it too. */
export function portablePath(path: string, { root }: InstallPlace): string {
  const below = relative(root, path).replaceAll('\\', '/')
  if (below === '') return '.'
  if (isAbsolute(below) || below.split('/').filter(part => part === '..').length > 2) return path
  return below.startsWith('..') ? below : `./${below}`
}

/** What was typed in the working folder, as it stands in `skills.json`. */
export function portableText(text: string, { place, host }: Pick<InstallContext, 'place' | 'host'>): string {
  const [, before = '', rest = text] = /^(plugin:[^@]*@)(.*)$/s.exec(text) ?? []
  const source = parseSource(rest, host)
  const path =
    source.type === 'folder' ? source.path : source.type === 'archive' && isAbsolute(source.at) ? source.at : undefined
  return path === undefined ? text : `${before}${portablePath(path, place)}`
}
