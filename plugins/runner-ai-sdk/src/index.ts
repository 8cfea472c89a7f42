import { abortError, defineProvider, type MaybePromise, type Provider } from '@skills/core'
import { toolContent, type RunRequest } from '@skills/invocation'
import { aiLibrary } from './ai-library.js'
import { effortOptions } from './effort-options.js'
import { heardModel } from './heard-model.js'
import { journaledModel } from './journaled-model.js'
import { namedModel } from './named-model.js'
import { tracedModel } from './traced-model.js'
import { runAgent } from './run-agent.js'
import { unknownTools } from './tool-limits.js'
import { aiSdkRunnerOptions, type AiSdkRunnerOptions, type Model } from './options.js'

export { converse } from './conversation.js'
export type { ConversationState } from './conversation-state.js'
export type { Compaction, ConversationOptions, ConversationProgress } from './conversation-options.js'
export { effortOptions } from './effort-options.js'
export { heardModel } from './heard-model.js'
export { modelFailure } from './failure.js'
export { idempotent } from './idempotent.js'
export type { AiSdkRunnerOptions, Model, ProviderOptions } from './options.js'

/**
 * Makes the runner `ai-sdk`, which runs forks in the tool loop of the AI SDK with any of its providers. See
 * docs/reference/ai-sdk.md, "The runner of the AI SDK".
 *
 * A run rejects with `E_PROVIDER_FAILED` if the model fails or its answer does not end, `E_TIMEOUT` if the answer
 * stops, `E_MISSING_PROVIDER` if the package `ai` is not installed, `E_INVALID_OPTION` for a tool that cannot ask for
 * permission or an invalid model, an `AbortError`, and the errors of functions among the options.
 */
export function aiSdkRunner(given: AiSdkRunnerOptions): Provider<'runner', 'tracer'> {
  const options = aiSdkRunnerOptions.read(given)
  const {
    tools,
    system,
    contentOf = toolContent,
    effortFor = effortOptions,
    closeMs,
    maxRetries,
    maxOutputTokens,
    idleMs,
    maxAnswerChars,
  } = options
  return defineProvider({
    kind: 'runner',
    id: 'ai-sdk',
    wants: ['tracer'],
    setup({ host: { clock }, report, use }) {
      const told = new Set<string>()
      function warn(code: string, message: string, hint?: string): void {
        if (told.has(message)) return
        told.add(message)
        report({ severity: 'warning', type: 'validation', code, message, ...(hint !== undefined && { hint }) })
      }

      const modelOf = (request: RunRequest): Promise<Model> =>
        namedModel(request.model, {
          own: () => (typeof options.model === 'function' ? options.model(request) : options.model),
          named: name => options.modelFor?.(name, request),
          onUnknown: own =>
            warn(
              'unknown-model',
              `The agent "${request.agentType}" should run on the model "${request.model ?? ''}", which is not known here. It runs on "${own.modelId}" instead.`,
              'Make modelFor return a model for this name.',
            ),
        })

      return {
        keepsSteps: true,
        async run(request, { signal }) {
          if (signal.aborted) throw abortError(signal)
          const [ai, model, ownTools, ownSystem] = await Promise.all([
            aiLibrary(),
            modelOf(request),
            typeof tools === 'function' ? tools(request) : tools,
            request.system ?? (typeof system === 'function' ? systemOf(request, system) : system),
          ])
          if (signal.aborted) throw abortError(signal)
          for (const name of unknownTools(request.tools.only ?? [], Object.keys(ownTools))) {
            warn(
              'unknown-tool',
              `The agent "${request.agentType}" may use the tool "${name}", which does not exist.`,
              'Correct the name of the tool, or remove it from the list.',
            )
          }
          const warned = (message: string): void =>
            warn('model-warning', `The model "${model.modelId}" of ${model.provider}: ${message}`)
          const tracers = use('tracer')
          const endings = new Set<Promise<void>>()
          const heard = tracedModel(
            ai,
            heardModel(ai, model, warned, {
              idleMs,
              maxAnswerChars,
              clock,
              onCancel: ended => void endings.add(ended),
            }),
            tracers,
          )
          const count = { answers: 0 }
          return runAgent(
            {
              ai,
              endings,
              request,
              tools: ownTools,
              system: ownSystem,
              contentOf,
              closeMs,
              clock,
              report,
              maxRetries,
              maxOutputTokens,
              count,
              tracers,
              model: request.journal === undefined ? heard : journaledModel(ai, heard, request.journal, count),
              providerOptions: request.effort === undefined ? undefined : effortFor(request.effort, model),
            },
            signal,
          )
        },
      }
    },
  })
}

/**
 * Returns the system prompt, computed once for each run. A prompt with a date is the same when the run is resumed
 * later.
 */
async function systemOf(
  request: RunRequest,
  system: (request: RunRequest) => MaybePromise<string | undefined>,
): Promise<string | undefined> {
  const step = { kind: 'own', key: 'system', input: null, idempotent: true } as const
  const given = await (request.journal?.step(step, async () => (await system(request)) ?? null) ?? system(request))
  return given ?? undefined
}
