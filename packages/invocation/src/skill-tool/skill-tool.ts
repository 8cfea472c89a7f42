import * as s from '@skills/core/schema'
import {
  abortError,
  isAbortError,
  messageOf,
  SkillsError,
  type AskOptions,
  type CatalogEntry,
  type ErrorCode,
  type MaybePromise,
} from '@skills/core'
import { plainName } from '../invoker.js'
import type { Outcome } from '../executor.js'
import type { OnAsk, PermissionDecision } from '@skills/rules'
import type { InSession } from '../session/in-session.js'
import { findSkill, remotePrefix, type Refusal, type RefusalTexts, type ValidationCode } from './find-skill.js'
import { forModel, givenText, withoutText, withTexts } from './for-model.js'
import { isFailure, textOf, type Ended, type ToolResult } from './tool-result.js'
import { checkPort, type EnginePort } from './engine-port.js'
import type { ListingContext } from './formatter.js'
import type { JsonSchema } from '@skills/core/json-schema'

const skillToolOptions = s.options('skillTool()', {
  name: s.text().default('Skill'),
  /** Default: what the tool does and when to use it. */
  description: s.text(),
  /** Name of the parameter for the skill's name. */
  nameParameter: s.text().default('skill'),
  /** True if there is a parameter `args`. */
  takesArgs: s.flag().default(true),
  /** True if the message about an unknown skill lists the closest names. */
  suggests: s.flag().default(true),
  /** Matching of names. `any`: letters of another case count if only one skill fits; `exact`: they do not. */
  letters: s.oneOf('any', 'exact').default('any'),
  /** True if the answer tells a skill that could not be loaded (code 3) from an unknown one. */
  tellsLoadErrors: s.flag().default(true),
  /**
   * Place of the list of skills. `reminder`: messages that a {@link ListingRecord} makes; `description`: the result of
   * `describe`; `system`: the system prompt, which the host writes.
   */
  listingIn: s.oneOf('reminder', 'description', 'system').default('reminder'),
  /** Writes a result that is not the text of a skill in other words; undefined keeps the tool's own. */
  resultText: s.fn<(outcome: Outcome) => string | undefined>(),
  /** Returns `details` of the tool result: further data for the host, in a distribution's own shape. */
  resultDetails:
    s.fn<(outcome: Outcome, given: GivenSkill | undefined) => Readonly<Record<string, unknown>> | undefined>(),
  /**
   * Place of a skill's text. `messages`: messages of their own; `result`: the tool result, which is the text. A function
   * makes the tool result of the text.
   */
  textIn: s
    .either(s.oneOf('messages', 'result'), s.fn<(given: GivenSkill, options: AskOptions) => MaybePromise<string>>())
    .default('messages'),
  /** Messages of refusals in other words. */
  texts: s.typed<RefusalTexts>('an object'),
  /** Returns `request` of an `ask` answer: further data for a host that asks its user, in its own shape. */
  asks: s.fn<(entry: CatalogEntry) => Readonly<Record<string, unknown>>>(),
})

export interface SkillToolOptions extends s.OptionsOf<typeof skillToolOptions> {}

/** Skill that a call of the Skill tool ran. */
export interface GivenSkill {
  readonly entry: CatalogEntry
  /** Expanded text for the model. */
  readonly text: string
}

/** Caller and context of a tool call. */
export interface ToolContext extends InSession {
  /** Undefined for the main conversation. */
  readonly agentId?: string | undefined
  readonly toolUseId?: string | undefined
  /** Number of forks around this call. */
  readonly depth?: number | undefined
  /** Asked about this call instead of the host's own `onAsk`. */
  readonly onAsk?: OnAsk | undefined
  readonly signal?: AbortSignal | undefined
}

export type Validation = { readonly result: true } | Refusal

