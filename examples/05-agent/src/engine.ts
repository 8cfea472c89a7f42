import { createSkills, type Diagnostic, type Host, type LocalCommand, type Plugin } from '@skills/core'
import { standard } from '@skills/distributions'
import { InvokedSkills, Invoker, type OnAsk } from '@skills/invocation'
import { aiSdkRunner } from '@skills/runner-ai-sdk'
import { enginePort, ListingRecord, skillTool } from '@skills/skill-tool'
import { terminalRenderer } from '@skills/source-builtin/terminal'
import { contentOf, tools } from './tools.js'
import type { Endpoint } from './endpoint.js'

export interface EngineOptions {
  readonly host: Partial<Host> & Pick<Host, 'cwd'>
  readonly endpoint: Endpoint
  readonly onAsk: OnAsk
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
  readonly write: (text: string) => void
  readonly maxRetries?: number | undefined
  /** Of this program: it is a command as any other. */
  compact(signal: AbortSignal): Promise<string>
}

/** The skills of an agent, and all that carries them out. */
export async function openEngine({ host, endpoint, onAsk, onDiagnostic, write, maxRetries, compact }: EngineOptions) {
  const { cwd } = host
  const plugins: readonly Plugin[] = [
    terminalRenderer({ write }),
    aiSdkRunner({
      model: () => endpoint.modelFor(endpoint.model), modelFor: name => endpoint.modelFor(name), maxOutputTokens: endpoint.maxOutputTokens, maxRetries, tools: tools(cwd), contentOf: (_tool, input) => contentOf(cwd, input),
      system: 'You do one task for another agent, which reads only your last message.',
    }),
  ]
  const skills = createSkills(standard({
    host, onDiagnostic, plugins,
    // Looking is free; whatever else there is, somebody is asked.
    rules: { allow: ['Read', 'Search'] },
    builtin: { commands: [command('compact', 'Shorten the conversation.', async (_args, { signal }) => ({ text: await compact(signal) }))] },
  }))
  const invoker = new Invoker(skills, { onAsk })
  const port = enginePort(skills, { invoker })
  return { skills, invoker, port, tool: await skillTool(port), record: new ListingRecord(skills), invoked: new InvokedSkills(skills) }
}

export type Engine = Awaited<ReturnType<typeof openEngine>>

export function command(name: string, description: string, call: LocalCommand['call']): LocalCommand {
  return {
    type: 'local', name, displayName: name, aliases: [], description, hasUserSpecifiedDescription: true, source: 'builtin', loadedFrom: 'builtin',
    userInvocable: true, isHidden: false, isEnabled: () => true, call,
  }
}
