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
  check,
  formOf,
} from '@skills/core/schema'
import { formatterOptions, type AnyListing } from '@skills/formatter-budget/options'
import { closestNames } from '@skills/core'
import { fieldPath, isJsonObject, type KeyPath } from '@skills/files/internal'
import { agentNames } from './agents-here.js'
import { distributionNames, isKnown } from './distribution-named.js'
import { isModulePath } from './distribution-place.js'
import type { Override, Plugin } from '@skills/core'
import type { ConfigurationFile } from './find-configuration.js'
import type { DistributionName } from './distribution-named.js'
import type { DistributionOptions } from './distribution.js'

/** Content of configuration files as options of a distribution. */
export type ConfigurationOptions = Partial<Omit<DistributionOptions, 'host' | 'onDiagnostic'>>

/** File from which a configuration was read. */
interface Place extends Pick<ConfigurationFile, 'path' | 'from'> {
  readonly folder: string
  /** Throws if a file that a server names has changed since a person agreed to it. */
  readonly serverFiles?: { check(name: string): void } | undefined
  /** Texts of plugins that a person agreed to, by folder or name of the package. */
  readonly pluginTexts?: ReadonlyMap<string, string> | undefined
}

/** Returns true if a person agreed to an entry that gives a project more rights. Kind and label are shown to them. */
type Agreed = (kind: string, label: string, value: unknown, path: KeyPath) => boolean