export interface ToolPermission extends PermissionDecision {
  /** With `allow`: input to call the tool with. */
  readonly updatedInput?: Readonly<Record<string, string>>
  /** With `ask`: command that the question is about. */
  readonly metadata?: Pick<CatalogEntry, 'command'>
  /** With `ask`: the question in a distribution's own shape, if it has one. */
  readonly request?: Readonly<Record<string, unknown>>
}

export interface SkillTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly isConcurrencySafe: false
  readonly isReadOnly: false
  /** Returns the description, followed by the listing with `listingIn: 'description'`. Rejects as the listing does. */
  describe(context?: ListingContext & Pick<ToolContext, 'signal'>): Promise<string>
  /**
   * Checks the input before permission is asked. Rejects only with an `AbortError` or errors of loading the catalog.
   */
  validateInput(input: unknown, context?: ToolContext): Promise<Validation>
  /** Decides whether the skill may run. Any error is a denial, except an `AbortError`, which rejects. */
  checkPermissions(input: unknown, context?: ToolContext): Promise<ToolPermission>
  /**
   * Runs the skill. `newMessages` of the outcome are those for the model.
   * @throws SkillsError `E_UNKNOWN_NAME`, `E_INVALID_SKILL` or `E_NOT_INVOCABLE` for invalid input; errors of the
   * invocation
   */
  call(input: unknown, context?: ToolContext): Promise<Outcome>
  toToolResult(ended: Ended, toolUseId: string): ToolResult
}

const places = {
  reminder: 'is told in system reminders',
  description: 'stands below',
  system: 'is told in the system prompt',
}

const ownDescription = (listingIn: keyof typeof places): string =>
  [
    'Runs a skill: instructions, made for one kind of task, that become part of this conversation.',
    `Which skills there are ${places[listingIn]}, or is told by the user: /name means the skill of that name.`,
    'When a skill fits what is asked, invoke it first, before anything else is done or said about the task.',
    'Give its name exactly as it is listed, and arguments only if it takes any.',
    'Never mention a skill without calling this tool. Do not invoke a skill that is running already, nor guess names.',
  ].join('\n')

const codeOf: Readonly<Record<ValidationCode, ErrorCode>> = {
  1: 'E_UNKNOWN_NAME',
  2: 'E_UNKNOWN_NAME',
  3: 'E_INVALID_SKILL',
  4: 'E_NOT_INVOCABLE',
  5: 'E_NOT_INVOCABLE',
  6: 'E_UNKNOWN_NAME',
}

/**
 * Makes the tool with which a model invokes skills, for any framework. The function is asynchronous because it loads
 * the schema library. See docs/reference/listing.md, "The Skill tool".
 */
