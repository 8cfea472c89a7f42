import { isDeepStrictEqual } from 'node:util'
import { messageOf, type Diagnostic } from '@skills/core'
import { oneLine } from '@skills/invocation/skill-tool'
import { mostPages, untimed, type Connection } from './connection.js'
import { placeOf } from './names.js'
import { anything, recordOf, textIn } from './unchecked.js'
import type { PromptArgument } from './arguments.js'
import type { Skill } from '@modelcontextprotocol/client/ext/skills'

/** Description of a prompt that its server gives. */
export interface PromptOffer {
  readonly kind: 'prompt'
  /** Name on the server. */
  readonly given: string
  readonly description: string | undefined
  readonly args: readonly PromptArgument[]
}

/** Description of a skill that its server gives. */
export interface SkillOffer {
  readonly kind: 'skill'
  readonly given: string
  readonly entry: Skill
}

export type Offer = PromptOffer | SkillOffer

/** Everything that a server lists, and the problems of invalid entries. */
export interface Offers {
  readonly offers: readonly Offer[]
  readonly problems: readonly Diagnostic[]
  /** Reason why its skills could not be listed, if it has some. */
  readonly withoutSkills?: string
}

/** Runs one request within its time limit. */
export type Limited = <T>(what: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>

/** Functions for reading the lists of a server. */
export interface Reading {
  readonly limited: Limited
  /** True if a failure, such as a lost connection, ends the whole reading and not only one list. */
  isOver(error: unknown): boolean
}

/** Entries after which only one more page is read. */
const mostEntries = 100_000
const none: Offers = { offers: [], problems: [] }

/**
 * Requests all prompts and skills of a server, page by page. If skills cannot be listed, the prompts are still listed,
 * unless the failure ends the whole reading.
 */
export async function readOffers(
  server: string,
  connection: Connection,
  { limited, isOver }: Reading,
): Promise<Offers> {
  const prompts =
    connection.client.getServerCapabilities()?.prompts === undefined
      ? none
      : await readPrompts(server, connection, limited)
  if (connection.skills === undefined) return prompts
  try {
    const skills = await readSkills(server, connection, limited)
    return { offers: [...prompts.offers, ...skills.offers], problems: [...prompts.problems, ...skills.problems] }
  } catch (error) {
    if (isOver(error)) throw error
    return { ...prompts, withoutSkills: reasonOf(error) }
  }
}

async function readPrompts(server: string, { client }: Connection, limited: Limited): Promise<Offers> {
  const offers = new Map<string, PromptOffer>()
  const problems: Diagnostic[] = []
  const cut = await readPages(server, client, limited, 'prompts', prompts => {
    for (const prompt of prompts) {
      const read = promptOf(prompt)
      if (typeof read === 'string')
        problems.push(
          problem(
            server,
            'mcp-invalid-prompt',
            textIn(prompt, 'name'),
            `A prompt of the MCP server "${server}" is left out: ${read}.`,
          ),
        )
      else if (!offers.has(read.given)) offers.set(read.given, read)
      else if (!isDeepStrictEqual(offers.get(read.given), read))
        problems.push(
          problem(
            server,
            'mcp-invalid-prompt',
            read.given,
            `The MCP server "${server}" lists the prompt "${oneLine(read.given)}" twice; the first counts.`,
          ),
        )
    }
    return offers.size
  })
  return { offers: [...offers.values()], problems: [...problems, ...cut] }
}

async function readSkills(server: string, { client, checkSkills }: Connection, limited: Limited): Promise<Offers> {
  const entries: unknown[] = []
  const seen = new Map<string, unknown>()
  const cut = await readPages(server, client, limited, 'skills', page => {
    for (const entry of page) {
      const uri = textIn(entry, 'uri')
      // A repeated entry, as in a list that leads back to itself, is not a second skill.
      if (uri !== undefined && seen.has(uri) && isDeepStrictEqual(seen.get(uri), entry)) continue
      if (uri !== undefined) seen.set(uri, entry)
      entries.push(entry)
    }
    return entries.length
  })
  const { skills, invalid } = await checkSkills(entries)
  const problems = invalid.map(({ uri, index, reason }) => {
    const which = uri === undefined ? `number ${index + 1}` : `"${oneLine(uri)}"`
    return problem(
      server,
      'mcp-invalid-skill',
      skillName(uri),
      `The skill ${which} of the MCP server "${server}" is left out: ${oneLine(reason)}.`,
    )
  })
  return {
    offers: skills.map(entry => ({ kind: 'skill', given: entry.frontmatter.name, entry })),
    problems: [...problems, ...cut],
  }
}

/**
 * Requests every page of a list.
 * @param take receives the entries of a page, and returns the number of all entries so far
 * @returns diagnostics for a list that was cut
 */
async function readPages(
  server: string,
  client: Connection['client'],
  limited: Limited,
  what: 'prompts' | 'skills',
  take: (entries: readonly unknown[]) => number,
): Promise<readonly Diagnostic[]> {
  const method = `${what}/list`
  const cursors = new Set<string>()
  for (let cursor: string | undefined; ;) {
    const params = cursor === undefined ? {} : { cursor }
    const page = recordOf(
      await limited(`Listing the ${what}`, signal => client.request({ method, params }, anything, untimed(signal))),
    )
    const entries = page[what]
    if (!Array.isArray(entries)) throw new TypeError(`its answer to ${method} has no list of ${what}`)
    const count = take(entries)
    const next = page['nextCursor']
    if (typeof next !== 'string') return []
    const tooMuch = cursors.has(next)
      ? 'a page leads back to an earlier one'
      : cursors.size >= mostPages
        ? `there are more than ${mostPages} pages`
        : count > mostEntries
          ? `there are more than ${mostEntries} entries`
          : undefined
    if (tooMuch !== undefined)
      return [
        problem(
          server,
          'mcp-list-cut',
          undefined,
          `The list of ${what} of the MCP server "${server}" is cut: ${tooMuch}. Entries that are used: ${count}.`,
        ),
      ]
    cursors.add(next)
    cursor = next
  }
}

/** Reads a prompt. Returns a text with the problem if it is invalid. */
function promptOf(value: unknown): PromptOffer | string {
  const { name, title, description, arguments: args } = recordOf(value)
  if (typeof name !== 'string' || name.trim() === '') return 'it has no name'
  const described = [description, title].find(text => typeof text === 'string' && text.trim() !== '')
  if (args !== undefined && args !== null && !Array.isArray(args)) return 'its arguments are not a list'
  const read = (args ?? []).map(recordOf)
  const names = read.map(one => one['name'])
  if (!names.every((one): one is string => typeof one === 'string' && one.trim() !== ''))
    return 'an argument has no name'
  if (new Set(names).size < names.length) return 'two arguments have the same name'
  return {
    kind: 'prompt',
    given: name,
    description: typeof described === 'string' ? described : undefined,
    args: names.map((one, at) => ({ name: one, isRequired: read[at]?.['required'] === true })),
  }
}

/** Returns the name in the URI of a skill's file: the folder that contains it. */
function skillName(uri: string | undefined): string | undefined {
  return uri === undefined ? undefined : /([^/]+)\/SKILL\.md$/.exec(uri)?.[1]
}

/** Makes a diagnostic about a server. Its path is the text that stands for the server in the engine. */
export function problem(
  server: string,
  code: string,
  name: string | undefined,
  message: string,
  hint?: string,
): Diagnostic {
  return {
    severity: 'error',
    type: code === 'mcp-name-collision' ? 'validation' : 'source',
    code,
    message,
    path: placeOf(server),
    ...(name !== undefined && { name: oneLine(name) }),
    ...(hint !== undefined && { hint }),
  }
}

/**
 * Describes an error on one line, without control characters. It has no full stop at its end, because it becomes part
 * of a sentence.
 */
export function reasonOf(error: unknown): string {
  // The library checks some answers itself, and its error has many lines of JSON.
  const message = messageOf(error).replace(
    /^Invalid result for (\S+): (?:\w+: )?\[\s*\{.*$/s,
    'its answer to $1 does not follow the protocol',
  )
  return (
    oneLine(message)
      .slice(0, 1000)
      .replace(/[.\s]+$/, '') || 'no reason was given'
  )
}
