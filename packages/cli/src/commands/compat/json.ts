import { printableJson } from '../../output/printable.js'
import type { Compat } from '@skills/inspect/internal'
import type { Output } from '../../io.js'

/** Skills that are serialized at once. The text of thousands would take as much memory as finding them. */
const batch = 100

/** Writes the result of `compat()` as JSON, one skill on each line. */
export function writeCompatJson({ agents, skills }: Compat, output: Output): void {
  const write = (json: string): void => output.write(output.isTerminal ? printableJson(json) : json)
  write(`{\n"agents": ${JSON.stringify(agents)},\n"skills": [`)
  for (let at = 0; at < skills.length; at += batch) {
    const lines = skills.slice(at, at + batch).map(skill => `\n${JSON.stringify(skill)}`)
    write(`${at === 0 ? '' : ','}${lines.join(',')}`)
  }
  write('\n]\n}\n')
}
