/** A way into data: keys of objects and indices of lists, from the outermost. */
export type KeyPath = readonly (string | number)[]

/** What says where one is in JSON: texts, whatever stands in them, and the marks of objects, lists and lines. */
const marks = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],\n]/g

/**
 * The line, from 1, on which a key stands; of one that stands twice the later one, which is the one that counts. Undefined where there is none.
 * @param text sound JSON
 */
export function lineOfPath(text: string, path: KeyPath): number | undefined {
  /** The key or the index at which one is, in each object and list that is open. */
  const way: (string | number)[] = []
  let line = 1
  let found: number | undefined
  let isKey = false
  for (const [mark] of text.matchAll(marks)) {
    switch (mark) {
      case '\n': line++; break
      case '{': isKey = true; way.push(''); break
      case '[': isKey = false; way.push(0); break
      case '}': case ']': isKey = false; way.pop(); break
      case ',': {
        const last = way.pop() ?? ''
        isKey = typeof last === 'string'
        way.push(typeof last === 'number' ? last + 1 : last)
        break
      }
      default:
        if (!isKey) break
        isKey = false
        way[way.length - 1] = String(JSON.parse(mark))
        if (way.length === path.length && way.every((key, at) => key === path[at])) found = line
    }
  }
  return found
}
