import type { Diagnostic, Host, LocalCommand, Plugin } from '@skills/core'
import { flag, fn, list, options, text, typed, type OptionsOf } from '@skills/core/schema'
import type { StandardOptions } from '@skills/distributions/internal'
import { sharedShape } from './session/session-options.js'

/** Options of `openSkills()` for every distribution. */
export const hostShape = {
  ...sharedShape,
  /** Absolute path of the working folder. Default: that of this process. */
  cwd: text(),
  /** Absolute path of the user's home folder. Default: that of this process. */
  home: text(),
  /** Default: the environment of this process. */
  env: typed<Host['env']>('an object'),
  /**
   * Absolute paths of this machine may reach models and clients, because it is the person's own or because the model's
   * tools need them. Default: false.
   */
  showsPaths: flag(),
  /** Further values of the host that replace those of this process, such as the clock. */
  host: typed<Partial<Host>>('an object'),
  /**
   * Read the configuration files of the user and of the project. Options given here override them. Entries of a
   * project's file apply only if a person agreed to them. Default: false.
   */
  configuration: flag().default(false),
  /** The host's own commands, made with {@link localCommand}. Default: none. */
  commands: list(typed<LocalCommand>('a command', 'call')),
  /** Plugins in addition to the distribution's own. Default: none. */
  plugins: list(typed<Plugin>('a plugin')),
  /** Called with every problem. Default: each becomes a warning of this process (`process.emitWarning`). */
  onDiagnostic: fn<(diagnostic: Diagnostic) => void>(),
  /** Aborts the opening. */
  signal: typed<AbortSignal>('an AbortSignal', 'aborted'),
} as const

export const hostOptions = /* @__PURE__ */ options('openSkills()', hostShape)

/** Options that every distribution takes. A session starts with them and may override each. */
export type HostOptions = OptionsOf<typeof hostOptions>

/** Options that a finished distribution accepts. */
export const madeOptions = /* @__PURE__ */ options('openSkills() with a distribution that is made', {
  plugins: hostShape.plugins,
})

/**
 * Options for a distribution given by name: those of every host, and those of a distribution. An option of the host
 * replaces the distribution's own value.
 */
export type NamedOptions = HostOptions & Partial<Omit<StandardOptions, keyof HostOptions>>

/** Options for a distribution given as a function: those of every host, and those of the function. */
export type MadeWith<Own> = HostOptions & Omit<Own, keyof HostOptions>
