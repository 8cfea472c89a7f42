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
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
  /** Limits of one skill. Default: 512 files and 16 MiB. */
  limits: s.typed<SkillLimits>('an object').default(usualLimits),
  /** Milliseconds after which a source that sends next to nothing is given up. Default: 30,000. */
  idleMs: s.number(),
  /**
   * Called with the progress of work that may take long. Called without it when the work is over, or before a person is
   * asked.
   */
  onProgress: s.fn<(progress?: Progress) => void>(),
})

export interface InstallOptions extends s.OptionsOf<typeof installOptions> {}

/** Place and options of an installation; every operation takes one. */
export interface InstallContext extends InstallOptions {
  readonly place: InstallPlace
  readonly cache: ContentCache
  readonly limits: SkillLimits
  readonly signal: AbortSignal
}

/**
 * Makes the context of an installation from its options.
 * @throws SkillsError `E_STATE` if the user's cache or state cannot be used
 */
export function installContext(given: InstallOptions): InstallContext {
  const options = installOptions.read(given)
  const { host, scope, limits, signal = new AbortController().signal } = options
  return { ...options, limits, signal, place: installPlace(host, scope), cache: new ContentCache(host) }
}

/** Parses a source of `skills.json`, whose paths are relative to that file. */
export function wantedSource(text: string, { place, host }: Pick<InstallContext, 'place' | 'host'>): InstallSource {
  return parseSource(text, { cwd: place.root, home: host.home })
}

/**
 * Returns the form of a path for `skills.json` and the lock. A path beside or below these files is relative to them, so
 * that it is valid in a clone.
 */
export function portablePath(path: string, { root }: InstallPlace): string {
  const below = relative(root, path).replaceAll('\\', '/')
  if (below === '') return '.'
  if (isAbsolute(below) || below.split('/').filter(part => part === '..').length > 2) return path
  return below.startsWith('..') ? below : `./${below}`
}

/** Converts a source that was typed in the working folder for `skills.json`. */
export function portableText(text: string, { place, host }: Pick<InstallContext, 'place' | 'host'>): string {
  const [, before = '', rest = text] = /^(plugin:[^@]*@)(.*)$/s.exec(text) ?? []
  const source = parseSource(rest, host)
  const path =
    source.type === 'folder' ? source.path : source.type === 'archive' && isAbsolute(source.at) ? source.at : undefined
  return path === undefined ? text : `${before}${portablePath(path, place)}`
}
