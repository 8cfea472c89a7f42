import { toldRows } from '@skills/host/internal'
import { skillJson, toldJson } from '@skills/ui/internal'
import { toldWords } from '../../output/told-text.js'
import type { Listed } from '@skills/inspect/internal'
import type { Engine } from '../../engine/engine-parts.js'

/** Answer to how much the model is told of each row of a list, as JSON and in a few words. */
export interface ListTold {
  readonly jsonOf: (row: Listed) => object
  readonly wordsOf: (row: Listed) => string
}

/** Makes the listing that a model gets, for the rows of a list. */
export async function toldOfList(engine: Engine, signal: AbortSignal): Promise<ListTold> {
  const told = await toldRows(engine, { signal })
  return { jsonOf: row => ({ ...skillJson(row), told: toldJson(told(row)) }), wordsOf: row => toldWords(told(row)) }
}
