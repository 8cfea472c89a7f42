import { fieldTable, keysOf, type FieldName, type KnownField } from './field-table.js'

/** Keys that people write for purposes of their own, although they are close to a field's name. */
const ordinary = new Set([
  'agents',
  'alias',
  'argument',
  'args',
  'compatible',
  'content',
  'contents',
  'contexts',
  'hook',
  'models',
  'names',
  'path',
  'require',
  'required',
  'shells',
  'tool',
  'versions',
])

/** Folded names of the fields, the accepted other spellings included. */
const folded: ReadonlyMap<string, FieldName> = new Map(
  fieldTable.flatMap(field => keysOf(field).map((key): [string, FieldName] => [fold(key), field.name])),
)

/** Keys that differ from a field in more than case and separators, yet mean it. */
const misspellings: ReadonlyMap<string, FieldName> = new Map(
  fieldTable.flatMap((field: KnownField) =>
    (field.misspellings ?? []).map((key): [string, FieldName] => [key, field.name]),
  ),
)

const answers = new Map<string, FieldName | undefined>()
const maxAnswers = 1_000

/** The field that an unknown key was probably meant to be; undefined for keys that are merely unknown. */
export function guessField(key: string): FieldName | undefined {
  if (answers.has(key)) return answers.get(key)
  const answer = guess(key)
  if (answers.size < maxAnswers && key.length <= 64) answers.set(key, answer)
  return answer
}

function guess(key: string): FieldName | undefined {
  if (ordinary.has(key) || key.length > 32 || /\d/.test(key)) return undefined
  const word = fold(key)
  const exact = folded.get(word) ?? misspellings.get(word)
  if (exact !== undefined) return exact
  let best: FieldName | undefined
  let bestDistance = 3
  for (const [candidate, name] of folded) {
    // A short name has too many neighbours that are words of their own: `tags` is no misspelt `tools`.
    const most = candidate.length >= 10 ? 2 : candidate.length >= 6 ? 1 : 0
    const distance = editDistance(word, candidate, Math.min(most, bestDistance - 1))
    if (distance < bestDistance && distance <= most) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

function fold(key: string): string {
  return key.toLowerCase().replace(/[-_ ]/g, '')
}

/**
 * Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other; more than `most` is
 * `most + 1`.
 */
function editDistance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return most + 1
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let cost = Math.min(above[column]! + 1, current[column - 1]! + 1, above[column - 1]! + (same ? 0 : 1))
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, before[column - 2]! + 1)
      }
      current.push(cost)
    }
    before = above
    above = current
  }
  return Math.min(above[to.length]!, most + 1)
}
