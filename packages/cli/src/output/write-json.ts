import { printableJson } from './printable.js'
import type { Output } from '../io.js'

/** One value as indented JSON; on a terminal what it would obey is escaped, another spelling of the same value. */
export function writeJson(value: unknown, output: Output): void {
  const json = `${JSON.stringify(value, undefined, 2)}\n`
  output.write(output.isTerminal ? printableJson(json) : json)
}
