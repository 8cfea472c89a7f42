import * as z from 'zod/mini'
import { fieldPath, type KeyPath } from '@skills/files/internal'

const text = z.string('must be text')
const texts = z.array(text, 'must be a list of texts')
const paths = z.union([text, texts], 'must be a path or a list of paths')

const command = z.looseObject(
  {
    source: z.optional(text),
    content: z.optional(text),
    description: z.optional(text),
    argumentHint: z.optional(z.union([text, texts], 'must be text or a list of texts')),
    model: z.optional(text),
    allowedTools: z.optional(z.union([text, texts], 'must be text or a list of texts')),
  },
  'must be an object',
)

const value = z.union([z.string(), z.number(), z.boolean()], 'must be text, a number, true or false')

const setting = z.looseObject(
  {
    type: z.optional(text),
    sensitive: z.optional(z.boolean('must be true or false')),
    required: z.optional(z.boolean('must be true or false')),
    default: z.optional(value),
  },
  'must be an object',
)

// Loose, because other keys of a manifest are for other programs, and an unknown key is a warning.
const manifest = z.looseObject(
  {
    name: text,
    version: z.optional(text),
    description: z.optional(text),
    skills: z.optional(paths),
    skillsPath: z.optional(text),
    skillsPaths: z.optional(texts),
    commands: z.optional(
      z.union(
        [text, texts, z.record(z.string(), z.looseObject({}, 'must be an object'))],
        'must be a path, a list of paths, or an object',
      ),
    ),
    hooks: z.optional(
      z.union([text, texts, z.looseObject({}, 'must be an object')], 'must be a path, a list of paths, or an object'),
    ),
    userConfig: z.optional(z.record(z.string(), setting, 'must be an object')),
    dependencies: z.optional(
      z.union(
        [
          z.array(z.union([text, z.looseObject({ name: text })], 'must be a name or an object with a "name"')),
          z.record(z.string(), text),
        ],
        'must be a list of names, or an object with a version for each name',
      ),
    ),
  },
  'must be an object',
)

const commands = z.record(z.string(), command)

const marketplace = z.looseObject(
  {
    name: text,
    metadata: z.optional(z.looseObject({ pluginRoot: z.optional(text) }, 'must be an object')),
    plugins: z.array(z.unknown(), 'must be a list of plugins'),
  },
  'must be an object',
)

const entry = z.looseObject(
  {
    name: text,
    source: z.union(
      [text, z.looseObject({ source: text })],
      'must be a path, or an object that says where the plugin is',
    ),
    strict: z.optional(z.boolean('must be true or false')),
  },
  'must be an object',
)

export type ManifestData = z.infer<typeof manifest>
export type CommandData = z.infer<typeof command>
export type EntryData = z.infer<typeof entry>

/** Valid data, or the problem and the field that has it. */
export type Checked<T> =
  | { readonly data: T }
  | { readonly field: string; readonly keys: KeyPath; readonly message: string }

function check<T>(schema: z.ZodMiniType<T>, data: unknown): Checked<T> {
  const result = schema.safeParse(data)
  if (result.success) return { data: result.data }
  const [issue] = result.error.issues
  const keys = (issue?.path ?? []).map(key => (typeof key === 'number' ? key : String(key)))
  const isMissing = issue?.code === 'invalid_type' && keys.length > 0 && valueAt(data, keys) === undefined
  return { field: fieldPath(keys), keys, message: isMissing ? 'is missing' : (issue?.message ?? 'is not valid') }
}

function valueAt(data: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    data,
  )
}

export const checkManifest = (data: unknown): Checked<ManifestData> => check(manifest, data)
/** Checks commands that are objects separately, because a union would only report that no form fits. */
export const checkCommands = (data: unknown): Checked<Record<string, CommandData>> => check(commands, data)
export const checkMarketplace = (data: unknown): Checked<z.infer<typeof marketplace>> => check(marketplace, data)
export const checkEntry = (data: unknown): Checked<EntryData> => check(entry, data)
