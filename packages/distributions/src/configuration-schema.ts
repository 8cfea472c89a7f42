import * as z from 'zod/mini'
import { closestNames } from '@skills/core'
import { fieldPath, type KeyPath } from '@skills/files'
import type { ConfigurationData } from './configuration-data.js'
import { unknownKeys, type UnknownKey } from './configuration-unknown-keys.js'
import { distributionNames, isKnown } from './distribution-named.js'
import { isModulePath } from './distribution-place.js'
import type { AnyListing } from '@skills/formatter-budget'

const text = z.string('must be text')
const texts = z.array(text, 'must be a list of texts')
const flag = z.boolean('must be true or false')
const values = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()], 'must be text, a number, true or false'),
  'must be an object',
)
const override = z.enum(
  ['on', 'name-only', 'user-only', 'off', 'pinned'],
  'must be on, name-only, user-only, off or pinned',
)

const distribution = z.string({ error: ({ input }) => noDistribution(input) })

const agents = z.array(
  z.enum(distributionNames as [string, ...string[]], `must each be one of ${distributionNames.join(', ')}`),
  'must be a list of names of distributions',
)

function noDistribution(name: unknown): string {
  const [close] = typeof name === 'string' ? closestNames(name, distributionNames, 1) : []
  const meant = close === undefined ? '' : `; the closest is "${close}"`
  return `must be one of ${distributionNames.join(', ')}, a path such as ./acme.js, or an installed package${meant}`
}

// Loose: a key that is not known is reported, and the others count.
const plugin = z.union(
  [text, z.looseObject({ path: text, enabled: z.optional(flag), config: z.optional(values) })],
  'must be a path, or an object with one',
)
const npmPackage = z.union(
  [text, z.looseObject({ name: text, enabled: z.optional(flag), config: z.optional(values) })],
  'must be the name of a package, or an object with one',
)
const marketplace = z.union(
  [
    text,
    z.looseObject({
      path: text,
      enabled: z.optional(flag),
      only: z.optional(texts),
      disabled: z.optional(texts),
      config: z.optional(z.record(z.string(), values)),
    }),
  ],
  'must be a path, or an object with one',
)
const rules = z.looseObject(
  { allow: z.optional(texts), ask: z.optional(texts), deny: z.optional(texts) },
  'must be an object with allow, ask or deny',
)

const server = z.union(
  [
    z.looseObject({
      command: text,
      args: z.optional(texts),
      env: z.optional(z.record(z.string(), text)),
      cwd: z.optional(text),
      enabled: z.optional(flag),
    }),
    z.looseObject({ url: text, headers: z.optional(z.record(z.string(), text)), enabled: z.optional(flag) }),
  ],
  'must be an object with a command or a url',
)

/** What it says the formatter checks. */
const anything = z.optional(z.any())
const listing = z.looseObject(
  {
    budget: anything,
    fraction: anything,
    charsPerToken: anything,
    unknownWindow: anything,
    maxBudget: anything,
    strategy: anything,
    maxDescription: anything,
    minShare: anything,
    escape: anything,
    showsDisplayName: anything,
    tokens: anything,
    use: anything,
    floor: anything,
    note: anything,
    joiner: anything,
  } satisfies Record<keyof AnyListing, typeof anything>,
  'must be an object',
)

const shape = {
  distribution: z.optional(distribution),
  agents: z.optional(agents),
  overrides: z.optional(z.record(z.string(), override, 'must be an object from names to words')),
  precedence: z.optional(texts),
  additional: z.optional(texts),
  linksTo: z.optional(texts),
  unmetNeeds: z.optional(z.enum(['tell', 'leave-out'], 'must be tell or leave-out')),
  plugins: z.optional(z.array(plugin, 'must be a list of plugins')),
  packages: z.optional(z.array(npmPackage, 'must be a list of packages')),
  marketplaces: z.optional(z.array(marketplace, 'must be a list of marketplaces')),
  servers: z.optional(z.record(z.string(), server, 'must be an object from names to servers')),
  rules: z.optional(rules),
  activation: z.optional(flag),
  bundled: z.optional(flag),
  hooks: z.optional(flag),
  shell: z.optional(flag),
  files: z.optional(flag),
  listing: z.optional(listing),
} satisfies Record<keyof Omit<ConfigurationData, 'providers'>, z.ZodMiniType>

const configuration = z.looseObject(shape, 'must be an object')

/** The words that a configuration file may have, besides `$schema`. */
export const configurationKeys: readonly string[] = Object.keys(shape)

export type CheckedConfiguration =
  | {
      readonly data: ConfigurationData
      readonly unknown: readonly { readonly path: KeyPath; readonly field: string; readonly hint: string }[]
    }
  /** `path` leads to the innermost key that has a name. */
  | { readonly field: string; readonly path: KeyPath; readonly message: string }

/**
 * @param isInstalled whether there is a package of a name
 * @param more words that count in this kind of file besides
 */
export function checkConfiguration(
  given: unknown,
  isInstalled: (name: string) => boolean,
  more: readonly string[] = [],
): CheckedConfiguration {
  const result = configuration.safeParse(given)
  if (!result.success) {
    const [issue] = result.error.issues
    const keys = issue?.path.map(key => (typeof key === 'number' ? key : String(key))) ?? []
    const named = keys.findLastIndex(key => typeof key === 'string')
    return { field: fieldPath(keys), path: keys.slice(0, named + 1), message: issue?.message ?? 'is not valid' }
  }
  const { distribution: name = 'standard' } = result.data
  if (!isKnown(name) && !isModulePath(name) && !isInstalled(name))
    return { field: 'distribution', path: ['distribution'], message: noDistribution(name) }
  const besides = ['$schema', ...more]
  const unknown = unknownKeys(configuration, given).filter(
    ({ path: [key = '', ...below] }) => below.length > 0 || !besides.includes(String(key)),
  )
  return {
    data: result.data,
    unknown: unknown.map(one => ({ path: one.path, field: fieldPath(one.path), hint: hintFor(one, more) })),
  }
}

function hintFor({ path, known }: UnknownKey, more: readonly string[]): string {
  const words = path.length === 1 ? [...known, ...more] : known
  const [close] = closestNames(String(path.at(-1)), words, 1)
  return close === undefined ? `It can have ${words.join(', ')}.` : `Did you mean "${close}"?`
}
