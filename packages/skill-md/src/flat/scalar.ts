/**
 * A text that fills the rest of a line, as an expression: quoted without escapes, or one that may be plain. What a plain text must not
 * hold is checked apart.
 */
export const scalarOfLine = String.raw`(?:[A-Za-z\d_./\\$<=+^();\u0080-\uffff](?:[^\n]*[^\s:])?|"[^"\\\n]*"|'[^'\n]*')`

/** Characters that mean nothing but themselves in a plain item: letters, digits, anything beyond ASCII, and a few signs. */
const inWord = String.raw`[\w ./+()<>?\u00a0-\uffff-]`
const wordCharacters = new RegExp(`${inWord}+`, 'y')
const wordOfList = String.raw`[\w./()\u00a0-\uffff]${inWord}*`

/** Words as they stand between the brackets of a list. */
export const words = String.raw`${wordOfList}(?:, *${wordOfList})*`

/** Reads {@link words}; undefined when one of them means null. */
export function readWords(text: string): string[] | undefined {
  const list = text.split(',')
  for (let at = 0; at < list.length; at++) {
    // White space to `trim` is more than to YAML.
    const value = (list[at] ?? '').replace(/^ +| +$/g, '')
    if (isNullWord(value)) return undefined
    list[at] = value
  }
  return list
}

/** Reads a one-line `[a, "b"]` whose items are scalars that need no interpretation. */
export function readFlowList(text: string, start: number, end: number): unknown[] | undefined {
  const last = end - 1
  if (last === start || text.charCodeAt(last) !== 93) return undefined
  const list: unknown[] = []
  let at = skipSpaces(text, start + 1)
  if (at === last) return list
  for (;;) {
    const first = text.charCodeAt(at)
    let stop: number
    if (first === 34 || first === 39) {
      const close = findClose(text, at, last)
      const value = close === -1 ? undefined : unquote(text, at, close)
      if (value === undefined) return undefined
      list.push(value)
      stop = skipSpaces(text, close + 1)
    } else {
      wordCharacters.lastIndex = at
      stop = wordCharacters.test(text) ? wordCharacters.lastIndex : at
      let itemEnd = stop
      while (text.charCodeAt(itemEnd - 1) === 32) itemEnd--
      if (itemEnd <= at || first === 45 || first === 62 || first === 63) return undefined
      const value = text.slice(at, itemEnd)
      list.push(isNullWord(value) ? null : value)
    }
    if (stop === last) return list
    if (text.charCodeAt(stop) !== 44) return undefined
    at = skipSpaces(text, stop + 1)
    if (at === last) return undefined
  }
}

export function isNullWord(word: string): boolean {
  return word.length <= 4 && (word === '~' || word === 'null' || word === 'Null' || word === 'NULL')
}

/** The position before `end` of the quote that closes the one at `start`, or -1. */
export function findClose(text: string, start: number, end: number): number {
  const quote = text.charCodeAt(start)
  for (let at = text.indexOf(quote === 34 ? '"' : "'", start + 1); at !== -1 && at < end; at = text.indexOf(quote === 34 ? '"' : "'", at + 1)) {
    if (quote === 39) {
      if (text.charCodeAt(at + 1) !== 39) return at
      at++
    } else {
      let slashes = at
      while (text.charCodeAt(slashes - 1) === 92) slashes--
      if ((at - slashes) % 2 === 0) return at
    }
  }
  return -1
}

/** The text between two quotes on one line; undefined when its escapes are not those that JSON has too. */
export function unquote(text: string, start: number, close: number): string | undefined {
  const inner = text.slice(start + 1, close)
  if (text.charCodeAt(start) === 39) return inner.includes("'") ? inner.replaceAll("''", "'") : inner
  if (!inner.includes('\\')) return inner
  try {
    const value: unknown = JSON.parse(text.slice(start, close + 1))
    return typeof value === 'string' ? value : undefined
  } catch {
    // An escape that only YAML has, or none at all.
    return undefined
  }
}

function skipSpaces(text: string, at: number): number {
  while (text.charCodeAt(at) === 32) at++
  return at
}
