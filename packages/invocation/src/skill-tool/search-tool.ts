import * as s from '@skills/core/schema'
import { messageOf, shownName, SkillsError, type AskOptions, type CatalogEntry } from '@skills/core'
import { escapeTags } from '../escape-tags.js'
import { CatalogSearch, type LargeSearched } from './catalog-search.js'
import { cutTo } from './cut-to.js'
import { isForModels, type Refusal } from './find-skill.js'
import { isListedToModels, type ListingsOptions } from './listings.js'
import { descriptionOf } from './description-of.js'
import { oneLine } from './one-line.js'
import { checkPort, type EnginePort } from './engine-port.js'
import type { JsonSchema } from '@skills/core/json-schema'
import type { ToolContext, Validation } from './skill-tool.js'
import type { ToolResult } from './tool-result.js'

/** Default name of the search tool. A listing that leaves skills out names it. */
export const searchToolName = 'SkillSearch'

const searchToolOptions = s.options('searchTool()', {
  /** Default: {@link searchToolName}. */
  name: s.text().default(searchToolName),
  /** Default: what the tool does and when to use it. */
  description: s.text(),
  /** Skills to show if the model gives no number. */
  limit: s.count().default(10),
  /** Most skills that are shown, even if the model asks for more. */
  most: s.count().default(50),
  /** Longest description with its when-to-use in UTF-16 code units, the ellipsis included. */
  maxDescription: s.count().default(300),
  /**
   * True for entries that a model may be told of. Default: that of the engine's port, else as {@link ListingsOptions}
   * has it.
   */
  isListed: s.fn<NonNullable<ListingsOptions['isListed']>>(),
})

export interface SearchToolOptions extends s.OptionsOf<typeof searchToolOptions> {}

export interface FoundSkill {
  /** Name that it is invoked by. */
  readonly name: string
  readonly description: string
  readonly whenToUse?: string
}

export interface SearchOutcome {
  readonly data: {
    readonly query: string
    /** Number of skills found, shown or not. Rules are not checked for those after the last one shown. */
    readonly total: number
    /** Skills found, the best first. */
    readonly results: readonly FoundSkill[]
  } & LargeSearched
}

export type SearchEnded =
  | { readonly outcome: SearchOutcome }
  | { readonly refusal: Refusal }
  | { readonly error: unknown }

export interface SearchTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly isConcurrencySafe: true
  readonly isReadOnly: true
  /** Checks the input alone. Never rejects. */
  validateInput(input: unknown, context?: Pick<ToolContext, 'signal'>): Promise<Validation>
  /**
   * Searches.
   * @throws SkillsError `E_INVALID_OPTION` for invalid input, `E_NO_PERMISSION` without a permission provider; an
   * `AbortError`; errors of loading the catalog
   */
  call(input: unknown, context?: Pick<ToolContext, 'signal'>): Promise<SearchOutcome>
  /**
   * Writes one line a skill: `- name: description - when to use`. No entry can pass for another or close what wraps the
   * result.
   */
  toToolResult(ended: SearchEnded, toolUseId: string): ToolResult
}

const ownDescription = /* @__PURE__ */ [
  'Searches the skills that there are, also those that a listing has no room for, by name, purpose and keywords.',
  'Use it when none of the skills you were told of fits what is asked, or when you were told that there are more.',
  'Give a few words that say what the skill should do. The result has names and descriptions; invoke what fits with the tool for skills.',
].join('\n')

/** Functions of the engine that the search calls. */
export type SearchPort = Pick<EnginePort, 'catalog' | 'large' | 'permission' | 'isListed' | 'tells'>

/**
 * Makes the tool with which a model searches a catalog that is larger than any listing, for any framework. The tool
 * shows only skills that a listing would show and that no rule denies to the model. The function is asynchronous
 * because it loads the schema library. See docs/reference/listing.md, "Search".
 * @throws SkillsError `E_INVALID_OPTION` for a limit that is not a whole number above 0
 */
