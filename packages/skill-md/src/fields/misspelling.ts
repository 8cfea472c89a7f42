import { fieldTable, keysOf } from '@skills/core/fields'
import { editsBetween, type FieldName } from '@skills/core/internal'

/** Keys that people use for purposes of their own although they resemble a field's name. */
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

/** Folded names of the fields, including accepted other spellings. */
const folded: ReadonlyMap<string, FieldName> = new Map(
  fieldTable.flatMap(field => keysOf(field).map((key): [string, FieldName] => [fold(key), field.name])),
)

/** Keys that differ from a field in more than case and separators, yet mean it. */
const misspellings: ReadonlyMap<string, FieldName> = new Map(
  fieldTable.flatMap(field => (field.misspellings ?? []).map((key): [string, FieldName] => [key, field.name])),
)

const answers = new Map<string, FieldName | undefined>()
const maxAnswers = 1_000

/** Returns the field that an unknown key was probably meant to be, or undefined. */
export function guessField(key: string): FieldName | undefined {
  if (answers.has(key)) return answers.get(key)
  const answer = guess(key)
  if (answers.size < maxAnswers && key.length <= 64) answers.set(key, answer)
  return answer
}

/** Returns the field of {@link guessField} if no other field is as close to the key, otherwise undefined. */
export function sureField(key: string): FieldName | undefined {
  const best = guessField(key)
  const word = fold(key)
  if (best === undefined || folded.has(word) || misspellings.has(word)) return best
  const distances = [...folded].map(([candidate, name]) => ({ name, distance: editsBetween(word, candidate) }))
  const least = Math.min(...distances.filter(({ name }) => name === best).map(({ distance }) => distance))
  return distances.some(({ name, distance }) => name !== best && distance <= least) ? undefined : best
}

function guess(key: string): FieldName | undefined {
  if (ordinary.has(key) || key.length > 32 || /\d/.test(key)) return undefined
  const word = fold(key)
  const exact = folded.get(word) ?? misspellings.get(word)
  if (exact !== undefined) return exact
  let best: FieldName | undefined
  let bestDistance = 3
  for (const [candidate, name] of folded) {
    // Too many ordinary words resemble a short name: `tags` is not a misspelt `tools`.
    const most = candidate.length >= 10 ? 2 : candidate.length >= 6 ? 1 : 0
    // The number of edits is at least the difference in length, which is quicker to compute.
    if (Math.abs(word.length - candidate.length) > most) continue
    const distance = editsBetween(word, candidate)
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
