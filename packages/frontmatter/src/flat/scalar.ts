/**
 * Reads a quoted scalar that fills `start`..`end` of the text.
 * Undefined when anything follows it, or its escapes are not those that JSON has too: all that is for the full parser.
 */
export function readQuoted(text: string, start: number, end: number): string | undefined {
  const close = findClose(text, start, end)
  return close === end - 1 ? unquote(text, start, close) : undefined
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
      stop = at
      while (isItemCharacter(text.charCodeAt(stop))) stop++
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
function findClose(text: string, start: number, end: number): number {
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

function unquote(text: string, start: number, close: number): string | undefined {
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

/** Characters that mean nothing but themselves in a plain item: letters, digits, anything beyond ASCII, and a few signs. */
function isItemCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 45 && code <= 57) || code > 159
    || code === 32 || code === 95 || code === 43 || code === 63 || code === 40 || code === 41 || code === 60 || code === 62
  )
}
