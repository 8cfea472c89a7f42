import type { Diagnostic, Host } from '@skills/core'
import { localCommand, openSkills, type HostSkills } from '@skills/host'
import type { OnAsk } from '@skills/rules'
import type { OnUntrusted } from '@skills/invocation'
import { embeddedRuns } from '@skills/runs'
import {
  aiSdkRunner,
  converse,
  type Compaction,
  type ConversationProgress,
  type ConversationState,
} from '@skills/runner-ai-sdk'
import { terminalRenderer } from '@skills/source-bundled/terminal'
import { contentOf, tools } from './tools.js'
import type { Endpoint } from './endpoint.js'

export interface AgentOptions {
  readonly host: Partial<Host> & Pick<Host, 'cwd'>
  readonly endpoint: Endpoint
  readonly write: (text: string) => void
  readonly onAsk: OnAsk
  /** Called if a person typed a skill of an untrusted folder. Returns true if they trust the folder now. */
  readonly onUntrusted?: OnUntrusted
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
  /** Size of the model's context window in tokens. */
  readonly contextWindow?: number
  readonly maxRetries?: number
  /** State of the conversation to continue, from {@link Agent.state}. */
  readonly state?: unknown
}

export interface Agent {
  readonly skills: HostSkills
  /** Handles a line of the user. Settles when everything that follows from it has ended. */
  type(line: string, signal: AbortSignal): Promise<void>
  /** Returns the whole conversation as JSON. Call it between two lines. */
  state(): Promise<ConversationState>
  close(): Promise<void>
}

/** Opens an engine and a conversation, and writes what a person sees of both. */
export async function openAgent({
  host,
  endpoint,
  write,
  onAsk,
  onUntrusted,
  onDiagnostic,
  contextWindow = 200_000,
  maxRetries = 2,
  state,
}: AgentOptions): Promise<Agent> {
  const shared = {
    tools: tools(host.cwd),
    contentOf: (_tool: string, input: unknown) => contentOf(host.cwd, input),
    model: () => endpoint.modelFor(endpoint.model),
    modelFor: endpoint.modelFor,
    maxOutputTokens: endpoint.maxOutputTokens,
    maxRetries,
  }
  const compact = localCommand({
    name: 'compact',
    description: 'Shorten the conversation.',
    call: async (_args, { signal }) => ({ text: sentenceOf(await conversation.compact({ signal })) }),
  })
  const skills = await openSkills('standard', {
    host,
    onDiagnostic,
    onAsk,
    onUntrusted,
    contextWindow,
    commands: [compact],
    // Reading is allowed. Every other tool asks.
    rules: { allow: ['Read', 'Search'] },
    plugins: [
      terminalRenderer({ write }),
      // A fork outlives this process. When its conversation is opened again, the fork continues or delivers its report.
      embeddedRuns(),
      aiSdkRunner({ ...shared, system: 'You do one task for another agent, which reads only your last message.' }),
    ],
  })
  const conversation = await converse(skills, {
    ...shared,
    onDiagnostic,
    contextWindow,
    system: 'You are an agent in a terminal. You work in one folder, with tools.',
    progress: event => write(shown(event)),
    ...(state !== undefined && { state, reason: 'resume' }),
  })
  return {
    skills,
    type: (line, signal) => conversation.say(line, { signal }),
    state: () => conversation.state(),
    async close() {
      await conversation.close()
      await skills.close()
    },
  }
}

/** Returns the text that a person reads about an event. */
function shown(event: ConversationProgress): string {
  switch (event.type) {
    case 'text':
      return event.text
    case 'step':
      return '\n'
    case 'tool':
      return `[${event.tool} ${event.content}]\n`
    case 'refused':
      return `[${event.tool} ${event.content}] no: ${event.message}\n`
    case 'failed':
      return `[${event.tool} ${event.content}] failed: ${event.message}\n`
    case 'compacted':
      return `${sentenceOf(event.compaction)}\n`
    case 'message':
      return `${event.text}\n`
    case 'blocked':
      return `${event.message}\n`
    case 'outcome': {
      const { data } = event.outcome
      const text =
        data.status === 'forked' ? (data['result'] ?? `"${data.commandName}" runs in the background.`) : data['text']
      return typeof text === 'string' ? `${text}\n` : ''
    }
  }
}

function sentenceOf(compaction: Compaction): string {
  return 'refusal' in compaction
    ? compaction.refusal
    : `The conversation is shortened. Skills at work: ${compaction.skills.join(', ') || 'none'}.`
}
