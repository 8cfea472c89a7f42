import { dirname } from 'node:path'
import { keyEntries, type ConfigurationData, type ConfigurationOptions } from './configuration-schema.js'
import { listingOver, withReplacements } from './parts.js'
import type { Plugin } from '@skills/core'
import type { ServerFiles } from './server-files.js'
import type { ConfigurationFile } from './find-configuration.js'

/** Content of a project's files that a person agreed to. */
export interface Agreed {
  readonly serverFiles?: Pick<ServerFiles, 'check'> | undefined
  /** Texts of plugins, by folder or name of the package. */
  readonly pluginTexts?: ReadonlyMap<string, string> | undefined
}

/** Converts the effective part of a file to options. */
export function optionsOf(
  { path, from }: ConfigurationFile,
  data: ConfigurationData,
  plugins: readonly Plugin[] | undefined,
  agreed: Agreed = {},
): ConfigurationOptions {
  const given: Readonly<Record<string, unknown>> = data
  const place = { path, from, folder: dirname(path), ...agreed }
  return keyEntries.reduce<ConfigurationOptions>(
    (all, [name, { options = (value: unknown) => ({ [name]: value }) }]) =>
      given[name] === undefined ? all : joined(all, options(given[name], place)),
    plugins === undefined ? {} : { plugins },
  )
}

type Join<T> = (before: T, now: T) => T
type Lists = Readonly<Record<string, readonly unknown[] | undefined>>

/** Joins two lists. The later one comes first where order matters. */
const inOneList = <T>(before: readonly T[], now: readonly T[]): readonly T[] => [...now, ...before]
const listByList = (before: Lists, now: Lists): Lists =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(now)])].map(name => [
      name,
      before[name] || now[name] ? inOneList(before[name] ?? [], now[name] ?? []) : undefined,
    ]),
  )

/** Functions that join the options of two files. For an option without one, the later file wins. */
const joins: { readonly [N in keyof ConfigurationOptions]?: Join<NonNullable<ConfigurationOptions[N]>> } = {
  additional: inOneList,
  linksTo: inOneList,
  plugins: withReplacements,
  published: listByList as Join<object>,
  rules: listByList as Join<object>,
  overrides: (before, now) => ({ ...before, ...now }),
  listing: listingOver,
  // A project cannot switch on what a person switched off.
  files: (before, now) => before && now,
  mcp: (before, now) => ({
    ...before,
    ...now,
    servers: { ...before.servers, ...now.servers },
    allows: async server => ((await before.allows?.(server)) ?? true) && ((await now.allows?.(server)) ?? true),
  }),
}

/** Joins the options of two files. @param now options of the later file */
export function joined(before: ConfigurationOptions, now: ConfigurationOptions): ConfigurationOptions {
  const all: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(now)) {
    const join = joins[name as keyof ConfigurationOptions] as Join<unknown> | undefined
    all[name] = join === undefined || all[name] === undefined ? value : join(all[name], value)
  }
  return all
}
