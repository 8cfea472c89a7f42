import { parseJson } from '@skills/files/internal'

/**
 * Reads JSON in which each key stands once: of two, a person who reviews the file reads the first and a program takes
 * the last.
 * @throws SyntaxError
 */
export function parsePlainJson(text: string): unknown {
  const value: unknown = parseJson(text)
  // A program's own print has no key twice; comparing with it costs a quarter of counting.
  if (text !== printed(value) && keysIn(text) !== keysOf(value))
    throw new SyntaxError('a key stands twice in one object of it')
  return value
}

/** The text of a value as files for programs and persons have it. */
export function printed(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

const [space, colon, backslash] = [0x20, 0x3a, 0x5c]

/** How many keys a text has that is JSON: strings with a colon behind them. */
function keysIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    do at = text.indexOf('"', at + 1)
    while (isEscaped(text, at))
    let next = at + 1
    while (text.charCodeAt(next) <= space) next += 1
    if (text.charCodeAt(next) === colon) count += 1
  }
  return count
}

function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text.charCodeAt(from - 1) === backslash) from -= 1
  return (at - from) % 2 === 1
}

function keysOf(value: unknown): number {
  let count = 0
  const left = [value]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one !== 'object' || one === null) continue
    const inner: readonly unknown[] = Object.values(one)
    if (!Array.isArray(one)) count += inner.length
    for (const each of inner) left.push(each)
  }
  return count
}
