import { messageOf, SkillsError, type Clock, type KindAccess, type SetupContext } from '@skills/core'
import { isOffered } from '@skills/invocation/internal'
import { traced, type RunRequest, type ToolCall, type Tracer } from '@skills/invocation'
import type { PermissionDecision } from '@skills/rules'
import type { ToolSet } from 'ai'
import type { AnswerCount } from './journaled-model.js'

export interface ToolCallsOptions {
  readonly request: Pick<RunRequest, 'agentId' | 'tools' | 'authorize' | 'used' | 'journal'>
  /** Count of answers. Only for a recorded run. */
  readonly count?: AnswerCount | undefined
  readonly tracers: KindAccess<Tracer>
  readonly progress: RunRequest['progress']
  readonly contentOf: (tool: string, input: unknown) => string
  /** Signal of the run. After it aborts, no call begins. */
  readonly signal: AbortSignal
  readonly report: SetupContext['report']
  /** Adds a text that the model reads besides the result of a call. */
  readonly say: (text: string) => void
}

interface RecordedCall {
  readonly result?: unknown
  readonly error?: string | undefined
  /** Texts that the model reads besides the result. */
  readonly said: readonly string[]
}

/** Text that the model reads in place of a call that a person does not want repeated. */
const unknownEffect =
  'The process that made this call ended before the call did. The call may have taken effect, and was not made again.'

/** Tools of one run: the allowed tools. Each call asks for permission, and no call outlasts the run. */
export class ToolCalls {
  readonly #running = new Map<Promise<unknown>, string>()

  constructor(private readonly options: ToolCallsOptions) {}

  /**
   * Wraps tools. Throws `E_INVALID_OPTION` for one without `execute`: it runs elsewhere, and cannot ask for permission.
   */
  guard(tools: ToolSet): ToolSet {
    const offered = Object.entries(tools).filter(([name]) => isOffered(name, this.options.request.tools))
    return Object.fromEntries(
      offered.map(([name, tool]) => {
        const { execute } = tool
        if (execute === undefined) {
          throw new SkillsError(
            'E_INVALID_OPTION',
            `The tool "${name}" has no execute function, so its calls cannot be checked before they run.`,
            { hint: 'Give the tool an execute function, or leave it out of the tools of the runner.' },
          )
        }
        type Given = Parameters<typeof execute>
        return [
          name,
          Object.assign({}, tool, {
            execute: async (input: Given[0], given: Given[1]) =>
              this.#recorded(
                { tool: name, content: this.options.contentOf(name, input), input, toolUseId: given.toolCallId },
                () => execute.call(tool, input, given),
                'idempotent' in tool && tool.idempotent === true,
              ),
            // `true` would end the loop. The call itself asks for permission.
            needsApproval: false,
          }),
        ]
      }),
    )
  }

  /** Waits for running calls, and reports those that do not end in time. */
  async ended(clock: Clock, ms: number): Promise<void> {
    if (this.#running.size === 0) return
    let cancel = (): void => {}
    const isLate = await Promise.race([
      Promise.allSettled(this.#running.keys()).then(() => false),
      new Promise<boolean>(resolve => {
        cancel = clock.after(ms, () => resolve(true))
      }),
    ])
    cancel()
    if (isLate)
      this.#tell(
        'tool-still-running',
        `${[...new Set(this.#running.values())].join(', ')} of the agent ${this.options.request.agentId} still runs, although it was told to stop ${ms} ms ago.`,
        'Make the tool listen to abortSignal.',
      )
  }

  #track<T>(tool: string, call: Promise<T>): Promise<T> {
    this.#running.set(call, tool)
    const forget = (): void => void this.#running.delete(call)
    call.then(forget, forget)
    return call
  }

  /** Makes a call of a recorded run once, together with its question and the results of hooks. */
  async #recorded(call: ToolCall, run: () => unknown, idempotent: boolean): Promise<unknown> {
    const {
      request: { journal },
      count = { answers: 0 },
      say,
      signal,
    } = this.options
    if (journal === undefined) return this.#call(call, run, say)
    const { tool, content, input, toolUseId } = call
    const step = {
      kind: 'tool',
      // Some providers number the calls of each answer from the beginning.
      key: `tool ${count.answers} ${toolUseId}`,
      input: { tool, input },
      idempotent,
      title: `${tool} ${content}`,
      instead: { error: unknownEffect, said: [] },
    } as const
    const ended = await journal.step<RecordedCall>(step, async begin => {
      const said: string[] = []
      const began = async (): Promise<unknown> => {
        await begin()
        return run()
      }
      try {
        return { result: await this.#call(call, began, text => void said.push(text)), said }
      } catch (error) {
        // A run that has ended gets no result.
        if (signal.aborted) throw error
        return { error: messageOf(error), said }
      }
    })
    for (const text of ended.said) say(text)
    if (ended.error !== undefined) throw new Error(ended.error)
    return ended.result
  }

  async #call(call: ToolCall, run: () => unknown, say: ToolCallsOptions['say']): Promise<unknown> {
    const { signal, progress } = this.options
    const { behavior, message } = await this.#decision(call)
    // The run may have ended while a person was asked.
    signal.throwIfAborted()
    // The model reads the message of a thrown error.
    if (behavior !== 'allow') throw new Error(message)
    progress({ type: 'tool', tool: call.tool, content: call.content })
    let result: unknown
    try {
      result = await this.#track(call.tool, this.#traced(call, run))
    } catch (error) {
      await this.#used(call, { error: messageOf(error) }, say)
      throw error
    }
    await this.#used(call, result, say)
    return result
  }

  #traced({ tool, toolUseId, input }: ToolCall, run: () => unknown): Promise<unknown> {
    const { tracers, request } = this.options
    const facts = { tool, toolUseId, agentId: request.agentId, input }
    return traced(
      tracers,
      'execute_tool',
      tool,
      () => facts,
      async tell => {
        const output = await lastOf(run)
        tell({ output })
        return output
      },
    )
  }

  /** Asks for permission. A question that fails counts as a refusal. */
  async #decision(call: ToolCall): Promise<Pick<PermissionDecision, 'behavior' | 'message'>> {
    const { request, signal } = this.options
    try {
      return await request.authorize(call)
    } catch (error) {
      if (!signal.aborted)
        this.#tell(
          'tool-permission-failed',
          `${call.tool} was not used, because the permission check failed: ${messageOf(error)}`,
        )
      return { behavior: 'deny', message: `The permission check for ${call.tool} failed: ${messageOf(error)}` }
    }
  }

  /** Calls hooks after a call. If they fail, the model still gets the result; otherwise it would repeat the call. */
  async #used(call: ToolCall, result: unknown, say: ToolCallsOptions['say']): Promise<void> {
    const { request, signal } = this.options
    if (signal.aborted) return
    try {
      const besides = await request.used(call, result)
      if (typeof besides === 'string') say(besides)
    } catch (error) {
      if (!signal.aborted)
        this.#tell(
          'tool-use-untold',
          `${call.tool} was used, but a listener that is told of its use failed: ${messageOf(error)}`,
        )
    }
  }

  #tell(code: string, message: string, hint?: string): void {
    this.options.report({ severity: 'warning', type: 'source', code, message, ...(hint !== undefined && { hint }) })
  }
}

/** Returns the last result. Tools may yield several results, of which the last counts. */
async function lastOf(run: () => unknown): Promise<unknown> {
  const result = await run()
  if (!isAsyncIterable(result)) return result
  let last: unknown
  for await (const one of result) last = one
  return last
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
