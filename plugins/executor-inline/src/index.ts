import * as s from '@skills/core/schema'
import { expandWith } from '@skills/expansion'
import { runsCommand, trimmed } from '@skills/expansion/internal'
import { toolOf } from '@skills/rules'
import { contextModifier, type Grant, messagesFor } from './messages.js'
import { abortError, defineProvider, type ContentBlock, type PromptCommand, type Provider } from '@skills/core'
import { countUse, registerHooks, type Invocation, type Outcome } from '@skills/invocation'

const inlineExecutorOptions = s.options('inlineExecutor()', {
  /** Text of the visible message. `sentence`: `The "deploy" skill is loading`; `name`: `deploy`. */
  label: s.oneOf('sentence', 'name').default('sentence'),
  /**
   * Text for the model if the agent has the skill's text already. `note`: one line that says so; `whole`: the text
   * again.
   */
  repeated: s.oneOf('note', 'whole').default('note'),
  /**
   * Time for which the allowed-tools of a skill hold. `none`: they grant nothing, and `strict` alone gives them a
   * meaning.
   */
  grants: s.oneOf('turn', 'session', 'none').default('turn'),
  /** True if a skill that lists its tools may use no others. */
  strict: s.flag().default(false),
  /** Names of the existing tools. A trusted skill that allows another is reported. Default: unknown, no report. */
  knownTools: s.list(s.text()),
  /**
   * Messages of an invocation. `tagged`: separate ones for people, for the model and for grants; `plain`: one message
   * of the user with the text.
   */
  messages: s.oneOf('tagged', 'plain').default('tagged'),
  /**
   * White space removed from a body before it is expanded. `blank-lines`: blank lines before the first line; `true`:
   * all white space around it.
   */
  trims: s.either(s.flag(), s.oneOf('blank-lines')).default('blank-lines'),
  /** Model names that skills may write, with the model that each stands for, such as the host's small fast one. */
  models: s.record(s.text()).default({}),
  /** Returns the most tokens that a model may think for with a skill; counts above 0. Default: not set. */
  thinkingTokens: s.fn<(command: PromptCommand) => number | undefined>(),
})

export interface InlineExecutorOptions extends s.OptionsOf<typeof inlineExecutorOptions> {}

/** Returns the tools that a skill names and that do not exist. */
function unknownTools(tools: readonly string[], known: readonly string[] | undefined): readonly string[] {
  if (known === undefined) return []
  const names = new Set(known)
  return tools.filter(rule => !names.has(toolOf(rule)) && !rule.startsWith('mcp__'))
}

/**
 * Makes the executor that runs a prompt in the conversation that invoked it. An invocation rejects with the errors of
 * expanding. See docs/reference/invocation.md, "Execution inline".
 */
export function inlineExecutor(given?: InlineExecutorOptions): Provider<'executor', 'expander' | 'state' | 'hooks'> {
  const { label, repeated, grants, strict, knownTools, messages, trims, models, thinkingTokens } =
    inlineExecutorOptions.read(given)
  return defineProvider({
    kind: 'executor',
    id: 'inline',
    wants: ['expander', 'state', 'hooks'],
    setup(ctx) {
      const reported = new Set<string>()

      async function contentOf(invocation: Invocation, signal: AbortSignal): Promise<readonly ContentBlock[]> {
        const { body, command, args, trust, session, authorize, forbids, progress } = invocation
        if ('blocks' in body) return body.blocks
        const { text } = await expandWith(ctx.use('expander'), trimmed(body.template, trims), {
          command,
          args,
          trust,
          host: ctx.host,
          sessionId: session?.key,
          effort: command.effort ?? session?.effortNow,
          signal,
          authorize,
          forbids,
          progress,
        })
        return [{ type: 'text', text }]
      }

      function reportUnknown(name: string, tools: readonly string[]): void {
        for (const tool of unknownTools(tools, knownTools)) {
          const key = `${name}\0${tool}`
          if (reported.has(key)) continue
          reported.add(key)
          ctx.report({
            severity: 'warning',
            type: 'validation',
            code: 'unknown-tool',
            name,
            field: 'allowed-tools',
            message: `The skill "${name}" allows the tool "${tool}", which does not exist.`,
            hint: 'Correct its name, or remove it from allowed-tools.',
          })
        }
      }

      async function carryOut(invocation: Invocation, signal: AbortSignal): Promise<Outcome> {
        const { command, entry, args, trust, agentId, session, toolUseId } = invocation
        const content = await contentOf(invocation, signal)
        await countUse(entry.name, ctx.use('state'), { clock: ctx.host.clock, signal, report: ctx.report })
        // Checked before anything is remembered: an agent that gave up was not given the text.
        if (signal.aborted) throw abortError(signal)
        const isRepeated = session?.hasText(agentId, entry.name, content) === true && repeated === 'note'
        // Allowed-tools count only if the skill is trusted.
        const allowedTools = trust === 'trusted' ? command.allowedTools : []
        reportUnknown(entry.name, allowedTools)
        const model =
          command.model !== undefined && Object.hasOwn(models, command.model) ? models[command.model] : command.model
        const grant: Grant = {
          allowedTools,
          disallowedTools: command.disallowedTools,
          model,
          effort: command.effort,
          thinkingTokens: thinkingTokens?.(command),
          isStrict: strict && allowedTools.length > 0,
          grantsNothing: grants === 'none',
        }
        return {
          data: {
            success: true,
            commandName: entry.name,
            status: 'inline',
            ...(grants !== 'none' && { grants }),
            ...(isRepeated && { isRepeated }),
            ...(allowedTools.length > 0 && grants !== 'none' && { allowedTools }),
            ...(model !== undefined && { model }),
          },
          newMessages: messagesFor({
            messages,
            command,
            args,
            label,
            toolUseId,
            grant,
            content: isRepeated ? undefined : content,
          }),
          contextModifier: contextModifier(grant),
        }
      }

      return {
        embeds: (template, command, { signal }) => runsCommand(ctx.use('expander'), template, command, signal),
        async execute(invocation, { signal }) {
          const undoHooks = await registerHooks(ctx.use('hooks'), invocation, { signal })
          try {
            return await carryOut(invocation, signal)
          } catch (error) {
            undoHooks()
            throw error
          }
        },
      }
    },
  })
}
