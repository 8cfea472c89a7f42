import { meaningOf, type Seen } from './recorded-case.js'

const keys = ['listing', 'counts', 'texts', 'results', 'created', 'hookLog', 'forks'] as const

/**
 * Returns the differences of a case as text for a person.
 * @param by compare `words` exactly, or the `effect` that the program's own sentences express
 */
export function differing(theirs: Seen, ours: Seen, by: 'words' | 'effect'): readonly string[] {
  const read = by === 'words' ? (text: string) => text : meaningOf
  const flat = (value: unknown): string =>
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? read(one) : one)) ?? ''
  return keys.flatMap(key => {
    const expected = theirs[key]
    const isSame =
      key === 'created'
        ? Object.entries(theirs.created ?? {}).every(([name, is]) => (ours.created?.[name] ?? false) === is)
        : expected === undefined || flat(expected) === flat(ours[key])
    return isSame ? [] : [`${key}: recorded ${flat(expected)}, here ${flat(ours[key])}`]
  })
}
