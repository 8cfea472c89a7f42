import { fieldOf } from '@skills/core/fields'
import { facets, type Facet } from './facets.js'
import type { Effect, FieldEffects } from './field-effects.js'
import type { FieldUse } from './compat-types.js'

const noEffects: ReadonlySet<Effect> = new Set()

/** Compares the effects of fields under an agent with their effects under the reference agent. */
export class FieldUses {
  readonly #known = new Map<string, FieldUse>()

  constructor(
    private readonly reference: FieldEffects,
    private readonly agent: FieldEffects,
  ) {}

  /**
   * Returns the agent's use of a field.
   * @param value value in the frontmatter
   */
  field(key: string, value: unknown): FieldUse {
    const known = this.#known.get(key) ?? this.#ofKey(key)
    this.#known.set(key, known)
    // Ignoring a value that means the same as no field loses nothing.
    return known.use === 'ignored' && known.what !== undefined && isDefault(key, value)
      ? { field: key, use: 'ignored' }
      : known
  }

  feature(field: string): FieldUse {
    const isUsed = this.agent.features.has(field)
    // A feature without a meaning in the reference cannot lose one.
    const isLost = !isUsed && this.reference.features.has(field)
    return { field, use: isUsed ? 'used' : 'ignored', ...(isLost && { what: 'the model reads it as it is written' }) }
  }

  #ofKey(key: string): FieldUse {
    const meant = this.reference.fields.get(key) ?? noEffects
    const effect = this.agent.fields.get(key) ?? noEffects
    const more = [...effect].filter(one => !meant.has(one))
    const missing = [...meant].filter(one => !effect.has(one))
    if (effect.size === 0) {
      const isHeeded = [...meant].some(one => facetOf(one) !== 'kept')
      return { field: key, use: 'ignored', ...(isHeeded && { what: `it would change ${wordsFor(meant)}` }) }
    }
    if (more.length > 0 && missing.length > 0) return { field: key, use: 'other', what: `it changes ${wordsFor(more)}` }
    return { field: key, use: 'used', what: `it changes ${wordsFor(effect)}` }
  }
}

function facetOf(effect: Effect): Facet {
  const [first, second] = effect.split(':')
  return (second ?? first) as Facet
}

/** Returns the effects as a list of words for a sentence. */
function wordsFor(effects: Iterable<Effect>): string {
  const words = [...new Set([...effects].map(one => facets[facetOf(one)]))]
  return words.join(', ').replace(/, (?=[^,]*$)/, ' and ')
}

function isDefault(key: string, value: unknown): boolean {
  const field = fieldOf(key)
  if (field === undefined) return true
  const { otherwise, none, default: usual } = field
  const text = String(value)
  return (
    value === null ||
    text === '' ||
    text === none ||
    text === usual ||
    value === otherwise ||
    text === String(otherwise)
  )
}
