import { again, quoted } from '../engine/again.js'
import { exitCodes, type Io } from '../io.js'
import { printableLine } from '../output/printable.js'
import { cut, pad, columnOf } from '../output/width.js'
import { refusedLines } from './plan-text.js'
import { writeJson } from '../output/write-json.js'
import type { Offer, OfferedSkill } from '@skills/install/internal'
import type { Invocation } from '../arguments/invocation.js'

/** Prints the skills of a source, one a line, and the next commands on a terminal. Returns the exit code. */
export function printOffer(offer: Offer, source: string, invocation: Invocation, io: Io): number {
  const { skills, refused } = offer
  const { stdout, stderr } = io
  const code = refused.length === 0 ? exitCodes.ok : exitCodes.failed
  stderr.write(refusedLines(offer))
  if (invocation.json) {
    writeJson({ skills: skills.map(offeredJson), refused: refused.map(({ name, path }) => ({ name, path })) }, stdout)
    return code
  }
  const rows = skills.map(({ name, powers: { level = 'none' }, description }) => ({
    name: printableLine(name),
    level,
    description: printableLine(description),
  }))
  if (stdout.isTerminal) {
    const [names, levels] = [columnOf(['NAME', ...rows.map(({ name }) => name)]), columnOf(['POWERS', 'medium'])]
    const line = (name: string, level: string, description: string): string =>
      `${cut(`${pad(name, names)}  ${pad(level, levels)}  ${description}`, stdout.columns)}\n`
    stdout.write(line('NAME', 'POWERS', 'DESCRIPTION'))
    for (const { name, level, description } of rows) stdout.write(line(name, level, description))
  } else stdout.write(rows.map(({ name, level, description }) => `${name}\t${level}\t${description}\n`).join(''))
  const [first] = skills
  if (stderr.isTerminal && first !== undefined)
    stderr.write(
      `${skills.length} ${skills.length === 1 ? 'skill' : 'skills'}. Look at one: ${again(`try ${quoted(source)} --skill ${quoted(first.name)}`, invocation, io)}\nInstall it: ${again(`add ${quoted(source)} --skill ${quoted(first.name)}`, invocation, io)}\n`,
    )
  return code
}

export function offeredJson({ name, path, description, powers: { level, findings } }: OfferedSkill): object {
  return { name, path, description, level: level ?? null, findings }
}
