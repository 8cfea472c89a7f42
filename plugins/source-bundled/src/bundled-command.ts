import {
  promptCommand,
  SkillsError,
  withDeadline,
  type CallContext,
  type PromptBody,
  type PromptCommand,
} from '@skills/core'
import { fieldsOf } from './field-table.js'
import type { OwnField } from '@skills/core/fields'
import type { BundledSkill } from './bundled-skill.js'

/** What a command needs of its source. */
export interface BundledStore {
  /** Of the host. */
  readonly fields: readonly OwnField[]
  /** The skill that is registered under a name at this moment; undefined when there is none any more. */
  registered(name: string, signal: AbortSignal): Promise<BundledSkill | undefined>
  /** Where the skill's files lie, extracted; undefined when it has none. */
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
      // Others wait for the same extraction: it goes on without this one.
      folder = await withDeadline(() => store.folderOf(found), { signals: [signal] })
      if (found.getPrompt === undefined) return { template: found.body }
      const { getPrompt } = found
      const blocks: unknown = await withDeadline(
        async inner => getPrompt.call(found, args, { signal: inner, baseDir: folder }),
        { signals: [signal] },
      )
      if (!Array.isArray(blocks))
        throw new SkillsError('E_PROVIDER_FAILED', `getPrompt of the bundled skill "${name}" gave no list of blocks.`, {
          hint: "Give [{ type: 'text', text }].",
        })
      return { blocks }
    },
  })
  // `baseDir` is undefined until the files are extracted: the folder does not exist before.
  return files === undefined
    ? command
    : Object.defineProperty(command, 'baseDir', { enumerable: true, get: () => folder })
}