export async function skillTool(engine: EnginePort, given?: SkillToolOptions): Promise<SkillTool> {
  const options = skillToolOptions.read(given)
  checkPort('skillTool()', engine, ['catalog', 'listing', 'permission', 'invoke'])
  const { name, nameParameter, takesArgs, suggests, letters, tellsLoadErrors, listingIn, textIn, texts, asks } = options
  const { description = ownDescription(listingIn) } = options
  const ended = new WeakMap<Outcome, GivenSkill & { readonly result?: string | undefined }>()
  const tells = engine.tells ?? ((said: string) => said)
  const { toolSchemas } = await import('./schema.js')
  const { input: inputSchema, output: outputSchema, parse } = toolSchemas({ nameParameter, takesArgs })

  async function find(
    input: unknown,
    { signal }: ToolContext,
  ): Promise<{ readonly entry: CatalogEntry; readonly args: string; readonly isSlash: boolean } | Refusal> {
    const parsed = parse(input)
    if ('message' in parsed) return { result: false, message: `Invalid input: ${parsed.message}.`, errorCode: 1 }
    const found = await findSkill(
      engine,
      plainName(parsed.name).trim(),
      { suggests, letters, tellsLoadErrors, texts },
      { signal },
    )
    return 'result' in found
      ? found
      : { entry: found, args: parsed.args, isSlash: parsed.name.trimStart().startsWith('/') }
  }

  /** True if the input names a skill of the remote provider, which the catalog does not have. */
  function isRemote(input: unknown): boolean {
    const parsed = parse(input)
    return engine.remote !== undefined && 'name' in parsed && plainName(parsed.name).trim().startsWith(remotePrefix)
  }

  return {
    name,
    description,
    inputSchema,
    outputSchema,
    isConcurrencySafe: false,
    isReadOnly: false,
    async describe({ signal, ...context } = {}) {
      if (listingIn !== 'description') return description
      const { text } = await engine.listing(context, { signal })
      return [description, tells(text)].filter(part => part !== '').join('\n\n')
    },
    async validateInput(input, context = {}) {
      const found = await find(input, context)
      return 'result' in found ? { ...found, message: tells(found.message) } : { result: true }
    },
    async checkPermissions(input, context = {}) {
      try {
        const found = await find(input, context)
        if ('result' in found)
          return { behavior: 'deny', message: tells(found.message), decisionReason: { type: 'failure' } }
        const { entry, args } = found
        const decision = await engine.permission(
          { tool: 'Skill', content: entry.name, entry, args, caller: 'model', sessionId: context.sessionId },
          { signal: context.signal, isBeforeAsking: !isRemote(input) },
        )
        const updatedInput = { [nameParameter]: entry.name, ...(takesArgs && args !== '' && { args }) }
        if (decision.behavior === 'allow') return { ...decision, updatedInput }
        // A remote skill runs nothing, so it is allowed unless a rule denies it.
        if (decision.behavior === 'ask' && isRemote(input))
          return {
            behavior: 'allow',
            message: `"${entry.name}" comes from the remote provider.`,
            decisionReason: { type: 'safe' },
            updatedInput,
          }
        return decision.behavior === 'ask'
          ? { ...decision, metadata: { command: entry.command }, ...(asks && { request: asks(entry) }) }
          : { ...decision, message: tells(decision.message) }
      } catch (error) {
        if (context.signal?.aborted === true) throw abortError(context.signal)
        if (isAbortError(error)) throw error
        return { behavior: 'deny', message: tells(messageOf(error)), decisionReason: { type: 'failure' } }
      }
    },
    async call(input, context = {}) {
      const found = await find(input, context)
      if ('result' in found) throw new SkillsError(codeOf[found.errorCode], tells(found.message))
      const { agentId, sessionId, toolUseId, depth, onAsk, signal } = context
      const { entry } = found
      const outcome = await engine.invoke({
        name: entry.name,
        ...(isRemote(input) && { remote: entry }),
        args: found.args,
        caller: 'model',
        ...(found.isSlash && { slashPrefix: true }),
        agentId,
        ...(sessionId !== undefined && { sessionId }),
        toolUseId,
        ...(onAsk !== undefined && { onAsk }),
        signal,
        ...(depth !== undefined && { depth }),
      })
      const newMessages = forModel(outcome.newMessages, toolUseId)
      const told = newMessages.map(message => withTexts(message, tells))
      const skill = { entry, text: givenText(newMessages) }
      if (textIn === 'messages') {
        const result = { ...outcome, newMessages: told }
        ended.set(result, skill)
        return result
      }
      const isGiven = outcome.data.status === 'inline' && outcome.data.success
      const text = isGiven && typeof textIn === 'function' ? await textIn(skill, { signal }) : skill.text
      const result = { ...outcome, newMessages: withoutText(told) }
      ended.set(result, { ...skill, ...(isGiven && text !== '' && { result: text }) })
      return result
    },
    toToolResult(end, toolUseId) {
      const own = 'outcome' in end ? (ended.get(end.outcome)?.result ?? options.resultText?.(end.outcome)) : undefined
      const details = 'outcome' in end ? options.resultDetails?.(end.outcome, ended.get(end.outcome)) : undefined
      return {
        type: 'tool_result',
        tool_use_id: toolUseId,
        content: tells(own ?? textOf(end)),
        ...(isFailure(end) && { is_error: true }),
        ...(details && { details }),
      }
    },
  }
}
