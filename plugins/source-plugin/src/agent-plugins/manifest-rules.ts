import { isJsonObject, pluginSchema, standardVersion, type KeyPath } from '@skills/files/internal'

/** Fields of a root `plugin.json`. A closed list: client data belongs into `extensions`. */
export const standardKeys: readonly string[] = [
  '$schema',
  'name',
  'version',
  'description',
  'author',
  'homepage',
  'repository',
  'license',
  'keywords',
  'extensions',
]

/** Violation of a rule, at a field. */
export interface Violation {
  readonly keys: KeyPath
  /** Predicate of a sentence about the field. */
  readonly message: string
}

/** Verdict on a root `plugin.json`. */
export interface ManifestVerdict {
  /** Violations that refuse the plugin. */
  readonly fatal: readonly Violation[]
  /** Violations that are only reported: unknown fields, and `extensions` that is not an object. */
  readonly ignored: readonly Violation[]
  /** Version that the manifest declares, if it is another version of the standard. */
  readonly otherVersion?: string | undefined
}

const texts = ['version', 'description', 'homepage', 'repository', 'license'] as const
const authorKeys: readonly string[] = ['name', 'email', 'url']

/** Judges the fields of a root `plugin.json` by the rules of Agent Plugins 1.0.0. Reads nothing but its argument. */
export function judgeManifest(data: Readonly<Record<string, unknown>>): ManifestVerdict {
  const fatal: Violation[] = []
  const refuse = (keys: KeyPath, message: string): unknown => fatal.push({ keys, message })
  const has = (key: string): boolean => Object.hasOwn(data, key)
  const otherVersion = versionIn(data['$schema'], 'plugin')
  if (!has('$schema')) refuse(['$schema'], 'is missing')
  else if (data['$schema'] !== pluginSchema) refuse(['$schema'], `must be "${pluginSchema}"`)
  if (!has('name')) refuse(['name'], 'is missing')
  else {
    const problem = standardNameProblem(data['name'])
    if (problem !== undefined) refuse(['name'], problem)
  }
  for (const key of texts) if (has(key) && typeof data[key] !== 'string') refuse([key], 'must be text')
  if (has('author')) {
    const { author } = data
    if (!isJsonObject(author)) refuse(['author'], 'must be an object')
    else
      for (const [key, value] of Object.entries(author)) {
        if (!authorKeys.includes(key)) refuse(['author', key], 'is not a field of an author')
        else if (typeof value !== 'string') refuse(['author', key], 'must be text')
      }
  }
  if (has('keywords')) {
    const { keywords } = data
    if (!Array.isArray(keywords)) refuse(['keywords'], 'must be a list of texts')
    else
      keywords.forEach((one: unknown, at) => {
        if (typeof one !== 'string') refuse(['keywords', at], 'must be text')
      })
  }
  const ignored: Violation[] = Object.keys(data)
    .filter(key => !standardKeys.includes(key))
    .map(key => ({ keys: [key], message: 'is not a field of an Agent Plugins manifest' }))
  if (has('extensions')) {
    const { extensions } = data
    if (!isJsonObject(extensions)) ignored.push({ keys: ['extensions'], message: 'must be an object' })
    else
      for (const [key, value] of Object.entries(extensions))
        if (!isJsonObject(value)) refuse(['extensions', key], 'must be an object')
  }
  return { fatal, ignored, otherVersion }
}

/** Returns the version in the identifier of a schema of the standard, if it is not the one that is read here. */
export function versionIn(schema: unknown, kind: 'plugin' | 'mcp'): string | undefined {
  const [, version, of] =
    typeof schema === 'string'
      ? (/^https:\/\/agent-plugins\.org\/schemas\/([^/]+)\/(plugin|mcp)\.schema\.json$/.exec(schema) ?? [])
      : []
  return of !== kind || version === standardVersion ? undefined : version
}

/** Returns the predicate of a sentence about an invalid name, or undefined for a valid one. */
export function standardNameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string') return 'must be text'
  if (name === '') return 'must not be empty'
  if (name.length > 64) return 'must have at most 64 characters'
  return /^(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name)
    ? undefined
    : `cannot be ${JSON.stringify(name)}: a name has lower-case letters, digits, and single hyphens and periods between them`
}
