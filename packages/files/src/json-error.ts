/** Where a text stops being JSON; both count from 1, the column in UTF-16 code units. */
export interface JsonErrorPlace {
  readonly line: number
  readonly column: number
}

/** White space, and then a text, a mark, or a number or word. */
const token =
  // oxlint-disable-next-line no-control-regex -- what JSON forbids inside a text
  /[ \t\n\r]*(?:("[^"\\\u0000-\u001F]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\u0000-\u001F]*)*")|([{}[\],:])|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null))/y

/** What may come next. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'next' | 'nothing'

/**
 * Where a text stops being JSON, which not every error of `JSON.parse` tells; undefined for JSON. Takes time in
 * proportion to the text.
 */
export function placeOfJsonError(text: string): JsonErrorPlace | undefined {
  const offset = errorIn(text)
  if (offset === undefined) return undefined
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

function errorIn(text: string): number | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  const after = (): Expected => (open.length === 0 ? 'nothing' : 'next')
  for (let at = 0; ; at = token.lastIndex) {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) {
      const end = at + text.slice(at).search(/[^ \t\n\r]|$/)
      return expected === 'nothing' && end === text.length ? undefined : end
    }
    const [whole, string, mark] = found
    const inside = open.at(-1)
    const start = at + whole.length - whole.trimStart().length
    if (string !== undefined && expected.startsWith('key')) expected = 'colon'
    else if (mark === undefined && expected.startsWith('value')) expected = after()
    else if (mark === ':' && expected === 'colon') expected = 'value'
    else if (mark === ',' && expected === 'next') expected = inside === '{' ? 'key' : 'value'
    else if ((mark === '{' || mark === '[') && expected.startsWith('value')) {
      open.push(mark)
      expected = mark === '{' ? 'key or end' : 'value or end'
    } else if (isEnd(mark, inside, expected)) {
      open.pop()
      expected = after()
    } else return start
  }
}

function isEnd(mark: string | undefined, inside: '{' | '[' | undefined, expected: Expected): boolean {
  if (expected === 'next') return (mark === '}' && inside === '{') || (mark === ']' && inside === '[')
  return (mark === '}' && expected === 'key or end') || (mark === ']' && expected === 'value or end')
}
