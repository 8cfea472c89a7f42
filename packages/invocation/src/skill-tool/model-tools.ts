import * as s from '@skills/core/schema'
import { isAbortError, type AskOptions, type ContentBlock } from '@skills/core'
import { searchTool, type SearchTool, type SearchToolOptions } from './search-tool.js'
import { skillTool, type SkillToolOptions, type ToolContext, type ToolPermission } from './skill-tool.js'
import type { EnginePort } from './engine-port.js'
import type { ListingContext } from './formatter.js'
import { forModel, givenText } from './for-model.js'
import { textOf } from './tool-result.js'
import type { JsonSchema } from './schema.js'
import type { Message, Outcome } from '../executor.js'

/** A tool as any framework takes it: what a model is told of it, and a call that ends with something to read. */
export interface ModelTool {
  readonly name: string
  /** What it does, without the skills there are. */
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: JsonSchema
  /** Whether a call changes nothing. */
  readonly isReadOnly: boolean
  /** What it does; with `listingIn: 'description'` the skills there are follow. Rejects as the listing does. */
  describe(context?: Pick<ListingContext, 'agentId' | 'contextWindow'> & AskOptions): Promise<string>
  /** Whether a call would be allowed, for a framework that asks a person itself. Fails closed, as the tool does. */
  permission(input: unknown, context?: ToolContext): Promise<ToolPermission>
  /** What the model reads of a call. Rejects with an `AbortError` alone: any other failure is an answer. */
  answer(input: unknown, context?: ToolContext): Promise<ToolAnswer>
}

export interface ToolAnswer {
  /** At least one block. */
  readonly content: readonly ContentBlock[]
  /** The text of the content. */
  readonly text: string
  readonly isError: boolean
  /** What the model is to read besides, in messages behind the results of all calls; none with `gives: 'results'`. */
  readonly messages: readonly Message[]
  /** What the skill did and asks of the host; undefined for a search, and for an error. */
  readonly outcome?: Outcome | undefined
}

const modelToolsOptions = s.options('modelTools()', {
  /** Of the tool that runs skills: `distribution.tool`. */
  tool: s.typed<SkillToolOptions>('an object').default({}),
  /** Of the tool that searches; `false`: there is none. */
  search: s.either(s.oneOf(false), s.typed<SearchToolOptions>('an object')).default({}),
  /** Where the text of a skill is given: in the result of its call, or as the tool has it. */
  gives: s.oneOf('results', 'messages').default('results'),
})

export interface ModelToolsOptions extends s.OptionsOf<typeof modelToolsOptions> {}

/**
 * The tools by which a model uses skills, for adapters of frameworks whose tools answer with their result alone: the
 * text of a skill is what its call gives. The search is the last of them. See docs/reference/listing.md, "Tools for
 * frameworks".
 */
export async function modelTools(engine: EnginePort, given?: ModelToolsOptions): Promise<readonly ModelTool[]> {
  const { tool: toolOptions, search: searchOptions, gives } = modelToolsOptions.read(given)
  const tool = await skillTool(engine, { listingIn: 'description', ...toolOptions })
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
            // A fork's answer is its result; a skill that says nothing is told of.
            ...answerOf(outcome.data.status === 'inline' && blocks.length > 0 ? blocks : [textBlock(said)]),
            isError,
            outcome,
          }
        },
        error => tool.toToolResult({ error }, '').content,
      ),
  }
  return [runs, ...(search === undefined ? [] : [searching(search)])]
}

/** Needs no permission: it shows what a listing may. */
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

/** What a model reads of an invocation, as one text: what the skill says, else how it went. */
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
