import { expandWith } from '@skills/template'
import { AlreadyLoaded } from './already-loaded.js'
import { contextModifier, type Grant } from './context-modifier.js'
import { messagesFor, type Label } from './messages.js'
import { abortError, defineProvider, type ContentBlock, type Provider } from '@skills/core'
import { countUse, type Invocation } from '@skills/invocation'

export interface InlineExecutorOptions {
  /** What the visible message says: `sentence` is `The "deploy" skill is loading`, `name` is `deploy`. Default: `sentence`. */
  readonly label?: Label
  /** What becomes of a skill whose text an agent has already: `note` (default) says so in a line, `whole` sends it again. */
  readonly repeated?: 'note' | 'whole'
  /** How long what a skill allows holds. Default: `turn`. */
  readonly grants?: 'turn' | 'session'
  /** Whether a skill that names its tools may use nothing else. Default: false. */
  readonly strict?: boolean
  /** Names of the tools there are. A trusted skill that allows another is reported. Default: nobody knows. */
  readonly knownTools?: readonly string[] | undefined
}

/** Tools that a skill names and nobody has. */
function unknownTools(tools: readonly string[], known: readonly string[] | undefined): readonly string[] {
  if (known === undefined) return []
  const names = new Set(known)
  return tools.filter(tool => !names.has(tool.replace(/\(.*$/s, '')) && !tool.startsWith('mcp__'))
}

/**
 * Carries out a prompt in the conversation it was invoked in. See docs/reference.md, "Execution inline".
 * Rejects with what expanding throws.
 */
export function inlineExecutor(options: InlineExecutorOptions = {}): Provider<'executor', 'expander' | 'state'> {
  const { label = 'sentence', repeated = 'note', grants = 'turn', strict = false, knownTools } = options
  return defineProvider({
    kind: 'executor',
    id: 'inline',
    wants: ['expander', 'state'],
    setup(ctx) {
      const loaded = new AlreadyLoaded()
      const reported = new Set<string>()
      ctx.hook('compact:after', ({ agentId }) => loaded.forget(agentId))

      async function contentOf(invocation: Invocation, signal: AbortSignal): Promise<readonly ContentBlock[]> {
        const { body, command, args, trust, authorize, forbids, progress } = invocation
        if ('blocks' in body) return body.blocks
        const { text } = await expandWith(ctx.use('expander'), body.template, {
          command, args, trust, host: ctx.host, effort: command.effort, signal, authorize, forbids, progress,
        })
        return [{ type: 'text', text }]
      }

      function reportUnknown(name: string, tools: readonly string[]): void {
        for (const tool of unknownTools(tools, knownTools)) {
          const key = `${name}\0${tool}`
          if (reported.has(key)) continue
          reported.add(key)
          ctx.report({
            severity: 'warning', type: 'validation', code: 'unknown-tool', name, field: 'allowed-tools',
            message: `The skill "${name}" allows the tool "${tool}", which there is not.`, hint: 'Correct its name, or remove it from allowed-tools.',
          })
        }
      }

      return {
        async execute(invocation, { signal }) {
          const { command, entry, args, trust, agentId, toolUseId } = invocation
          const content = await contentOf(invocation, signal)
          await countUse(entry.name, ctx.use('state'), { clock: ctx.host.clock, signal, report: ctx.report })
          // Before anything is remembered: an agent that gave up has not been given the text.
          if (signal.aborted) throw abortError(signal)
          const isRepeated = loaded.has(agentId, entry.name, content) && repeated === 'note'
          // Until somebody trusts a skill, nothing that it allows itself holds.
          const allowedTools = trust === 'trusted' ? command.allowedTools : []
          reportUnknown(entry.name, allowedTools)
          const grant: Grant = { allowedTools, disallowedTools: command.disallowedTools, model: command.model, effort: command.effort, isStrict: strict && allowedTools.length > 0 }
          return {
            data: {
              success: true, commandName: entry.name, status: 'inline', grants, ...isRepeated && { isRepeated },
              ...allowedTools.length > 0 && { allowedTools }, ...command.model !== undefined && { model: command.model },
            },
            newMessages: messagesFor({ command, args, label, toolUseId, grant, content: isRepeated ? undefined : content }),
            contextModifier: contextModifier(grant),
          }
        },
      }
    },
  })
}
