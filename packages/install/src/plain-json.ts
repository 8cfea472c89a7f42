import { parseJson } from '@skills/files/internal'

/**
 * Parses JSON and refuses a key that occurs twice: a person who reviews the file would read the first value, but a
 * program uses the last.
 * @throws SyntaxError
 */
export function parsePlainJson(text: string): unknown {
  const value: unknown = parseJson(text)
  // A text printed by a program has no key twice; comparing with that takes a quarter of the time of counting.
  if (text !== printed(value) && keysIn(text) !== keysOf(value))
    throw new SyntaxError('an object has the same key twice')
  return value
}

/** Formats a value as JSON for a file that programs and people read. */
export function printed(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

const [space, colon, backslash] = [0x20, 0x3a, 0x5c]

/** Counts the keys of a JSON text: strings followed by a colon. */
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
