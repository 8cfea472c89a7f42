import { abortError, checkOptions, SkillsError, withDeadline } from '@skills/core'
import type { AgentSession } from '@skills/host/session'
import type { SessionCall } from '@skills/host/internal'
import { heardProgress } from '@skills/invocation/internal'
import { toolContent, traced } from '@skills/invocation'
import type { ModelMessage, ToolSet } from 'ai'
import { aiLibrary } from './ai-library.js'
import { askModel } from './ask-model.js'
import { readState, type ConversationState } from './conversation-state.js'
import { modelMessages } from './model-messages.js'
import { TurnTools } from './turn-tools.js'
import type { Answer } from './one-answer.js'
import type { Compaction, ConversationOptions, SessionHost } from './conversation-options.js'

/** Conversation with a model: lines of the user, answers, and calls of tools and skills. */
export interface Conversation {
  readonly session: AgentSession
  /** Messages as the model has them. */
  readonly messages: readonly ModelMessage[]
  /**
   * Handles a line of the user until its end: the hooks of `UserPromptSubmit`, the commands at its beginning, answers
   * of the model and its calls of tools, and the hooks of `Stop`. Rejects with `E_ALREADY_RUNNING` while another line
   * is handled, with the errors of an invocation and of the model, with `E_CLOSED` after it was closed or suspended,
   * and with an `AbortError`. After an error the conversation continues with the next line.
   */
  say(line: string, options?: SessionCall): Promise<void>
  /**
   * Makes the model summarize the conversation, which continues with the summary and the active skills. The hooks of
   * `PreCompact` may refuse. Rejects as `say` does. A command that the user typed may call it.
   */
  compact(options?: SessionCall): Promise<Compaction>
  /** Returns the conversation between two lines as JSON. Rejects with `E_ALREADY_RUNNING` while a line is handled. */
  state(): Promise<ConversationState>
  /**
   * Closes this object, returns the state of the conversation, and calls no hooks of an end. Rejects as `state` does.
   */
  suspend(): Promise<ConversationState>
  /** Ends the session like its `end()`. The engine and its other sessions stay open. */
  close(options?: Parameters<AgentSession['end']>[0]): Promise<void>
}

const onlyMessages =
  'The conversation was opened from its messages alone. The active skills, their hooks and the record of skills that the model was told of are lost.'
const summaryRequest = 'Sum this conversation up in a few sentences, for yourself to go on with. Use no tool for it.'

/**
 * Opens a session whose lines are answered by a model of the AI SDK. See docs/reference/ai-sdk.md, "A conversation
 * through the AI SDK". Rejects with `E_MISSING_PROVIDER` if the package `ai` is not installed, and as opening a session
 * does.
 * @param skills the result of `openSkills()` of `@skills/host`
 */
