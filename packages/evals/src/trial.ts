import { dirname } from 'node:path'
import { messageOf, SkillsError, type Catalog, type Skills } from '@skills/core'
import { AgentSession } from '@skills/host/session'
import type { SessionDistribution } from '@skills/host/internal'
import { realPathOf } from './routing.js'
import { isOfBudget } from './spending.js'
import { fileTools, Workspace } from './workspace.js'
import type { EvalCase } from './cases/eval-cases.js'
import type { AskModel, ModelCall, ModelMessage } from './model.js'

export interface TrialSetup {
  /** Engine without commands, hooks and forks, so that nothing of a skill is executed. Trials share it. */
  readonly skills: Skills
  readonly distribution?: SessionDistribution | undefined
  readonly ask: AskModel
  readonly contextWindow?: number | undefined
  /** Most answers of the model. */
  readonly maxSteps: number
  /** Longest time of a trial in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Skill that the model should pick. */
export interface Target {
  readonly name: string
  /** Real path of its file, which distinguishes it from another skill of the same name. */
  readonly realPath: string
}

/**
 * Returns the skill of a name as a target.
 * @throws SkillsError `E_UNKNOWN_NAME` if the skill does not exist
 */
export function targetOf(catalog: Catalog, name: string): Target {
  const entry = catalog.get(name)
  if (entry !== undefined) return { name, realPath: realPathOf(entry) }
  throw new SkillsError('E_UNKNOWN_NAME', `There is no skill "${name}".`, { hint: 'See the names: skills list.' })
}

/**
 * Additional parts of a trial of a task. Such a trial continues after the skill was invoked, and its result is checked.
 */
export interface TaskTrial {
  /** Id under which its requests are recorded. */
  readonly id: string
  /** Tools in addition to those for files. */
  readonly tools: typeof fileTools
  /** Answers a call of one of these tools. Undefined for any other tool. */
  readonly answer: (name: string, input: unknown, workspace: string, signal: AbortSignal) => Promise<string | undefined>
  /**
   * Checks the result.
   * @param said last text of the model
   */
  readonly atEnd: (workspace: Workspace, said: string, signal: AbortSignal) => Promise<void>
}

/** Result of a trial. `failed` and `timeout` are not counted. */
export interface TrialEnd {
  readonly trial: number
  readonly end: 'triggered' | 'answered' | 'refused' | 'steps' | 'timeout' | 'failed'
  /** Names of the invoked skills, in order. */
  readonly invoked: readonly string[]
  /** Number of the answer that invoked the skill, from 1. Undefined if none did. */
  readonly triggeredAt?: number | undefined
  readonly steps: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly ms: number
  /** Reason for a failure. */
  readonly problem?: string | undefined
  /** Texts and tool calls, without the listing. */
  readonly transcript: readonly ModelMessage[]
}

type AssistantPart = Extract<ModelMessage, { readonly role: 'assistant' }>['content'][number]

const own = 'You work in a folder of files for a person. Paths are relative to it.'

/**
 * Runs one trial in its own session and workspace, with the listing and the Skill tool of the distribution. A trial of
 * a query ends as soon as the skill is invoked. Rejects with an `AbortError`, or with an error if `maxCost` is reached.
 */
export async function runTrial(
  { id, prompt, files }: EvalCase,
  { name, realPath }: Target,
  trial: number,
  setup: TrialSetup,
  task?: TaskTrial,
): Promise<TrialEnd> {
  const { skills, distribution, ask, contextWindow, maxSteps, timeoutMs, signal: outer } = setup
  const { clock } = skills.host
  const started = clock.now()
  const timeout = new AbortController()
  const disarm = clock.after(timeoutMs, () => timeout.abort())
  const signal = AbortSignal.any([outer, timeout.signal])
  const transcript: ModelMessage[] = []
  const invoked: string[] = []
  const found = { triggeredAt: undefined as number | undefined, steps: 0, inputTokens: 0, outputTokens: 0 }
  let workspace: Workspace | undefined
  let session: AgentSession | undefined
  let stop = (): void => {}
  const ended = (end: TrialEnd['end'], problem?: string): TrialEnd => ({
    trial,
    end,
    invoked,
    ...found,
    ms: clock.now() - started,
    transcript,
    ...(problem !== undefined && { problem }),
  })
  try {
    workspace = await Workspace.open(files, dirname(realPath))
    const there = workspace
    // Reading a skill changes nothing here: its commands and hooks are off, and its rules apply to no tool.
    const sessionId = `eval-session-${crypto.randomUUID()}`
    session = await AgentSession.open(
      skills,
      {
        id: sessionId,
        distribution,
        contextWindow,
        onAsk: ({ request }) => (request.tool === 'Skill' ? 'allow' : 'deny'),
      },
      { signal },
    )
    const tools = session.tools()
    stop = skills.hook('invocation:start', event => {
      if (event.sessionId !== sessionId || event.caller !== 'model') return
      invoked.push(event.entry.name)
      const path = realPathOf(event.entry)
      there.readable.push(dirname(path))
      if (path === realPath) found.triggeredAt ??= found.steps
    })
    const system: ModelMessage = { role: 'system', content: [own, await session.system({ signal })].join('\n\n') }
    const offered = [
      ...fileTools,
      ...(task?.tools ?? []),
      ...tools.map(({ name: tool, description, inputSchema }) => ({
        type: 'function' as const,
        name: tool,
        description,
        inputSchema: { ...inputSchema },
      })),
    ] as NonNullable<ModelCall['tools']>
    transcript.push({ role: 'user', content: [{ type: 'text', text: prompt }] })
    while (found.steps < maxSteps) {
      const call = { prompt: [system, ...transcript], tools: offered }
      const answer = await ask({ skill: name, id: task?.id ?? id, trial, step: found.steps, call }, signal)
      found.steps += 1
      found.inputTokens += answer.inputTokens
      found.outputTokens += answer.outputTokens
      const said: AssistantPart[] = []
      for (const part of answer.content) {
        // Reasoning is sent back unchanged, because providers sign it.
        if (part.type === 'text' || part.type === 'reasoning') {
          const { type, text, providerMetadata } = part
          said.push({ type, text, ...(providerMetadata && { providerOptions: providerMetadata }) })
        } else if (part.type === 'tool-call') said.push({ ...part, input: inputOf(part.input) })
      }
      transcript.push({ role: 'assistant', content: said })
      const calls = said.flatMap(part => (part.type === 'tool-call' ? [part] : []))
      if (answer.finish === 'content-filter') return ended('refused')
      if (calls.length === 0) {
        const texts = said.flatMap(part => (part.type === 'text' ? [part.text] : []))
        await task?.atEnd(there, texts.join('\n'), signal)
        return ended('answered')
      }
      const results: Extract<ModelMessage, { readonly role: 'tool' }>['content'] = []
      for (const { toolCallId, toolName, input } of calls) {
        const skillTool = tools.find(one => one.name === toolName)
        const value =
          (await skillTool?.execute(input, { toolUseId: toolCallId, signal }))?.text ??
          (await there.answer(toolName, input)) ??
          (await task?.answer(toolName, input, there.folder, signal)) ??
          `Error: There is no tool ${toolName}.`
        results.push({ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } })
      }
      transcript.push({ role: 'tool', content: results })
      if (task === undefined && found.triggeredAt !== undefined) return ended('triggered')
    }
    await task?.atEnd(there, '', signal)
    return ended('steps')
  } catch (error) {
    if (outer.aborted || isOfBudget(error)) throw error
    return timeout.signal.aborted
      ? ended('timeout', `The trial took longer than ${timeoutMs} ms.`)
      : ended('failed', messageOf(error))
  } finally {
    disarm()
    stop()
    await session?.close()
    await workspace?.close()
  }
}

/** Parses the input of a tool call. Text that is not JSON is passed on, and the tool refuses it. */
function inputOf(input: string): unknown {
  try {
    return JSON.parse(input === '' ? '{}' : input)
  } catch {
    // The tool reports the error.
    return input
  }
}
