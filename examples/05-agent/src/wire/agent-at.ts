import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { processHost } from '@skills/core'
import { openState, trustFolder } from '@skills/distributions/trust'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { itemsOf } from '../ask-for-trust.js'
import { openAgent, type Agent } from '../agent.js'
import {
  modelServer,
  type ModelAnswer,
  type Fault,
  type ModelRequest,
  type ModelServer,
  type Protocol,
} from '@skills/testing/model-server'
import type { Endpoint } from '../endpoint.js'

export const protocols: readonly Protocol[] = ['anthropic', 'openai']

export interface AgentAt {
  readonly agent: Agent
  readonly server: ModelServer
  readonly tree: TempTree
  /** Returns everything that a person saw. */
  readonly shown: () => string
  readonly problems: readonly string[]
  readonly questions: readonly string[]
  /** Called with everything that is written. */
  onWrite(listener: (text: string) => void): void
}

export function endpointAt(protocol: Protocol, url: string): Endpoint {
  const anthropic = createAnthropic({ baseURL: url, apiKey: 'none' })
  const openai = createOpenAICompatible({ name: 'endpoint', baseURL: url, includeUsage: true })
  return {
    model: 'main-model',
    maxOutputTokens: 1000,
    modelFor: name => (protocol === 'anthropic' ? anthropic(name) : openai(name)),
  }
}

/**
 * Opens an agent in a project of its own, against a server that gives the listed answers in order. Everything is
 * removed when the test ends.
 */
export async function agentAt(
  protocol: Protocol,
  replies: readonly (ModelAnswer | Fault)[] | ((request: ModelRequest, at: number) => ModelAnswer | Fault),
  files: TreeEntries = {},
  contextWindow = 200_000,
): Promise<AgentAt> {
  const tree = tempTree({
    'project/notes.txt': 'One.\nTwo.\n',
    home: { dir: true },
    ...Object.fromEntries(Object.entries(files).map(([name, entry]) => [`project/${name}`, entry])),
  })
  onTestFinished(() => tree.dispose())
  const server = await modelServer(protocol, (request, at) =>
    typeof replies === 'function'
      ? replies(request, at)
      : (replies[at] ?? { status: 400, body: { error: { message: 'The script is over.' } } }),
  )
  onTestFinished(() => server.close())
  const problems: string[] = []
  const questions: string[] = []
  const listeners: ((text: string) => void)[] = []
  let shown = ''
  const report = ({ message }: { readonly message: string }): void => void problems.push(message)
  const host = processHost({
    cwd: `${tree.path}/project`,
    home: `${tree.path}/home`,
    env: { PATH: process.env['PATH'] },
    showsPaths: true,
  })
  const state = openState(host, { report })
  await trustFolder(state, host.cwd, host, { items: await itemsOf(host, state) })
  const agent = await openAgent({
    host,
    endpoint: endpointAt(protocol, server.url),
    onDiagnostic: report,
    maxRetries: 2,
    contextWindow,
    write(text) {
      shown += text
      for (const listener of listeners) listener(text)
    },
    onAsk({ request: { tool, content } }) {
      questions.push(`${tool} ${content}`)
      return 'allow'
    },
  })
  onTestFinished(() => agent.close())
  return {
    agent,
    server,
    tree,
    problems,
    questions,
    shown: () => shown,
    onWrite: listener => void listeners.push(listener),
  }
}

export const never: AbortSignal = new AbortController().signal
