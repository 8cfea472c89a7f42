import { printableJson } from '../../output/printable.js'
import type { Compat } from '@skills/inspect/internal'
import type { Output } from '../../io.js'

/**
 * Writes the result of `compat()` as JSON, one skill on each line. Each skill is written by itself: texts of a hundred
 * skills took five times as much processor time.
 */
export function writeCompatJson({ agents, skills }: Compat, output: Output): void {
  const write = (json: string): void => output.write(output.isTerminal ? printableJson(json) : json)
  write(`{\n"agents": ${JSON.stringify(agents)},\n"skills": [`)
  for (const [at, skill] of skills.entries()) write(`${at === 0 ? '' : ','}\n${JSON.stringify(skill)}`)
  write('\n]\n}\n')
}
