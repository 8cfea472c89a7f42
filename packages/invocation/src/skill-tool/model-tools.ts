import * as s from '@skills/core/schema'
import { isAbortError, type AskOptions, type ContentBlock } from '@skills/core'
import { searchTool, type SearchTool, type SearchToolOptions } from './search-tool.js'
import { skillTool, type SkillToolOptions, type ToolContext, type ToolPermission } from './skill-tool.js'
import type { EnginePort } from './engine-port.js'
import type { ListingContext } from './formatter.js'
import { forModel, givenText } from './for-model.js'
import { textOf } from './tool-result.js'
import type { JsonSchema } from '@skills/core/json-schema'
import type { Message, Outcome } from '../executor.js'

/** Tool for any framework: a description for the model, and a call that always ends with a text for the model. */
export interface ModelTool {
  readonly name: string
  /** Description of the tool, without the list of skills. */
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: JsonSchema
  /** True if a call changes nothing. */
  readonly isReadOnly: boolean
  /**
   * Returns the description; with `listingIn: 'description'` the list of skills follows it. Rejects as the listing
   * does.
   */
  describe(context?: Omit<ListingContext, 'searchTool' | 'own'> & AskOptions): Promise<string>
  /** Decides whether a call would be allowed, for a framework that asks a person itself. Any failure is a denial. */
  permission(input: unknown, context?: ToolContext): Promise<ToolPermission>
  /**
   * Calls the tool and returns what the model reads. Rejects only with an `AbortError`: any other failure is an answer.
   */
  answer(input: unknown, context?: ToolContext): Promise<ToolAnswer>
}

export interface ToolAnswer {
  /** At least one block. */
  readonly content: readonly ContentBlock[]
  /** The text of the content. */
  readonly text: string
  readonly isError: boolean
  /** Further messages for the model, placed after the results of all calls; none with `gives: 'results'`. */
  readonly messages: readonly Message[]
  /** Outcome of the skill, with changes that it asks of the host; undefined for a search and for an error. */
  readonly outcome?: Outcome | undefined
}

const modelToolsOptions = s.options('modelTools()', {
  /** Options of the tool that runs skills: `distribution.tool`. */
  tool: s.typed<SkillToolOptions>('an object').default({}),
  /** Options of the tool that searches; `false` for no such tool. */
  search: s.either(s.oneOf(false), s.typed<SearchToolOptions>('an object')).default({}),
  /** Place of a skill's text. `results` (default): in the result of its call; `messages`: in messages of their own. */
  gives: s.oneOf('results', 'messages').default('results'),
})

export interface ModelToolsOptions extends s.OptionsOf<typeof modelToolsOptions> {}

/**
 * Makes the tools with which a model uses skills, for frameworks whose tools can only return a result. The text of a
 * skill is then the result of the call. The search tool is the last one. See docs/reference/listing.md, "Tools for
 * frameworks".
 */
export async function modelTools(engine: EnginePort, given?: ModelToolsOptions): Promise<readonly ModelTool[]> {
  const { tool: toolOptions, search: searchOptions, gives } = modelToolsOptions.read(given)
  const tool = await skillTool(engine, { listingIn: 'description', ...toolOptions })
  const isTextInResult = (toolOptions.textIn ?? 'messages') !== 'messages'
  const search = searchOptions === false ? undefined : await searchTool(engine, searchOptions)
  const runs: ModelTool = {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    isReadOnly: tool.isReadOnly,
    describe: (context = {}) =>
      tool.describe({ ...context, ...(search && gives === 'results' && { searchTool: search.name }) }),
    permission: (input, context) => tool.checkPermissions(input, context),
    answer: (input, context = {}) =>
      answered(
        async () => {
          const outcome = await tool.call(input, context)
          const { content: said, is_error } = tool.toToolResult({ outcome }, '')
          const isError = is_error === true
          if (gives === 'messages')
            return {
              ...answerOf([textBlock(said)]),
              isError,
              messages: forModel(outcome.newMessages, undefined),
              outcome,
            }
          const blocks = outcome.newMessages
            .filter(({ type }) => type === 'user')
            .flatMap(({ content }): readonly ContentBlock[] =>
              typeof content === 'string' ? [{ type: 'text', text: content }] : content,
            )
          return {
            // The answer of a fork is its result. For an inline skill without text, the answer says how it went.
            ...answerOf(
              outcome.data.status !== 'inline' || blocks.length === 0
                ? [textBlock(said)]
                : isTextInResult
                  ? [textBlock(said), ...blocks]
                  : blocks,
            ),
            isError,
            outcome,
          }
        },
        error => tool.toToolResult({ error }, '').content,
      ),
  }
  return [runs, ...(search === undefined ? [] : [searching(search)])]
}

/** Adapts the search tool. It needs no permission: it shows only what a listing may show. */
function searching(search: SearchTool): ModelTool {
  return {
    name: search.name,
    description: search.description,
    inputSchema: search.inputSchema,
    isReadOnly: search.isReadOnly,
    describe: async () => search.description,
    permission: async () => ({
      behavior: 'allow',
      message: 'It shows what a listing may.',
      decisionReason: { type: 'safe' },
    }),
    answer: (input, { signal } = {}) =>
      answered(
        async () => {
          const { content } = search.toToolResult({ outcome: await search.call(input, { signal }) }, '')
          return { ...answerOf([textBlock(content)]), isError: false }
        },
        error => search.toToolResult({ error }, '').content,
      ),
  }
}

/**
 * Returns the text about an invocation that a model reads: the text of the skill or, if there is none, how the
 * invocation ended.
 */
export function textForModel(outcome: Outcome): string {
  return givenText(forModel(outcome.newMessages, undefined)) || textOf({ outcome })
}

async function answered(call: () => Promise<ToolAnswer>, said: (error: unknown) => string): Promise<ToolAnswer> {
  try {
    return await call()
  } catch (error) {
    if (isAbortError(error)) throw error
    return { ...answerOf([textBlock(said(error))]), isError: true }
  }
}

function answerOf(content: readonly ContentBlock[]): Pick<ToolAnswer, 'content' | 'text' | 'messages'> {
  return {
    content,
    messages: [],
    text: content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n'),
  }
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text }
}