export async function searchTool(engine: SearchPort, given?: SearchToolOptions): Promise<SearchTool> {
  const settings = searchToolOptions.read(given)
  checkPort('searchTool()', engine, ['catalog', 'permission'])
  const {
    name,
    description = ownDescription,
    limit: usual,
    most,
    maxDescription,
    isListed = engine.isListed ?? isListedToModels,
  } = settings
  const { searchSchemas } = await import('./search-schema.js')
  const { input: inputSchema, output: outputSchema, parse } = searchSchemas()
  const search = new CatalogSearch(engine, entry => isListed(entry) && isForModels(entry))

  function read(input: unknown): { readonly query: string; readonly limit: number } | Refusal {
    const parsed = parse(input)
    if ('message' in parsed) return { result: false, message: `Invalid input: ${parsed.message}.`, errorCode: 1 }
    if (parsed.query.trim() === '') return { result: false, message: 'Invalid input: query is empty.', errorCode: 1 }
    return { query: parsed.query, limit: Math.min(parsed.limit ?? usual, most) }
  }

  /**
   * Picks the first `limit` entries that no rule denies. It stops there: a question may read a whole skill, and
   * thousands may be found.
   */
  async function pick(
    found: readonly CatalogEntry[],
    limit: number,
    asking: AskOptions,
  ): Promise<Pick<SearchOutcome['data'], 'total' | 'results'>> {
    const results: FoundSkill[] = []
    let denied = 0
    for (const entry of found) {
      if (results.length === limit) break
      if (await isDenied(entry, engine, asking)) denied++
      else results.push(foundSkill(entry))
    }
    return { total: found.length - denied, results }
  }

  return {
    name,
    description,
    inputSchema,
    outputSchema,
    isConcurrencySafe: true,
    isReadOnly: true,
    async validateInput(input) {
      const wanted = read(input)
      return 'result' in wanted ? wanted : { result: true }
    },
    async call(input, { signal } = {}) {
      const wanted = read(input)
      if ('result' in wanted) throw new SkillsError('E_INVALID_OPTION', wanted.message)
      const { entries, ...more } = await search.find(wanted.query, { limit: wanted.limit, signal })
      return { data: { query: wanted.query, ...(await pick(entries, wanted.limit, { signal })), ...more } }
    },
    toToolResult(ended, toolUseId) {
      return {
        type: 'tool_result',
        tool_use_id: toolUseId,
        content: engine.tells?.(textOf(ended, maxDescription)) ?? textOf(ended, maxDescription),
        ...(!('outcome' in ended) && { is_error: true }),
      }
    },
  }
}

/** Asks as the skill tool does before it runs a skill. `ask` is not a denial. */
async function isDenied(entry: CatalogEntry, engine: SearchPort, options: AskOptions): Promise<boolean> {
  return (
    (await engine.permission({ tool: 'Skill', content: entry.name, entry, args: '', caller: 'model' }, options))
      .behavior === 'deny'
  )
}

/** Returns the name alone for a skill that the user wants shown by name only. */
function foundSkill({ name, command, override }: CatalogEntry): FoundSkill {
  if (override === 'name-only') return { name, description: '' }
  const whenToUse = command.type === 'prompt' ? (command.whenToUse ?? '') : ''
  return { name, description: command.description, ...(whenToUse !== '' && { whenToUse }) }
}

function textOf(ended: SearchEnded, maxDescription: number): string {
  if ('refusal' in ended) return ended.refusal.message
  if ('error' in ended) return escapeTags(messageOf(ended.error))
  const { query, total, results, inLargeSources = 0, notSearched = [] } = ended.outcome.data
  const more = notSearched.map(reason => `(Not every skill was searched: ${escapeTags(reason)})`)
  if (total === 0)
    return [`No skill was found for "${cutTo(oneLine(query), 100)}". Other words may find one.`, ...more].join('\n')
  const lines = results.map(result => {
    const name = oneLine(shownName(result.name))
    const shown = cutTo(descriptionOf(result), maxDescription)
    return shown === '' ? `- ${name}` : `- ${name}: ${shown}`
  })
  // No entry can look like this line, since entries begin with a hyphen.
  if (inLargeSources > 0)
    more.unshift(`(The best of ${inLargeSources} skills and more: other words, or a higher limit, find others.)`)
  else if (total > results.length)
    more.unshift(`(${total - results.length} more: say more exactly what you look for, or ask for more.)`)
  return [...lines, ...more].join('\n')
}
