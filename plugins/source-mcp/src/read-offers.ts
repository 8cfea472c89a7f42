import { isDeepStrictEqual } from 'node:util'
import { messageOf, type Diagnostic } from '@skills/core'
import { oneLine } from '@skills/skill-tool'
import { mostPages, untimed, type Connection } from './connection.js'
import { placeOf } from './names.js'
import type { PromptArgument } from './arguments.js'
import type { Skill } from '@modelcontextprotocol/client/ext/skills'

/** A prompt as its server describes it. */
export interface PromptOffer {
  readonly kind: 'prompt'
  /** What the server calls it. */
  readonly given: string
  readonly description: string | undefined
  readonly args: readonly PromptArgument[]
}

/** A skill as its server describes it. */
export interface SkillOffer {
  readonly kind: 'skill'
  readonly given: string
  readonly entry: Skill
}

export type Offer = PromptOffer | SkillOffer

/** Everything that a server lists, and what of it was no good. */
export interface Offers {
  readonly offers: readonly Offer[]
  readonly problems: readonly Diagnostic[]
}

/** Runs one request under its time limit. */
export type Limited = <T>(what: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>

/** A page more is read beyond that, and no further. */
const mostPrompts = 100_000

/** Takes whatever a server gives: each entry of a list is looked at by itself, so that a bad one costs no other. */
const anything = { '~standard': { version: 1, vendor: 'skills', validate: (value: unknown) => ({ value }) } } as const

/** Asks a server for all its prompts and skills, page by page. */
export async function readOffers(server: string, connection: Connection, limited: Limited): Promise<Offers> {
  const prompts = connection.client.getServerCapabilities()?.prompts === undefined ? { offers: [], problems: [] } : await readPrompts(server, connection, limited)
  const skills = connection.skills === undefined ? { offers: [], problems: [] } : await readSkills(server, connection.skills, limited)
  return { offers: [...prompts.offers, ...skills.offers], problems: [...prompts.problems, ...skills.problems] }
}

async function readPrompts(server: string, { client }: Connection, limited: Limited): Promise<Offers> {
  const offers = new Map<string, PromptOffer>()
  const problems: Diagnostic[] = []
  const cursors = new Set<string>()
  for (let cursor: string | undefined; ;) {
    const params = cursor === undefined ? {} : { cursor }
    const page = recordOf(await limited('Listing the prompts', signal => client.request({ method: 'prompts/list', params }, anything, untimed(signal))))
    const { prompts } = page
    if (!Array.isArray(prompts)) throw new TypeError(`its answer to prompts/list holds no list of prompts`)
    for (const prompt of prompts) {
      const read = promptOf(prompt)
      if (typeof read === 'string') problems.push(problem(server, 'mcp-invalid-prompt', nameIn(prompt), `A prompt of the MCP server "${server}" is left out: ${read}.`))
      else if (!offers.has(read.given)) offers.set(read.given, read)
      else if (!isDeepStrictEqual(offers.get(read.given), read)) problems.push(problem(server, 'mcp-invalid-prompt', read.given, `The MCP server "${server}" lists the prompt "${oneLine(read.given)}" twice; the first counts.`))
    }
    const next = page['nextCursor']
    if (typeof next !== 'string') break
    const tooMuch = cursors.has(next) ? 'a page leads back to an earlier one' : cursors.size >= mostPages ? `there are more than ${mostPages} pages` : offers.size > mostPrompts ? `there are more than ${mostPrompts}` : undefined
    if (tooMuch !== undefined) {
      problems.push(problem(server, 'mcp-list-cut', undefined, `The list of prompts of the MCP server "${server}" is cut: ${tooMuch}. The ${offers.size} prompts up to there are listed.`))
      break
    }
    cursors.add(next)
    cursor = next
  }
  return { offers: [...offers.values()], problems }
}

async function readSkills(server: string, client: NonNullable<Connection['skills']>, limited: Limited): Promise<Offers> {
  const { skills, invalid } = await limited('Listing the skills', signal => client.list({}, untimed(signal)))
  return {
    offers: skills.map(entry => ({ kind: 'skill', given: entry.frontmatter.name, entry })),
    problems: invalid.map(({ uri, index, reason }) => {
      const which = uri === undefined ? `number ${index + 1}` : `"${oneLine(uri)}"`
      return problem(server, 'mcp-invalid-skill', skillName(uri), `The skill ${which} of the MCP server "${server}" is left out: ${oneLine(reason)}.`)
    }),
  }
}

/** A prompt, or what is wrong with it. */
function promptOf(value: unknown): PromptOffer | string {
  const { name, title, description, arguments: args } = recordOf(value)
  if (typeof name !== 'string' || name.trim() === '') return 'it has no name'
  const described = [description, title].find(text => typeof text === 'string' && text.trim() !== '')
  if (args !== undefined && args !== null && !Array.isArray(args)) return 'its arguments are no list'
  const read = (args ?? []).map(recordOf)
  const names = read.map(one => one['name'])
  if (!names.every((one): one is string => typeof one === 'string' && one.trim() !== '')) return 'an argument has no name'
  if (new Set(names).size < names.length) return 'two arguments have one name'
  return {
    kind: 'prompt', given: name, description: typeof described === 'string' ? described : undefined,
    args: names.map((one, at) => ({ name: one, isRequired: read[at]?.['required'] === true })),
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function nameIn(value: unknown): string | undefined {
  const { name } = recordOf(value)
  return typeof name === 'string' ? name : undefined
}

/** The name in the URI of a skill's file: the folder that holds it. */
export function skillName(uri: string | undefined): string | undefined {
  return uri === undefined ? undefined : /([^/]+)\/SKILL\.md$/.exec(uri)?.[1]
}

/** A finding about a server, at the place by which the engine knows it. */
export function problem(server: string, code: string, name: string | undefined, message: string, hint?: string): Diagnostic {
  return {
    severity: 'error', type: code === 'mcp-name-collision' ? 'validation' : 'source', code, message, path: placeOf(server),
    ...name !== undefined && { name: oneLine(name) }, ...hint !== undefined && { hint },
  }
}

/** What failed, on one line and without what a server could have put into it. */
export function reasonOf(error: unknown): string {
  return oneLine(messageOf(error)).slice(0, 1000)
}
