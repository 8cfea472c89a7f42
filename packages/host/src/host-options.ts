import type { Diagnostic, Host, LocalCommand, Plugin } from '@skills/core'
import { flag, fn, list, options, text, typed, type OptionsOf } from '@skills/core/schema'
import type { StandardOptions } from '@skills/distributions'
import { sharedShape } from './session/session-options.js'

/** What a host says of itself, whatever its distribution. */
export const hostShape = {
  ...sharedShape,
  /** Working folder, absolute. Default: that of this process. */
  cwd: text(),
  /** Home folder of the user, absolute. Default: that of this process. */
  home: text(),
  /** Default: the environment of this process. */
  env: typed<Host['env']>('an object'),
  /** What else is known better than by asking this process, such as the clock. */
  host: typed<Partial<Host>>('an object'),
  /**
   * Whether the configuration files of the user and of the project count, below what is said here; of a project's only
   * what a person agreed to. Default: false, and none is read.
   */
  configuration: flag().default(false),
  /** Commands of the host's own, as {@link localCommand} makes them. Default: none. */
  commands: list(typed<LocalCommand>('a command', 'call')),
  /** Plugins beyond the distribution's own. Default: none. */
  plugins: list(typed<Plugin>('a plugin')),
  /** Told of every problem. Default: each is a warning of this process (`process.emitWarning`). */
  onDiagnostic: fn<(diagnostic: Diagnostic) => void>(),
  /** Ends the opening. */
  signal: typed<AbortSignal>('an AbortSignal', 'aborted'),
} as const

export const hostOptions = /* @__PURE__ */ options('openSkills()', hostShape)

/** Options of a host, whatever its distribution; sessions have what is said here unless they say otherwise. */
export type HostOptions = OptionsOf<typeof hostOptions>

/** What adjusts a distribution that is made already. */
export const madeOptions = /* @__PURE__ */ options('openSkills() with a distribution that is made', {
  plugins: hostShape.plugins,
})

/** Options of a distribution that is named, besides those of the host: what is said here takes the place of its own. */
export type NamedOptions = HostOptions & Partial<Omit<StandardOptions, keyof HostOptions>>

/** Options of a distribution that is a function, besides those of the host. */
export type MadeWith<Own> = HostOptions & Omit<Own, keyof HostOptions>
