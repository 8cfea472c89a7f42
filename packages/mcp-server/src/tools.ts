import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
  type Tool,
} from '@modelcontextprotocol/server'
import { modelTools, type EnginePort, type ModelTool } from '@skills/invocation/skill-tool'
import { deniedText, protocolBlocks, tellProgress } from './content.js'
import type { AskedCalls, Round } from './asked-calls.js'
import type { Settled } from './options.js'

/** Tools `Skill` and `SkillSearch` in the form of the protocol. */
export class Tools {
  private constructor(
    private readonly options: Settled,
    private readonly calls: AskedCalls,
    private readonly tools: readonly ModelTool[],
    private readonly tells: (text: string) => string,
  ) {}

  static async open(options: Settled, port: EnginePort, calls: AskedCalls): Promise<Tools> {
    // Clients show no reminders, so the listing is in the description, which is sent again when it changes.
    const tool = { ...options.distribution.tool, listingIn: 'description' } as const
    return new Tools(options, calls, await modelTools(port, { tool }), port.tells ?? (text => text))
  }

  async list(signal: AbortSignal): Promise<{ tools: Tool[] }> {
    const { isReadOnly } = this.options
    return {
      tools: await Promise.all(
        this.tools.map(async tool => ({
          name: tool.name,
          description: await tool.describe({ signal }),
          inputSchema: { ...tool.inputSchema, type: 'object' as const },
          annotations: {
            readOnlyHint: tool.isReadOnly || isReadOnly,
            destructiveHint: !(tool.isReadOnly || isReadOnly),
            openWorldHint: !(tool.isReadOnly || isReadOnly),
          },
        })),
      ),
    }
  }

  async call(name: string, input: unknown, round: Omit<Round, 'about'>): Promise<CallToolResult | InputRequiredResult> {
    const tool = this.tools.find(one => one.name === name)
    if (tool === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool "${name}". The tools are ${this.tools.map(one => one.name).join(' and ')}.`,
      )
    const { skills, allowHint } = this.options
    return this.calls.round(
      { ...round, about: [name, input] },
      async ({ onAsk, unanswered, distrusted, signal, current }): Promise<CallToolResult> => {
        const sessionId = round.client.session.id
        const stop = tellProgress(skills, sessionId, current, this.tells)
        try {
          const answer = await tool.answer(input ?? {}, { sessionId, onAsk, signal })
          const hint = await deniedText({ unanswered, distrusted }, allowHint)
          return {
            content: [
              ...protocolBlocks(answer.content),
              ...(hint === undefined ? [] : [{ type: 'text' as const, text: this.tells(hint) }]),
            ],
            ...(answer.isError && { isError: true }),
          }
        } finally {
          stop()
        }
      },
    )
  }
}
