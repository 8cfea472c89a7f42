import { fieldOf } from '@skills/core/fields'
import { facets, type Facet } from './facets.js'
import type { Effect, FieldEffects } from './field-effects.js'
import type { FieldUse } from './compat-types.js'

const noEffects: ReadonlySet<Effect> = new Set()

/** What agents make of fields, compared with what the reference does with them. */
export class FieldUses {
  readonly #known = new Map<string, FieldUse>()

  constructor(
    private readonly reference: FieldEffects,
    private readonly agent: FieldEffects,
  ) {}

  /** @param value as the frontmatter has it */
  field(key: string, value: unknown): FieldUse {
    const known = this.#known.get(key) ?? this.#ofKey(key)
    this.#known.set(key, known)
    // What says the same as no field at all costs nothing where it is ignored.
    return known.use === 'ignored' && known.what !== undefined && isDefault(key, value)
      ? { field: key, use: 'ignored' }
      : known
  }

  feature(field: string): FieldUse {
    const isUsed = this.agent.features.has(field)
    // Without a meaning in the reference there is none to be lost.
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

/** What is changed, as it stands in a sentence. */
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
