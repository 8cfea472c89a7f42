import { resolve } from 'node:path'
import {
  either,
  flag,
  list,
  object,
  oneOf,
  record,
  number,
  text,
  type InputOf,
  type StandardSchema,
} from '@skills/core/schema'
import type { KeyPath } from '@skills/files/internal'
import { formatterOptions, type AnyListing } from '@skills/formatter-budget/options'
import { distributionNames } from './distribution-named.js'
import type { Override, Plugin } from '@skills/core'
import type { ConfigurationFile } from './find-configuration.js'
import type { DistributionName } from './distribution-named.js'
import type { DistributionOptions } from './distribution.js'

/** Configuration files as options of a distribution. */
export type ConfigurationOptions = Partial<Omit<DistributionOptions, 'host' | 'onDiagnostic'>>

/** The file that a configuration is read from. */
export interface Place extends Pick<ConfigurationFile, 'path' | 'from'> {
  readonly folder: string
  /** Throws where a file that a server names is another one than the one that was agreed to. */
  readonly serverFiles?: { check(name: string): void } | undefined
}

/** Says whether a person agreed to an entry that gives a project more rights; kind and label are shown to them. */
export type Agreed = (kind: string, label: string, value: unknown, path: KeyPath) => boolean

/** One key of a configuration. */
interface Key<T> {
  readonly schema: StandardSchema<T>
  /** Messages for a wrong value, then for wrong values within it, level by level: `"files" of the configuration …`. */
  readonly says: readonly [string, ...string[]]
  /** Keeps the part of a project's value that counts: all that forbids or narrows, and what a person agreed to. Default: all. */
  readonly kept?: ((value: T, agreed: Agreed) => T | undefined) | undefined
  /** The value as options of a distribution. Default: those of the same name. */
  readonly options?: ((value: T, place: Place) => ConfigurationOptions) | undefined
}

const key = <S extends StandardSchema>(
  schema: S,
  says: Key<unknown>['says'],
  more: Pick<Key<InputOf<S>>, 'kept' | 'options'> = {},
): Key<InputOf<S>> => ({ schema: schema as StandardSchema<InputOf<S>>, says, ...more })

const whole =
  <T>(name: string, widens: (value: T) => boolean = () => true) =>
  (value: T, agreed: Agreed): T | undefined =>
    !widens(value) || agreed(name, name, value, []) ? value : undefined

const each =
  <T>(kind: string, labelOf: (value: T) => string) =>
  (values: readonly T[], agreed: Agreed): readonly T[] =>
    values.filter((value, at) => agreed(kind, labelOf(value), value, [at]))

const eachNamed =
  <T>(kind: string, widens: (value: T) => boolean = () => true) =>
  (values: Readonly<Record<string, T>>, agreed: Agreed): Readonly<Record<string, T>> =>
    Object.fromEntries(
      Object.entries(values).filter(([label, value]) => !widens(value) || agreed(kind, label, value, [label])),
    )

const anything = either<[StandardSchema<unknown>]>({
  '~standard': { version: 1, vendor: '@skills/distributions', validate: value => ({ value }) },
})
/** The formatter checks what it says: a configuration may adjust a strategy that it does not name. */
const listing = object(
  Object.fromEntries(Object.keys(formatterOptions.shape).map(name => [name, anything])),
) as StandardSchema as StandardSchema<AnyListing>

const texts = list(text())
const isTexts = ['must be a list of texts', 'must be text'] as const
/** Settings of a plugin, by name. */
const values = record(either(text(), number(), flag()))
const plugin = either(text(), object({ path: text().required(), enabled: flag(), config: values }))
const npmPackage = either(text(), object({ name: text().required(), enabled: flag(), config: values }))
const marketplace = either(
  text(),
  object({
    path: text().required(),
    enabled: flag(),
    only: texts,
    disabled: texts,
    /** By plugin. */
    config: record(values),
  }),
)
/** A server that is started in the folder of the file, or one that is spoken to. */
const server = either(
  object({ command: text().required(), args: texts, env: record(text()), cwd: text(), enabled: flag() }),
  object({ url: text().required(), headers: record(text()), enabled: flag() }),
)
export type ConfiguredServer = InputOf<typeof server>

const withPath = <T extends { readonly path: string }>(one: string | T, { folder, from }: Place) =>
  typeof one === 'string' ? { path: resolve(folder, one), from } : { ...one, path: resolve(folder, one.path), from }

/** Only `false` says something: a person who switched it off does not want a project to switch it on. */
const switchedOff = (name: 'activation' | 'bundled' | 'hooks' | 'shell') =>
  key(flag(), ['must be true or false'], { options: value => (value ? {} : { [name]: false }) })

