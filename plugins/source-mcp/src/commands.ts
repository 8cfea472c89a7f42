import { createHash } from 'node:crypto'
import { compareCodeUnits, promptCommand, type Command, type ContentBlock, type PromptCommand } from '@skills/core'
import { fieldTable } from '@skills/core/fields'
import { commandParts, readFields, type SkillFields } from '@skills/skill-md'
import { cutTo } from '@skills/invocation/internal'
import { oneLine } from '@skills/invocation/skill-tool'
import { argumentHint, namedArguments } from './arguments.js'
import { blocksOf, originBlock, remoteText } from './blocks.js'
import { untimed } from './connection.js'
import { placeOf } from './names.js'
import { isRefusal, type Requests } from './requests.js'
import { filesOf, readVerified } from './read-skill.js'
import { keepFiles } from './skill-files.js'
import { anything, recordOf } from './unchecked.js'
import type { Skill } from '@modelcontextprotocol/client/ext/skills'
import type { SkillManifest } from '@skills/invocation'
import type { McpSettings } from './options.js'
import type { PromptOffer, SkillOffer } from './read-offers.js'

/** Most characters of a description, so that a server cannot fill a listing with one. */
const longest = 1024
/**
 * Fields that only describe a skill. Fields that would give it permissions, hide it from its user or start something
 * are treated as metadata.
 */
const describing = fieldTable.filter(field => field.remote).map(({ name }) => name)

/**
 * Converts a prompt to a command. The command is not a skill: only a person can invoke it, and it is not listed to a
 * model.
 */
export function promptOf(
  server: string,
  name: string,
  { given, description, args }: PromptOffer,
  requests: Requests,
): Command {
  const hint = argumentHint(args)
  return promptCommand({
    name,
    source: 'mcp',
    loadedFrom: 'mcp',
    isSkill: false,
    argumentNames: args.map(argument => oneLine(argument.name)),
    ...(description !== undefined && { description: described(description) }),
    ...(hint !== undefined && { argumentHint: cutTo(hint, longest) }),
    async load(typed, { signal }) {
      const named = namedArguments(name, args, typed)
      const messages = await requests.request(
        `Reading the prompt "${name}"`,
        async ({ client }, limited) => {
          try {
            // Not the client's own getPrompt, which refuses a whole prompt for one unknown part.
            return messagesIn(
              await client.request(
                { method: 'prompts/get', params: { name: given, arguments: named } },
                anything,
                untimed(limited),
              ),
            )
          } catch (error) {
            if (isRefusal(error)) requests.forget()
            throw error
          }
        },
        signal,
      )
      return { blocks: [originBlock(server, 'prompt', given), ...blocksOf(messages)] }
    },
  })
}

/** Converts a skill to a command, or returns the problem of its frontmatter. */
export function skillOf(
  server: string,
  name: string,
  { given, entry }: SkillOffer,
  { fields: own, asks }: Pick<McpSettings, 'fields' | 'asks'>,
  requests: Requests,
): Command | string {
  const { fields, problems } = readFields(entry.frontmatter, { only: describing, own })
  const wrong = problems.find(({ severity }) => severity === 'error')
  if (wrong !== undefined) return wrong.message
  const { metadata = {}, ...shown } = fields
  const manifest = entry.resources === 'dynamic' ? undefined : entry.resources.find(({ uri }) => uri === entry.uri)
  const command: PromptCommand = promptCommand({
    ...commandParts(inOneLine(shown) as SkillFields, own),
    name,
    source: 'mcp',
    loadedFrom: 'mcp',
    contentLength: manifest?.size ?? 0,
    metadata,
    ...(asks && { manifest: manifestOf(server, entry) }),
    ...(manifest !== undefined && { digest: () => manifest.digest.replace('sha256:', '') }),
    async load(typed, { signal }) {
      const { file, held } = await readVerified(name, { entry, mayChange: !asks }, requests, signal)
      const files = filesOf(name, held, requests)
      keepFiles(command, files)
      const listed: readonly ContentBlock[] =
        files.paths.length === 0
          ? []
          : [remoteText(`Files of this skill on the server: ${files.paths.map(path => oneLine(path)).join(', ')}`)]
      const words: readonly ContentBlock[] = typed.trim() === '' ? [] : [{ type: 'text', text: `ARGUMENTS: ${typed}` }]
      return { blocks: [originBlock(server, 'skill', given), remoteText(file.body ?? ''), ...listed, ...words] }
    },
  })
  keepFiles(command, filesOf(name, entry, requests))
  return command
}

/** Returns the manifest to which a person agrees: the address and digest of every listed file. */
function manifestOf(server: string, { uri, resources }: Skill): SkillManifest {
  const address = `${placeOf(server)}/${uri}`
  if (resources === 'dynamic') return { address }
  const files = resources.map(file => `${file.digest} ${file.uri}`).sort(compareCodeUnits)
  return { address, digest: createHash('sha256').update(JSON.stringify(files)).digest('hex') }
}

/** Puts every text in a value on one line of limited length. */
function inOneLine(value: unknown): unknown {
  if (typeof value === 'string') return described(value)
  if (Array.isArray(value)) return value.map(inOneLine)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inOneLine(inner)]))
}

function described(text: string): string {
  return cutTo(oneLine(text), longest)
}

function messagesIn(answer: unknown): readonly unknown[] {
  const { messages } = recordOf(answer)
  if (!Array.isArray(messages)) throw new TypeError('its answer to prompts/get has no list of messages')
  return messages
}
