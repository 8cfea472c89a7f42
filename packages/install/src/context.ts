import * as s from '@skills/core/schema'
import { isAbsolute, relative } from 'node:path'
import { type Host } from '@skills/core'
import { ContentCache } from './content-cache.js'
import { installPlace, type InstallPlace } from './place.js'
import { parseSource, type InstallSource } from './source.js'
import type { Progress } from './open-options.js'
import { usualLimits, type SkillLimits } from './skill-files.js'

const installOptions = s.options('installContext()', {
  host: s.typed<Host>('a host', 'cwd').required(),
  scope: s.oneOf('project', 'user').default('project'),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted').required(),
  /** What one skill may have at most. Default: 512 files and 16 MiB. */
  limits: s.typed<SkillLimits>('an object').default(usualLimits),
  /** Milliseconds after which a source that sends next to nothing is given up. Default 30,000. */
  idleMs: s.number(),
  /** Told how far something is that may take long; undefined once it is over, or a person is asked. */
  onProgress: s.fn<(progress?: Progress) => void>(),
  /** What agents make of a staged skill, a line each, shown beside what it can do. Default: nothing is said. */
  compat: s.fn<(folder: string, signal: AbortSignal) => Promise<readonly string[]>>(),
})

export interface InstallOptions extends s.OptionsOf<typeof installOptions> {}

/** Where skills are installed, and how: what every operation begins with. */
export interface InstallContext extends InstallOptions {
  readonly place: InstallPlace
  readonly cache: ContentCache
  readonly limits: SkillLimits
}

/** @throws SkillsError `E_STATE` where the cache or the state of the user cannot be used */
export function installContext(given: InstallOptions): InstallContext {
  const options = installOptions.read(given)
  const { host, scope, limits } = options
  return { ...options, limits, place: installPlace(host, scope), cache: new ContentCache(host) }
}

/** A source of `skills.json`: its paths are relative to that file. */
export function wantedSource(text: string, { place, host }: Pick<InstallContext, 'place' | 'host'>): InstallSource {
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
