import { abortError, defineProvider, SkillsError, type Provider } from '@skills/core'
import { aiLibrary } from './ai-library.js'
import { effortOptions } from './effort-options.js'
import { heardModel } from './heard-model.js'
import { runAgent } from './run-agent.js'
import { toolContent } from './tool-content.js'
import { unknownTools } from './tool-limits.js'
import type { RunRequest } from '@skills/invocation'
import type { AiSdkRunnerOptions, Model } from './options.js'

export { effortOptions } from './effort-options.js'
export { heardModel, type OnWarning } from './heard-model.js'
export { modelFailure } from './failure.js'
export { toolContent } from './tool-content.js'
export type { AiSdkRunnerOptions, Model, ProviderOptions } from './options.js'

/**
 * The runner `ai-sdk`: runs forks through the tool loop of the AI SDK, with any of its providers.
 * See docs/reference.md, "The runner of the AI SDK".
 *
 * A run rejects with `E_PROVIDER_FAILED` when the model fails, `E_MISSING_PROVIDER` where the package `ai` is not installed,
 * `E_INVALID_OPTION` for a tool that cannot be asked about or a model that is none, an `AbortError`, and whatever the functions among the options throw.
 */
export function aiSdkRunner(options: AiSdkRunnerOptions): Provider<'runner'> {
  const { tools = {}, system, contentOf = toolContent, effortFor = effortOptions, closeMs = 2000, maxRetries, maxOutputTokens } = options
  return defineProvider({
    kind: 'runner',
    id: 'ai-sdk',
    setup({ host: { clock }, report }) {
      const told = new Set<string>()
      function warn(code: string, message: string, hint?: string): void {
        if (told.has(message)) return
        told.add(message)
        report({ severity: 'warning', type: 'validation', code, message, ...hint !== undefined && { hint } })
      }

      async function modelOf(request: RunRequest): Promise<Model> {
        const { model: name } = request
        const named = name === undefined ? undefined : await options.modelFor?.(name, request)
        if (named !== undefined) return named
        const parents = typeof options.model === 'function' ? await options.model(request) : options.model
        if (name !== undefined && name !== parents.modelId) {
          warn('unknown-model', `The agent "${request.agentType}" is to run on the model "${name}", which is not known here; it runs on "${parents.modelId}".`, 'Say in modelFor which model that is.')
        }
        return parents
      }

      return {
        async run(request, { signal }) {
          if (signal.aborted) throw abortError(signal)
          const [ai, model, given, ownSystem] = await Promise.all([
            aiLibrary(), modelOf(request).then(checkedModel), typeof tools === 'function' ? tools(request) : tools, request.system ?? (typeof system === 'function' ? system(request) : system),
          ])
          if (signal.aborted) throw abortError(signal)
          for (const name of unknownTools(request.tools.only ?? [], Object.keys(given))) {
            warn('unknown-tool', `The agent "${request.agentType}" may use the tool "${name}", which there is not.`, 'Correct its name, or take it off the list.')
          }
          return runAgent({
            ai, request, tools: given, system: ownSystem, contentOf, closeMs, clock, report, maxRetries, maxOutputTokens,
            model: heardModel(ai, model, message => warn('model-warning', `The model "${model.modelId}" of ${model.provider}: ${message}`)),
            providerOptions: request.effort === undefined ? undefined : effortFor(request.effort, model),
          }, signal)
        },
      }
    },
  })
}

/** A name alone would have the library ask a gateway that nobody configured; models of other versions cannot be heard. */
function checkedModel(model: Model): Model {
  const given: unknown = model
  if (typeof given === 'object' && given !== null && 'specificationVersion' in given && given.specificationVersion === 'v3') return model
  throw new SkillsError('E_INVALID_OPTION', `The runner of the AI SDK was given ${typeof given === 'string' ? `the name "${given}"` : 'something else'} for a model.`, { hint: 'Give it what a provider for version 6 of the AI SDK makes of a name.' })
}