/** Definition of one key of a configuration. */
interface Key<T> {
  readonly schema: StandardSchema<T>
  /** Messages for a wrong value, then for wrong values within it, level by level: `"files" of the configuration …`. */
  readonly says: readonly [string, ...string[]]
  /** Reduces a project's value to what denies or narrows, and what a person agreed to. Default: the whole value. */
  readonly kept?: ((value: T, agreed: Agreed) => T | undefined) | undefined
  /** Converts the value to options of a distribution. Default: options of the same name. */
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
/** The formatter checks the values, because a configuration may adjust a strategy without naming it. */
const listing = object(
  Object.fromEntries(Object.keys(formatterOptions.shape).map(name => [name, anything])),
) as StandardSchema as StandardSchema<AnyListing>

const texts = list(text())
const isTexts = ['must be a list of texts', 'must be text'] as const
/** Settings of a plugin, by name. */
const values = record(either(text(), number(), flag()))
/** The servers are names in the `mcp.json` of the plugin. */
const naming = { enabled: flag(), config: values, servers: texts }
const plugin = either(text(), object({ path: text().required(), ...naming }))
const npmPackage = either(text(), object({ name: text().required(), ...naming }))
const marketplace = either(
  text(),
  object({
    path: text().required(),
    enabled: flag(),
    only: texts,
    disabled: texts,
    /** Settings by name of the plugin. */
    config: record(values),
  }),
)
/** Server that is started in the folder of the file, or that is reached by its URL. */
const server = either(
  object({ command: text().required(), args: texts, env: record(text()), cwd: text(), enabled: flag() }),
  object({ url: text().required(), headers: record(text()), enabled: flag() }),
)
export type ConfiguredServer = InputOf<typeof server>

const withPath = <T extends { readonly path: string }>(one: string | T, { folder, from }: Place) =>
  typeof one === 'string' ? { path: resolve(folder, one), from } : { ...one, path: resolve(folder, one.path), from }

/** Adds the text that a person agreed to to a plugin of a project whose servers may be used. */
const withAgreed = <T extends object>(
  one: T,
  name: string,
  { from, pluginTexts }: Place,
): T & { readonly agreedTo?: string | undefined } =>
  from === 'project' && 'servers' in one && one.servers !== undefined
    ? { ...one, agreedTo: pluginTexts?.get(name) ?? '' }
    : one

/** Returns the options for the servers of plugins, if one of them is named with servers. */
const forServers = (
  all: readonly (string | { readonly servers?: readonly string[] | undefined })[],
): ConfigurationOptions =>
  all.some(one => typeof one === 'object' && one.servers !== undefined)
    ? // Entries that the person has not agreed to were removed before.
      { mcp: { servers: {}, allows: () => true } }
    : {}

/** Makes a key of which only `false` has an effect: a project must not switch on what a person switched off. */
const switchedOff = (name: 'activation' | 'bundled' | 'hooks' | 'shell') =>
  key(flag(), ['must be true or false'], { options: value => (value ? {} : { [name]: false }) })

/** Every key, in the order in which a person is asked about what they widen. */
const configurationKeyTable = {
  /** Distribution whose rules apply: a name, the path of a module, or an installed package. Default: `standard`. */
  distribution: key(
    text<DistributionName | (string & {})>(),
    [`must be one of ${distributionNames.join(', ')}, a path such as ./acme.js, or an installed package`],

    { kept: whole('distribution'), options: () => ({}) },
  ),
  /**
   * Agents that the skills are meant for, by name of the distribution: `skills compat` fails if one of them loses a
   * skill. Applies before a folder is trusted too, because nothing else depends on it.
   */
  agents: key(
    list(oneOf<string>(...agentNames)),
    ['must be a list of names of agents', `must each be one of ${agentNames.join(', ')}`],

    { options: () => ({}) },
  ),
  /** Report skills whose needs are not met, or leave them out. Default: `tell`. */
  unmetNeeds: key(
    oneOf('tell', 'leave-out'),
    ['must be tell or leave-out'],

    { kept: whole('unmetNeeds', value => value === 'tell') },
  ),
  /** Names of sources, highest precedence first. */
  precedence: key(texts, isTexts, { kept: whole('precedence') }),
  /** Options of the listing that a model reads. */
  listing: key(
    listing,
    ['must be an object'],

    { kept: whole('listing') },
  ),
  /** Insert the content of files that a skill names into its text. */
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
    // Only the host knows the home folder.
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
      options: (all, place) => ({
        ...forServers(all),
        published: {
          plugins: all.map(one => {
            const given = withPath(one, place)
            return withAgreed(given, given.path, place)
          }),
        },
      }),
    },
  ),
  /** npm packages that are plugins. */
  packages: key(
    list(npmPackage),
    ['must be a list of packages', 'must be the name of a package, or an object with one'],

    {
      kept: each('package', one => (typeof one === 'string' ? one : one.name)),
      options: (all, place) => ({
        ...forServers(all),
        published: {
          packages: all.map(one => {
            const { folder, from } = place
            return typeof one === 'string'
              ? { name: one, folder, from }
              : withAgreed({ ...one, folder, from }, one.name, place)
          }),
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
  /** Permission rules, such as `Bash(git status:*)`. */
  rules: key(
    object({ allow: texts, ask: texts, deny: texts }),
    ['must be an object with allow, ask or deny', ...isTexts],

    {
      kept: (rules, agreed) => ({
        ...rules,
        allow: rules.allow?.filter((rule, at) => agreed('rule', rule, rule, ['allow', at])),
      }),
      // Each rule keeps the file that it is from, which decisions name.
      options: ({ allow, ask, deny }, { path: source }) => {
        const written = (rules: readonly string[] | undefined) => rules?.map(rule => ({ rule, source }))
        return { rules: { allow: written(allow), ask: written(ask), deny: written(deny) } }
      },
    },
  ),
  /** `false`: ignore the fields that make a skill wait for a file, and the skills in folders further down. */
  activation: switchedOff('activation'),
  /** `false`: leave out the skills that come with the program. */
  bundled: switchedOff('bundled'),
  /** `false`: run no hooks of skills and plugins. */
  hooks: switchedOff('hooks'),
  /** `false`: run no embedded commands. */
  shell: switchedOff('shell'),
}

type Keys = typeof configurationKeyTable
type ValueOf<K> = K extends Key<infer T> ? T : never

/**
 * Content of a configuration file: the default export of a `skills.config.mjs`, or the value it returns, or the object
 * in a `skills.config.json`. Paths and packages are resolved from the folder of the file. See
 * docs/reference/distributions.md, "Configuration".
 */
export type ConfigurationData = { readonly [K in keyof Keys]?: ValueOf<Keys[K]> | undefined } & {
  /** Plugins of the engine. Allowed in a `skills.config.mjs` only. */
  readonly providers?: readonly Plugin[] | undefined
}

/** Every key with its definition, for code that handles all keys in the same way. */
export const keyEntries = Object.entries(configurationKeyTable as unknown as Readonly<Record<string, Key<unknown>>>)

/** Keys that a configuration file may have, besides `$schema`. */
export const configurationKeys: readonly string[] = Object.keys(configurationKeyTable)

export type CheckedConfiguration =
  | {
      readonly data: ConfigurationData
      readonly unknown: readonly { readonly path: KeyPath; readonly field: string; readonly hint: string }[]
    }
  /** Problem of a value. `path` leads to the innermost key that has a name. */
  | { readonly field: string; readonly path: KeyPath; readonly message: string }

/**
 * Checks the content of a configuration file. Unknown keys are reported, and the others are used.
 * @param isInstalled returns true if a package of this name is installed
 * @param more further keys that this kind of file may have
 */
export function checkConfiguration(
  given: unknown,
  isInstalled: (name: string) => boolean,
  more: readonly string[] = [],
): CheckedConfiguration {
  if (!isJsonObject(given)) return { field: '', path: [], message: 'must be an object' }
  // An unknown key is reported, and the other keys are used.
  const unknown: UnknownKey[] = []
  const known = knownIn(configurationSchema, given, [], unknown)
  const [issue] = check(configurationSchema, known).issues
  if (issue !== undefined) {
    const [name = ''] = issue.path as string[]
    const says = keyEntries.find(([one]) => one === name)?.[1].says ?? []
    const keys = (issue.path as KeyPath).slice(0, says.length)
    const named = keys.findLastIndex(one => typeof one === 'string')
    return { field: fieldPath(keys), path: keys.slice(0, named + 1), message: says[keys.length - 1] ?? issue.message }
  }
  const data = given as ConfigurationData
  const { distribution: name = 'standard' } = data
  if (!isKnown(name) && !isModulePath(name) && !isInstalled(name)) {
    const [close] = closestNames(name, distributionNames, 1)
    const meant = close === undefined ? '' : `; the closest is "${close}"`
    return {
      field: 'distribution',
      path: ['distribution'],
      message: `${configurationKeyTable.distribution.says[0]}${meant}`,
    }
  }
  const besides = ['$schema', ...more]
  return {
    data,
    unknown: unknown
      .filter(({ path: [first = '', ...below] }) => below.length > 0 || !besides.includes(String(first)))
      .map(one => ({ path: one.path, field: fieldPath(one.path), hint: hintFor(one, more) })),
  }
}

/** Schema of a configuration file. */
export const configurationSchema = object(
  Object.fromEntries(keyEntries.map(([name, { schema }]) => [name, schema as StandardSchema])),
)

interface UnknownKey {
  readonly path: KeyPath
  /** Keys that are allowed in its place. */
  readonly known: readonly string[]
}

/** Returns the value without unknown keys at any depth. They are added to `unknown` in their order. */
function knownIn(schema: StandardSchema, value: unknown, path: KeyPath, unknown: UnknownKey[]): unknown {
  const form = formOf(schema)
  if (form?.type === 'list')
    return Array.isArray(value) ? value.map((one, at) => knownIn(form.item, one, [...path, at], unknown)) : value
  if (form?.type === 'either') {
    for (const one of form.some) {
      const found: UnknownKey[] = []
      const known = knownIn(one, value, path, found)
      if (check(one, known).issues.length > 0) continue
      unknown.push(...found)
      return known
    }
    return value
  }
  if (!isJsonObject(value) || (form?.type !== 'object' && form?.type !== 'record')) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const inner = form.type === 'record' ? form.value : Object.hasOwn(form.shape, name) ? form.shape[name] : undefined
      if (inner !== undefined) return [[name, knownIn(inner, one, [...path, name], unknown)]]
      if (form.type === 'object') unknown.push({ path: [...path, name], known: Object.keys(form.shape) })
      return []
    }),
  )
}

function hintFor({ path, known }: UnknownKey, more: readonly string[]): string {
  const words = path.length === 1 ? [...known, ...more] : known
  const [close] = closestNames(String(path.at(-1)), words, 1)
  return close === undefined ? `It can have ${words.join(', ')}.` : `Did you mean "${close}"?`
}
