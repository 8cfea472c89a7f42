import type { Diagnostic, Host, LocalCommand, Plugin } from '@skills/core'
import { flag, fn, list, options, text, typed, type OptionsOf } from '@skills/core/schema'
import type { StandardOptions } from '@skills/distributions/internal'
import { sharedShape } from './session/session-options.js'

/** The options of `openSkills()` that every distribution shares. */
export const hostShape = {
  ...sharedShape,
  /** Working folder, absolute. Default: that of this process. */
  cwd: text(),
  /** Home folder of the user, absolute. Default: that of this process. */
  home: text(),
  /** Default: the environment of this process. */
  env: typed<Host['env']>('an object'),
  /** Further parts of the host that replace those of this process, such as the clock. */
  host: typed<Partial<Host>>('an object'),
  /**
   * Read the configuration files of the user and of the project. Options given here override them, and of a project's
   * file only what a person agreed to counts. Default: false.
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

/** Options that every distribution takes. A session starts with them and may override each. */
export type HostOptions = OptionsOf<typeof hostOptions>

/** The options that a finished distribution still takes. */
export const madeOptions = /* @__PURE__ */ options('openSkills() with a distribution that is made', {
  plugins: hostShape.plugins,
})

/** Options for a distribution given by name: the host's, and any of the distribution's own, which they override. */
export type NamedOptions = HostOptions & Partial<Omit<StandardOptions, keyof HostOptions>>

/** Options for a distribution given as a function: the host's, and those that the function takes. */
export type MadeWith<Own> = HostOptions & Omit<Own, keyof HostOptions>
