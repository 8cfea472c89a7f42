import { DynamicStructuredTool, type ToolRunnableConfig } from '@langchain/core/tools'
import { SystemMessage, ToolMessage } from '@langchain/core/messages'
import { createMiddleware, type AgentMiddleware } from 'langchain'
import type { ContentBlock } from '@skills/core'
import type { AgentSession } from '@skills/host/session'
import type { SessionTool } from '@skills/host/internal'

/**
 * Returns the tools `Skill` and `SkillSearch` for an agent or a model of LangChain. {@link skillsMiddleware} includes
 * them. See docs/reference/adapters.md, "LangChain".
 */
export function langchainTools(session: AgentSession): readonly DynamicStructuredTool[] {
  return session.tools().map(langchainTool)
}

function langchainTool({ name, description, inputSchema, execute }: SessionTool): DynamicStructuredTool {
  return new DynamicStructuredTool({
    name,
    description,
    schema: inputSchema,
    async func(input: unknown, _, config?: ToolRunnableConfig) {
      const toolUseId = config?.toolCall?.id
      const { content, text, isError } = await execute(input, { toolUseId, signal: config?.signal })
      // A refused or failed call gives an error message, so that the agent's loop knows.
      return isError && toolUseId !== undefined
        ? new ToolMessage({ content: text, tool_call_id: toolUseId, name, status: 'error' })
        : content.some(({ type }) => type === 'image')
          ? content.map(partOf)
          : text
    },
  })
}

function partOf(block: ContentBlock): object {
  return block.type === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } }
}

/**
 * Makes the middleware that gives the skills of one conversation to `createAgent`. It adds the tools and, before each
 * answer, the text about skills, and it asks for permission before each call of the agent's other tools. See
 * docs/reference/adapters.md, "LangChain".
 */
export function skillsMiddleware(session: AgentSession): AgentMiddleware {
  const tools = langchainTools(session)
  const own = new Set(tools.map(({ name }) => name))
  return createMiddleware({
    name: 'Skills',
    tools: [...tools],
    async wrapModelCall(request, handler) {
      const told = await session.system({ signal: request.runtime.signal })
      return handler({
        ...request,
        tools: request.tools.filter(one => typeof one.name !== 'string' || session.offers(one.name)),
        systemMessage: told === '' ? request.systemMessage : request.systemMessage.concat(new SystemMessage(told)),
      })
    },
    async wrapToolCall(request, handler) {
      const { name, args: input, id: toolUseId = '' } = request.toolCall
      if (own.has(name)) return handler(request)
      const { behavior, message } = await session.authorize(
        { tool: name, input, toolUseId },
        { signal: request.runtime.signal },
      )
      return behavior === 'allow'
        ? handler(request)
        : new ToolMessage({ content: message, tool_call_id: toolUseId, name, status: 'error' })
    },
    afterAgent() {
      session.endTurn()
    },
  })
}
