import { fieldTable, ownFields, ownParts, shapeOf, type OwnField } from '@skills/core/fields'
import {
  promptCommand,
  SkillsError,
  withDeadline,
  type CallContext,
  type PromptBody,
  type PromptCommand,
} from '@skills/core'
import type { BundledSkill } from './bundled-skill.js'

/** Fields by property. `name` is the name of invocation; the field `name` of a file is the property `displayName`. */
const entries = fieldTable.map(field => [field.name === 'name' ? 'displayName' : field.property, field] as const)

/** Returns the fields that a skill sets. As in frontmatter, null counts as missing, and the model `inherit` as none. */
function fieldsOf(skill: BundledSkill, known: readonly OwnField[]): Partial<PromptCommand> {
  const { own } = skill
  const fields: Partial<PromptCommand> = Object.fromEntries(
    entries.flatMap(([property, { type, none }]) => {
      const value: unknown = Reflect.get(skill, property)
      return value === undefined || value === null || (type === 'text' && value === none) ? [] : [[property, value]]
    }),
  )
  if (own !== undefined) Object.assign(fields, ownParts(own, known), { [ownFields]: own })
  return fields
}

/** Returns the first field with a value of the wrong type, as the end of a sentence about the skill. */
export function wrongField(skill: object, known: readonly OwnField[]): string | undefined {
  const own: unknown = Reflect.get(skill, 'own') ?? {}
  if (typeof own !== 'object' || own === null) return 'has an "own" that is not an object of fields'
  const all = [...entries.map(entry => [skill, ...entry] as const), ...known.map(one => [own, one.name, one] as const)]
  for (const [of, property, field] of all) {
    const value: unknown = Reflect.get(of, property)
    const [expected, fits] = shapeOf(field, undefined)
    if (value !== undefined && value !== null && !fits(value))
      return `has something other than ${expected} as its ${property}`
  }
  return undefined
}

/** Functions of the source that a command needs. */
export interface BundledStore {
  /** Fields of the host. */
  readonly fields: readonly OwnField[]
  /** Returns the skill that is now registered under a name. Undefined if there is none any more. */
  registered(name: string, signal: AbortSignal): Promise<BundledSkill | undefined>
  /** Extracts the skill's files and returns their folder. Undefined if it has none. */
  folderOf(skill: BundledSkill): Promise<string | undefined>
}

export function bundledCommand(skill: BundledSkill, store: BundledStore): PromptCommand {
  const { name, body, files } = skill
  let folder: string | undefined
  const command = promptCommand({
    ...fieldsOf(skill, store.fields),
    name,
    source: 'bundled',
    loadedFrom: 'bundled',
    contentLength: body === undefined ? 0 : Buffer.byteLength(body),
    isEnabled: () => skill.isEnabled?.() ?? true,
    async load(args: string, { signal }: CallContext): Promise<PromptBody> {
      const found = await store.registered(name, signal)
      if (found === undefined)
        throw new SkillsError('E_FILE_CHANGED', `The skill "${name}" is no longer registered.`, {
          hint: 'List the skills again.',
        })
      // Others may wait for the same extraction, which continues without this call.
      folder = await withDeadline(() => store.folderOf(found), { signals: [signal] })
      if (found.getPrompt === undefined) return { template: found.body }
      const { getPrompt } = found
      const blocks: unknown = await withDeadline(
        async inner => getPrompt.call(found, args, { signal: inner, baseDir: folder }),
        { signals: [signal] },
      )
      if (!Array.isArray(blocks))
        throw new SkillsError(
          'E_PROVIDER_FAILED',
          `getPrompt of the bundled skill "${name}" did not return a list of blocks.`,
          { hint: "Give [{ type: 'text', text }]." },
        )
      return { blocks }
    },
  })
  // `baseDir` is undefined until the files are extracted, because the folder does not exist before.
  return files === undefined
    ? command
    : Object.defineProperty(command, 'baseDir', { enumerable: true, get: () => folder })
}
