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
  /** An engine that runs nothing of a skill: without commands, hooks and forks. Shared by trials. */
  readonly skills: Skills
  readonly distribution?: SessionDistribution | undefined
  readonly ask: AskModel
  readonly contextWindow?: number | undefined
  /** Answers of the model at most. */
  readonly maxSteps: number
  /** Milliseconds of a trial at most. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** The skill that is looked for. */
export interface Target {
  readonly name: string
  /** Real path of its file, by which it is told from a twin. */
  readonly realPath: string
}

/** @throws SkillsError `E_UNKNOWN_NAME` for a skill that there is not */
export function targetOf(catalog: Catalog, name: string): Target {
  const entry = catalog.get(name)
  if (entry !== undefined) return { name, realPath: realPathOf(entry) }
  throw new SkillsError('E_UNKNOWN_NAME', `There is no skill "${name}".`, { hint: 'See skills list.' })
}

/** What a trial of a task has besides: it goes on after the skill was invoked, and its end is looked at. */
export interface TaskTrial {
  /** What its questions to the model are recorded under. */
  readonly id: string
  /** Tools besides those for files. */
  readonly tools: typeof fileTools
  /** Answers a call of them; undefined for one that is not of them. */
  readonly answer: (name: string, input: unknown, workspace: string, signal: AbortSignal) => Promise<string | undefined>
  /** @param said what the model said last */
  readonly atEnd: (workspace: Workspace, said: string, signal: AbortSignal) => Promise<void>
}

/** How a trial ended: of `failed` and `timeout` nothing is counted. */
export interface TrialEnd {
  readonly trial: number
  readonly end: 'triggered' | 'answered' | 'refused' | 'steps' | 'timeout' | 'failed'
  /** Skills in the order they were invoked, by name. */
  readonly invoked: readonly string[]
  /** The answer, from 1, that invoked the skill; undefined where none did. */
  readonly triggeredAt?: number | undefined
  readonly steps: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly ms: number
  /** Why it failed. */
  readonly problem?: string | undefined
  /** What was said and called, without the listing. */
  readonly transcript: readonly ModelMessage[]
}

type AssistantPart = Extract<ModelMessage, { readonly role: 'assistant' }>['content'][number]

const own = 'You work in a folder of files for a person. Paths are relative to it.'

/**
 * One trial: a session and a workspace of its own, the listing and the Skill tool as the distribution has them. That of a
 * query ends with the skill's invocation, at any step. Rejects with an `AbortError`, and with what says that no more
 * may be spent.
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
    // A skill that is read changes nothing here: what it would run is switched off, and its rules reach no tool.
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
        // What a model thought goes back as it came: providers sign it.
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
      ? ended('timeout', `It took longer than ${timeoutMs} ms.`)
      : ended('failed', messageOf(error))
  } finally {
    disarm()
    stop()
    await session?.close()
    await workspace?.close()
  }
}

/** Models write their input as text; one that is no JSON is for the tool to refuse. */
function inputOf(input: string): unknown {
  try {
    return JSON.parse(input === '' ? '{}' : input)
  } catch {
    // The tool says what is wrong with it.
    return input
  }
}
