import { abortError, type Provider } from '@skills/core'
import type { AgentContext, Executor, Invocation, Message, Outcome } from '@skills/invocation'
import { expandWith } from '@skills/expansion'

type Fault = (sound: Executor['execute']) => Executor['execute']

/** Makes a short executor that keeps every rule of its contract, for tests only. */
export function smallExecutor(fault: Fault = sound => sound): Provider<'executor', 'expander'> {
  return {
    kind: 'executor',
    id: 'small',
    wants: ['expander'],
    setup: ({ use, host }) => ({
      execute: fault(async (invocation, { signal }) => {
        if (signal.aborted) throw abortError(signal)
        const { body, toolUseId, entry } = invocation
        const content =
          'blocks' in body
            ? body.blocks
            : [
                {
                  type: 'text' as const,
                  text: (await expandWith(use('expander'), body.template, { ...invocation, host, signal })).text,
                },
              ]
        const { allowedTools, model } = grantOf(invocation)
        const messages: readonly Message[] = [
          { type: 'user', content: `At work: ${invocation.command.name}` },
          { type: 'user', isMeta: true, content },
          { type: 'attachment', content: '', attachment: { type: 'permissions', allowedTools, model } },
        ]
        return {
          data: { success: true, commandName: entry.name, status: 'inline', allowedTools },
          contextModifier: modifierOf(invocation),
          newMessages: toolUseId === undefined ? messages : messages.map(message => ({ ...message, toolUseId })),
        } satisfies Outcome
      }),
    }),
  }
}

function grantOf({ command: { allowedTools, model }, trust }: Invocation): {
  readonly allowedTools: readonly string[]
  readonly model: string | undefined
} {
  return { allowedTools: trust === 'trusted' ? allowedTools : [], model }
}

function modifierOf(invocation: Invocation): <C extends AgentContext>(context: C) => C {
  const { allowedTools, model } = grantOf(invocation)
  const { disallowedTools, effort } = invocation.command
  return context => {
    const { toolPermissionContext: tools, options } = context
    const command = [...new Set([...(tools?.alwaysAllowRules?.command ?? []), ...allowedTools])].filter(
      tool => !disallowedTools.includes(tool),
    )
    const suffix = /\[\w+\]$/.exec(options?.mainLoopModel ?? '')?.[0] ?? ''
    return {
      ...context,
      ...(allowedTools.length + disallowedTools.length > 0 && {
        toolPermissionContext: {
          ...tools,
          alwaysAllowRules: { ...tools?.alwaysAllowRules, command },
          disallowedTools: [...(tools?.disallowedTools ?? []), ...disallowedTools],
        },
      }),
      ...(model !== undefined && {
        options: { ...options, mainLoopModel: model.endsWith(']') ? model : model + suffix },
      }),
      ...(effort !== undefined && { effortValue: effort }),
    }
  }
}
