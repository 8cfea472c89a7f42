import type { Effort } from '@skills/core'
import type { AgentContext } from '@skills/invocation'

/** Changes of a skill to the agent that it works in. */
export interface Grant {
  readonly allowedTools: readonly string[]
  readonly disallowedTools: readonly string[]
  readonly model: string | undefined
  readonly effort: Effort | undefined
  readonly thinkingTokens?: number | undefined
  /** True if only `allowedTools` may be used. */
  readonly isStrict: boolean
  /** True if `allowedTools` restrict without granting. */
  readonly grantsNothing?: boolean | undefined
}

/** End of a model's name that asks for a longer context. It belongs to the conversation, not to the skill. */
const longContext = /\[\d+[km]\]$/i

/**
 * Makes the function that changes an agent's context as a skill asks. It does not change its argument, keeps unknown
 * fields, and can follow another one. Returns undefined if the skill asks for nothing.
 */
export function contextModifier(grant: Grant): (<C extends AgentContext>(context: C) => C) | undefined {
  const { allowedTools, disallowedTools, model, effort, isStrict, grantsNothing = false, thinkingTokens = 0 } = grant
  if (
    allowedTools.length + disallowedTools.length === 0 &&
    model === undefined &&
    effort === undefined &&
    !(thinkingTokens > 0)
  )
    return undefined
  return context => {
    const { toolPermissionContext, options } = context
    const before = toolPermissionContext?.alwaysAllowRules?.command ?? []
    const command = [...new Set([...before, ...(grantsNothing ? [] : allowedTools)])].filter(
      tool => !disallowedTools.includes(tool),
    )
    const tools =
      allowedTools.length + disallowedTools.length === 0
        ? {}
        : {
            toolPermissionContext: {
              ...toolPermissionContext,
              alwaysAllowRules: { ...toolPermissionContext?.alwaysAllowRules, command },
              ...(disallowedTools.length > 0 && {
                disallowedTools: [...new Set([...(toolPermissionContext?.disallowedTools ?? []), ...disallowedTools])],
              }),
              ...(isStrict && { onlyTools: allowedTools.filter(tool => !disallowedTools.includes(tool)) }),
            },
          }
    return {
      ...context,
      ...tools,
      ...((model !== undefined || thinkingTokens > 0) && {
        options: {
          ...options,
          ...(model !== undefined && { mainLoopModel: modelWith(model, options?.mainLoopModel) }),
          ...(thinkingTokens > 0 && { maxThinkingTokens: thinkingTokens }),
        },
      }),
      ...(effort !== undefined && { effortValue: effort }),
    }
  }
}

function modelWith(model: string, before = ''): string {
  const suffix = longContext.exec(before)?.[0]
  return suffix === undefined || longContext.test(model) ? model : model + suffix
}