export async function converse(
  skills: SessionHost,
  options: ConversationOptions,
  { signal: opening }: SessionCall = {},
): Promise<Conversation> {
  checkOptions<ConversationOptions>('converse()', options, {
    model: 1,
    modelFor: 1,
    tools: 1,
    system: 1,
    effortFor: 1,
    contextWindow: 1,
    compactAt: 1,
    maxContinuations: 1,
    onAsk: 1,
    progress: 1,
    onDiagnostic: 1,
    messages: 1,
    contentOf: 1,
    maxRetries: 1,
    maxOutputTokens: 1,
    idleMs: 1,
    maxAnswerChars: 1,
    closeMs: 1,
    onUntrusted: 1,
    state: 1,
    id: 1,
    effort: 1,
    reason: 1,
  })
  const { onDiagnostic: report, tools: own = {}, contentOf = toolContent, contextWindow, closeMs = 2000 } = options
  const { onAsk, onUntrusted, id, effort, compactAt = 0.8, maxContinuations = 8 } = options
  const progress = heardProgress({ progress: options.progress, report, of: 'the conversation' })
  const ai = await aiLibrary()
  const kept = options.state === undefined ? undefined : readState(options.state)
  const isTakenUp = options.messages !== undefined && kept === undefined
  const session = await skills.session(
    {
      onAsk,
      onUntrusted,
      contextWindow,
      id,
      effort,
      progress,
      gives: 'messages',
      restore: kept?.session,
      onDiagnostic: report,
      reason: options.reason ?? (isTakenUp ? 'resume' : undefined),
    },
    { signal: opening },
  )
  const lost = [...(kept?.lost ?? []), ...session.lost.map(({ message }) => message)]
  if (isTakenUp && options.messages.length > 0) lost.push(onlyMessages)
  for (const message of lost)
    report({
      severity: 'warning',
      type: 'validation',
      code: 'session-lost',
      message,
      hint: 'Store the state() of a conversation, and pass it to converse().',
    })

  const { engine } = session
  let messages: readonly ModelMessage[] = options.messages ?? kept?.messages ?? []
  /** Number of tokens that the model read last. */
  let tokens = kept?.tokens ?? 0
  let at: 'nothing' | 'commands' | 'model' = 'nothing'
  /** True while it is compacted. It may outlast the line of the command that started it. */
  let isShortening = false

  function free(isFree: boolean): void {
    session.throwIfClosed()
    if (!isFree || isShortening)
      throw new SkillsError('E_ALREADY_RUNNING', 'The conversation is still working on an earlier message.', {
        hint: 'Wait for the answer to that message, or abort it.',
      })
  }

  const add = (...more: readonly (readonly ModelMessage[])[]): void => void (messages = [...messages, ...more.flat()])

  async function toolsOf(signal: AbortSignal): Promise<TurnTools> {
    const tracers = engine.use('tracer')
    const given = typeof own === 'function' ? await own() : own
    return new TurnTools({ ai, session, tracers, own: given, contentOf, progress, report, signal })
  }

  async function ask(
    said: readonly ModelMessage[],
    tools: ToolSet,
    signal: AbortSignal,
    onText: (text: string) => void,
  ): Promise<Answer> {
    const { clock } = engine.host
    const question = { ai, session, clock, tracers: engine.use('tracer'), options, messages: said, tools, onText }
    const answer = await askModel(question, signal)
    // It may have been aborted with the last part, and the next line may have begun.
    if (signal.aborted) throw abortError(signal)
    tokens = answer.inputTokens ?? tokens
    return answer
  }

  async function shorten(reason: 'manual' | 'auto', signal: AbortSignal): Promise<Compaction> {
    if (messages.length === 0) return { refusal: 'There is nothing to shorten.' }
    const shortened = await session.shorten(
      reason,
      async () => {
        // Providers require the tools that a conversation mentions.
        const tools = await (await toolsOf(signal)).shown()
        return (await ask([...messages, { role: 'user', content: summaryRequest }], tools, signal, () => {})).text
      },
      { signal },
    )
    if ('refusal' in shortened) return shortened
    messages = userMessages(
      `What happened so far: ${shortened.summary}`,
      ...(shortened.reminder === undefined ? [] : [shortened.reminder]),
    )
    tokens = 0
    return { skills: shortened.skills.map(({ name }) => name) }
  }

  async function answered(turn: TurnTools, signal: AbortSignal): Promise<void> {
    for (let steps = 1, continuations = 0; ; steps++) {
      if (tokens > (contextWindow ?? Infinity) * compactAt)
        progress({ type: 'compacted', compaction: await shorten('auto', signal) })
      const reminder = await session.reminder({ signal })
      if (reminder !== undefined) add(modelMessages([reminder]))
      const answer = await ask(messages, await turn.shown(), signal, text => progress({ type: 'text', text }))
      progress({ type: 'step', steps })
      const { results, followUps } = await turn.use(answer.calls, messages)
      // Added together: a call without an answer, after an abort, would be refused in every later request.
      add(answer.messages, results, followUps)
      if (session.stopped !== undefined) return progress({ type: 'blocked', ...session.stopped })
      if (answer.calls.length > 0) continue
      const goOn = await session.mayStop(answer.text, { isContinued: continuations > 0, signal })
      if (goOn === undefined) return
      // Written with `!`, so that NaN ends the loop as well.
      if (!(continuations < maxContinuations))
        return report({
          severity: 'warning',
          type: 'source',
          code: 'stop-blocked',
          message: `The answer ended although a hook asked to continue it, because hooks have already continued it ${maxContinuations} times. The hook said: ${goOn[0]}`,
          hint: 'Let the hook allow the stop when stop_hook_active is true, or raise maxContinuations.',
        })
      continuations += 1
      add(userMessages(...goOn))
    }
  }

  async function turnOf(line: string, signal: AbortSignal): Promise<void> {
    const turn = await toolsOf(signal)
    const sent = await session.send(line, { signal }).catch((error: unknown) => {
      // A hook stopped it, which the person was told.
      if (session.stopped === undefined) throw error
      return undefined
    })
    if (sent?.isForModel !== true) return
    add(modelMessages(sent.messages))
    at = 'model'
    try {
      await withDeadline(() => answered(turn, signal), { signals: [signal] })
    } finally {
      // The user need not wait for it.
      await turn.ended(engine.host.clock, closeMs)
    }
  }

  async function state(): Promise<ConversationState> {
    free(at === 'nothing')
    return { version: 1, session: await session.value(), messages, tokens }
  }

  return {
    session,
    get messages() {
      return messages
    },
    async say(line, { signal } = {}) {
      free(at === 'nothing')
      at = 'commands'
      try {
        // Some models, tools and persons do not react to a signal.
        await traced(
          engine.use('tracer'),
          'invoke_agent',
          'conversation',
          () => ({ agentType: 'conversation', session: session.id, input: line }),
          () => withDeadline(inner => turnOf(line, inner), { signals: [signal, engine.signal] }),
        )
      } finally {
        at = 'nothing'
        session.endTurn()
      }
    },
    async compact({ signal } = {}) {
      free(at !== 'model')
      isShortening = true
      try {
        return await withDeadline(inner => shorten('manual', inner), { signals: [signal, engine.signal] })
      } finally {
        isShortening = false
      }
    },
    state,
    async suspend() {
      const all = await state()
      await session.close()
      return all
    },
    close: ending => session.end(ending),
  }
}

function userMessages(...texts: readonly string[]): readonly ModelMessage[] {
  return texts.map(content => ({ role: 'user', content }))
}
