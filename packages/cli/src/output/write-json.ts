import { printableJson } from './printable.js'
import type { Output } from '../io.js'

/** Writes a value as indented JSON. On a terminal, control characters are escaped; the value stays the same. */
export function writeJson(value: unknown, output: Output): void {
  const json = `${JSON.stringify(value, undefined, 2)}\n`
  output.write(output.isTerminal ? printableJson(json) : json)
}
