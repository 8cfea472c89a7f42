import { createSkills } from '@skills/core'
import { invocationKinds, type RunRequest } from '@skills/invocation'
import { aiSdkRunner } from '@skills/runner-ai-sdk'
import { onTestFinished } from 'vitest'
import { tools } from '../tools.js'
import {
  modelServer,
  type ModelAnswer,
  type Fault,
  type ModelRequest,
  type ModelServer,
  type Protocol,
} from '@skills/testing/model-server'
import { endpointAt } from './agent-at.js'

export interface Alone {
  readonly server: ModelServer
  readonly problems: readonly string[]
  /** Returns the texts that the run reported. */
  readonly shown: () => string
  onText(listener: (text: string) => void): void
  run(signal: AbortSignal): Promise<unknown>
}

/** Makes a run of the runner without an executor, against a server that gives the listed answers in order. */
export async function runAlone(
  protocol: Protocol,
  replies: readonly (ModelAnswer | Fault)[] | ((request: ModelRequest, at: number) => ModelAnswer | Fault),
): Promise<Alone> {
  const server = await modelServer(protocol, (request, at) =>
    typeof replies === 'function'
      ? replies(request, at)
      : (replies[at] ?? { status: 400, body: { error: { message: 'The script is over.' } } }),
  )
  onTestFinished(() => server.close())
  const endpoint = endpointAt(protocol, server.url)
  const problems: string[] = []
  const listeners: ((text: string) => void)[] = []
  let shown = ''
  const skills = createSkills({
    kinds: invocationKinds,
    onDiagnostic: ({ message }) => void problems.push(message),
    plugins: [
      aiSdkRunner({ model: endpoint.modelFor(endpoint.model), maxOutputTokens: 1000, tools: tools('/nowhere') }),
    ],
  })
  onTestFinished(() => skills.close())
  const request: RunRequest = {
    agentId: 'agent-1',
    agentType: 'general-purpose',
    messages: [[{ type: 'text', text: 'What time is it?' }]],
    tools: { without: [] },
    maxSteps: 5,
    depth: 1,
    authorize: async () => ({ behavior: 'deny', message: 'No.', decisionReason: { type: 'host' } }),
    used: async () => {},
    progress(told) {
      const text = told.type === 'text' ? told.text : told.type === 'tool' ? told.tool : ''
      shown += text
      for (const listener of listeners) listener(text)
    },
  }
  return {
    server,
    problems,
    shown: () => shown,
    onText: listener => void listeners.push(listener),
    run: signal => skills.use('runner').first((runner, call) => runner.run(request, call), { signal }),
  }
}
