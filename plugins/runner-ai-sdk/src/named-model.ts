import { SkillsError, type MaybePromise } from '@skills/core'
import type { Model } from './options.js'

export interface Models {
  /** Returns the model that is used unless another is set. */
  readonly own: () => MaybePromise<Model>
  /** Returns the model of a name. Undefined if there is none. */
  readonly named: (name: string) => MaybePromise<Model | undefined>
  /** Called for an unknown name, with the model that is used instead. */
  readonly onUnknown: (own: Model) => void
}

/**
 * Returns the model with a name; without a name, the runner's own model.
 * @throws SkillsError `E_INVALID_OPTION` for an invalid model
 */
export async function namedModel(name: string | undefined, { own, named, onUnknown }: Models): Promise<Model> {
  const found = name === undefined ? undefined : await named(name)
  if (found !== undefined) return checked(found)
  const model = checked(await own())
  if (name !== undefined && name !== model.modelId) onUnknown(model)
  return model
}

/**
 * Checks a model. For a name, the library would ask a gateway that was never configured. Models of other versions are
 * not supported.
 */
function checked(model: Model): Model {
  const given: unknown = model
  if (
    typeof given === 'object' &&
    given !== null &&
    'specificationVersion' in given &&
    given.specificationVersion === 'v3'
  )
    return model
  throw new SkillsError(
    'E_INVALID_OPTION',
    `The AI SDK needs a model, and was given ${typeof given === 'string' ? `the name "${given}"` : 'something else'}.`,
    { hint: 'Give a model that a provider for version 6 of the AI SDK makes from a name.' },
  )
}