/** Every key, in the order in which a person is asked about what they widen. */
export const configurationKeyTable = {
  /** Whose rules hold: a name, the path of a module, or an installed package. Default: `standard`. */
  distribution: key(
    text<DistributionName | (string & {})>(),
    [`must be one of ${distributionNames.join(', ')}, a path such as ./acme.js, or an installed package`],

    { kept: whole('distribution'), options: () => ({}) },
  ),
  /**
   * Agents that the skills are meant for, by the names of distributions: `skills compat` fails where one of them loses
   * a skill. Counts before a folder is trusted too, since it decides nothing else.
   */
  agents: key(
    list(oneOf<string>(...distributionNames)),
    ['must be a list of names of distributions', `must each be one of ${distributionNames.join(', ')}`],

    { options: () => ({}) },
  ),
  /** Tell of skills whose needs are not met, or leave them out. Default: `tell`. */
  unmetNeeds: key(
    oneOf('tell', 'leave-out'),
    ['must be tell or leave-out'],

    { kept: whole('unmetNeeds', value => value === 'tell') },
  ),
  /** Names of sources, highest first. */
  precedence: key(texts, isTexts, { kept: whole('precedence') }),
  /** How a model is told of skills. */
  listing: key(
    listing,
    ['must be an object'],

    { kept: whole('listing') },
  ),
  /** Read files that a skill names into its text. */
  files: key(flag(), ['must be true or false'], {
    kept: whole('files', value => value),
    options: value => ({ files: value ? {} : false }),
  }),
  /** Overrides of single skills and commands, by name. */
  overrides: key(
    record(oneOf<Override>('on', 'name-only', 'user-only', 'off', 'pinned')),
    ['must be an object from names to words', 'must be on, name-only, user-only, off or pinned'],

    { kept: eachNamed('override', word => word !== 'off') },
  ),
  /** MCP servers by name, each with a command or a URL. */
  servers: key(
    record(server),
    ['must be an object from names to servers', 'must be an object with a command or a url'],

    {
      kept: eachNamed('server'),
      // Servers that the person has not agreed to were removed before, so each of these may be connected to.
      options: (servers, { folder, from, serverFiles }) => ({
        mcp: {
          servers: Object.fromEntries(
            Object.entries(servers).map(([name, one]) => [
              name,
              'command' in one ? { ...one, from, cwd: resolve(folder, one.cwd ?? '.') } : { ...one, from },
            ]),
          ),
          allows: one => {
            if (one.from === 'project') serverFiles?.check(one.name)
            return true
          },
        },
      }),
    },
  ),
  /** Further folders whose skills count as the project's. */
  additional: key(texts, isTexts, {
    kept: each('folder', one => one),
    options: (folders, { folder }) => ({ additional: folders.map(one => resolve(folder, one)) }),
  }),
  /** Folders of skills that links of the project may lead into; `~/` is the home folder. */
  linksTo: key(texts, isTexts, {
    kept: each('links', one => one),
    // The home folder is the host's to know.
    options: (folders, { folder }) => ({
      linksTo: folders.map(one => (/^~(?:\/|$)/.test(one) ? one : resolve(folder, one))),
    }),
  }),
  /** Folders of plugins. */
  plugins: key(
    list(plugin),
    ['must be a list of plugins', 'must be a path, or an object with one'],

    {
      kept: each('plugin', one => (typeof one === 'string' ? one : one.path)),
      options: (all, place) => ({ published: { plugins: all.map(one => withPath(one, place)) } }),
    },
  ),
  /** npm packages that are plugins. */
  packages: key(
    list(npmPackage),
    ['must be a list of packages', 'must be the name of a package, or an object with one'],

    {
      kept: each('package', one => (typeof one === 'string' ? one : one.name)),
      options: (all, { folder, from }) => ({
        published: {
          packages: all.map(one => (typeof one === 'string' ? { name: one, folder, from } : { ...one, folder, from })),
        },
      }),
    },
  ),
  /** Marketplaces, by file or by folder: all their plugins, `only` some, or all but the `disabled` ones. */
  marketplaces: key(
    list(marketplace),
    ['must be a list of marketplaces', 'must be a path, or an object with one'],

    {
      kept: each('marketplace', one => (typeof one === 'string' ? one : one.path)),
      options: (all, place) => ({ published: { marketplaces: all.map(one => withPath(one, place)) } }),
    },
  ),
  /** Permission rules, as `Bash(git status:*)`. */
  rules: key(
    object({ allow: texts, ask: texts, deny: texts }),
    ['must be an object with allow, ask or deny', ...isTexts],

    {
      kept: (rules, agreed) => ({
        ...rules,
        allow: rules.allow?.filter((rule, at) => agreed('rule', rule, rule, ['allow', at])),
      }),
      // Each with the file that it stands in, which decisions name.
      options: ({ allow, ask, deny }, { path: source }) => {
        const written = (rules: readonly string[] | undefined) => rules?.map(rule => ({ rule, source }))
        return { rules: { allow: written(allow), ask: written(ask), deny: written(deny) } }
      },
    },
  ),
  /** `false`: no skill waits for a file or is looked for further down. */
  activation: switchedOff('activation'),
  /** `false`: no skill that the program brings along. */
  bundled: switchedOff('bundled'),
  /** `false`: no hook of a skill or plugin runs. */
  hooks: switchedOff('hooks'),
  /** `false`: no embedded command runs. */
  shell: switchedOff('shell'),
}

type Keys = typeof configurationKeyTable
type ValueOf<K> = K extends Key<infer T> ? T : never

/**
 * A configuration file: the default export of a `skills.config.mjs`, or what it returns, and the object in
 * a `skills.config.json`. Paths, and packages, are looked for from the folder of the file. See
 * docs/reference/distributions.md, "Configuration".
 */
export type ConfigurationData = { readonly [K in keyof Keys]?: ValueOf<Keys[K]> | undefined } & {
  /** Plugins of the engine; only in a `skills.config.mjs`. */
  readonly providers?: readonly Plugin[] | undefined
}

/** Every key with what is said of it, for code that treats them all alike. */
export const keyEntries = Object.entries(configurationKeyTable as unknown as Readonly<Record<string, Key<unknown>>>)

/** The words that a configuration file may have, besides `$schema`. */
export const configurationKeys: readonly string[] = Object.keys(configurationKeyTable)
