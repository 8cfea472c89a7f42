import { dirname, resolve } from 'node:path'
import { listingOver } from './listing-options.js'
import { withReplacements } from './replace-providers.js'
import type { Plugin } from '@skills/core'
import type { ConfigurationData } from './configuration-data.js'
import type { ServerFiles } from './server-files.js'
import type { ConfigurationFile } from './find-configuration.js'
import type { McpServer, McpSourceOptions } from '@skills/source-mcp'
import type { PluginSourceOptions } from '@skills/source-plugin'
import type { StandardOptions } from './agents/standard/index.js'

/** What configuration files say, as options of a distribution. */
export type ConfigurationOptions = Pick<
  StandardOptions,
  | 'overrides'
  | 'precedence'
  | 'additional'
  | 'linksTo'
  | 'unmetNeeds'
  | 'published'
  | 'mcp'
  | 'activation'
  | 'bundled'
  | 'hooks'
  | 'rules'
  | 'shell'
  | 'files'
  | 'listing'
  | 'plugins'
>

/** What of a file counts, as options. */
export function optionsOf(
  { path, from }: ConfigurationFile,
  data: ConfigurationData,
  plugins: readonly Plugin[] | undefined,
  serverFiles?: Pick<ServerFiles, 'check'>,
): ConfigurationOptions {
  const folder = dirname(path)
  const at = (given: string): string => resolve(folder, given)
  const {
    overrides,
    precedence,
    additional,
    linksTo,
    unmetNeeds,
    servers,
    activation,
    bundled,
    hooks,
    rules,
    shell,
    files,
    listing,
  } = data
  const published: PluginSourceOptions = {
    plugins: data.plugins?.map(one =>
      typeof one === 'string' ? { path: at(one), from } : { ...one, path: at(one.path), from },
    ),
    packages: data.packages?.map(one =>
      typeof one === 'string' ? { name: one, folder, from } : { ...one, folder, from },
    ),
    marketplaces: data.marketplaces?.map(one =>
      typeof one === 'string' ? { path: at(one), from } : { ...one, path: at(one.path), from },
    ),
  }
  const isPublishing = Object.values(published).some(list => list !== undefined)
  return {
    ...(overrides && { overrides }),
    ...(precedence && { precedence }),
    ...(additional && { additional: additional.map(at) }),
    // The home folder is the host's to know.
    ...(linksTo && { linksTo: linksTo.map(one => (/^~(?:\/|$)/.test(one) ? one : at(one))) }),
    ...(unmetNeeds && { unmetNeeds }),
    ...(isPublishing && { published }),
    ...(servers && {
      mcp: {
        servers: serversIn(servers, folder, from),
        allows: server => {
          if (server.from === 'project') serverFiles?.check(server.name)
          return true
        },
      },
    }),
    ...(rules && { rules: writtenIn(rules, path) }),
    // A person who switched them off does not want a project to switch them on.
    ...(shell === false && { shell }),
    ...(hooks === false && { hooks }),
    ...(activation === false && { activation }),
    ...(bundled === false && { bundled }),
    ...(files !== undefined && { files: files ? {} : (false as const) }),
    ...(listing && { listing }),
    ...(plugins && { plugins }),
  }
}

/** Servers that the person has not agreed to were removed before, so each of these may be connected to. */
function serversIn(
  servers: NonNullable<ConfigurationData['servers']>,
  folder: string,
  from: ConfigurationFile['from'],
): McpSourceOptions['servers'] {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]): [string, McpServer] => {
      const given = { ...server, from }
      return [name, 'command' in given ? { ...given, cwd: resolve(folder, given.cwd ?? '.') } : given]
    }),
  )
}

/** Each rule with the file that it stands in, which decisions name. */
function writtenIn(
  rules: NonNullable<ConfigurationData['rules']>,
  source: string,
): NonNullable<StandardOptions['rules']> {
  const written = (list: readonly string[] | undefined) => list?.map(rule => ({ rule, source }))
  return { allow: written(rules.allow), ask: written(rules.ask), deny: written(rules.deny) }
}

/**
 * Lists are joined, the later first where an order counts; of single words, and of the precedence, the later one
 * counts: two orders make none.
 */
export function joined(before: ConfigurationOptions, now: ConfigurationOptions): ConfigurationOptions {
  const both = <T>(one: readonly T[] | undefined, other: readonly T[] | undefined): readonly T[] | undefined =>
    one || other ? [...(other ?? []), ...(one ?? [])] : undefined
  const { published, mcp, rules, overrides, additional, linksTo, plugins, listing } = before
  return {
    ...before,
    ...now,
    // What a person switched off no project switches on.
    ...(before.files === false && { files: false }),
    ...((overrides || now.overrides) && { overrides: { ...overrides, ...now.overrides } }),
    ...((additional || now.additional) && { additional: both(additional, now.additional) ?? [] }),
    ...((linksTo || now.linksTo) && { linksTo: both(linksTo, now.linksTo) ?? [] }),
    ...((plugins || now.plugins) && { plugins: withReplacements(plugins ?? [], now.plugins ?? []) }),
    ...((listing || now.listing) && { listing: listingOver(listing, now.listing) }),
    ...((published || now.published) && {
      published: {
        plugins: both(published?.plugins, now.published?.plugins),
        packages: both(published?.packages, now.published?.packages),
        marketplaces: both(published?.marketplaces, now.published?.marketplaces),
      },
    }),
    ...((mcp || now.mcp) && {
      mcp: {
        ...mcp,
        ...now.mcp,
        servers: { ...mcp?.servers, ...now.mcp?.servers },
        allows: async server => ((await mcp?.allows?.(server)) ?? true) && ((await now.mcp?.allows?.(server)) ?? true),
      },
    }),
    ...((rules || now.rules) && {
      rules: {
        allow: both(rules?.allow, now.rules?.allow),
        ask: both(rules?.ask, now.rules?.ask),
        deny: both(rules?.deny, now.rules?.deny),
        unreadable: both(rules?.unreadable, now.rules?.unreadable),
      },
    }),
  }
}
