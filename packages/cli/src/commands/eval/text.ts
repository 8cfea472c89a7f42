import { printableLine } from '../../output/printable.js'
import { counted } from '../../output/problems.js'
import { folded } from '../../output/folded.js'
import { styleOf, type Style } from '../../output/style.js'
import { cut, widthOf } from '../../output/width.js'
import type { Routing, SkillRouting } from '@skills/evals/internal'
import type { OverlapPair } from '@skills/inspect/internal'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Most rows on a terminal; `--json` prints all. */
const mostRows = 20

const words = {
  whole: 'whole',
  cut: 'cut',
  name: 'its name alone',
  no: 'not told',
  user: 'for the user',
  later: 'later',
  unknown: 'not known',
}

/** Returns a line that is safe to print, with its indentation. */
export function shownLine(text: string): string {
  return `${/^ */.exec(text)?.[0] ?? ''}${printableLine(text)}`
}

/** Returns true if a skill needs attention: an agent never lists it, or another skill ranks before it. */
export function isLosing({ told, queries }: SkillRouting): boolean {
  return told.some(one => one.told === 'no') || queries.some(({ stolenBy }) => stolenBy.length > 0)
}

/**
 * Prints a summary of all skills: how each agent lists them, those that an agent never lists, and pairs with similar
 * words.
 */
export function printRouting({ agents, skills, pairs }: Routing, invocation: Invocation, io: Io): void {
  const { stdout } = io
  const style = styleOf(stdout, io.env, invocation.isColorless)
  const head = ['agent', 'window', 'whole', 'cut', 'name only', 'kept', 'never told']
  const rows = agents.map(({ agent, contextWindow, whole, cut: part, nameOnly, kept, never }) =>
    [agent, contextWindow, whole, part, nameOnly, kept, never].map(String),
  )
  const widths = head.map((title, at) => Math.max(...[title, ...rows.map(row => row[at] ?? '')].map(widthOf)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  stdout.write(`${style.bold(line(head))}\n${rows.map(row => `${line(row)}\n`).join('')}`)
  const losing = skills.filter(isLosing)
  for (const skill of losing.slice(0, mostRows)) stdout.write(`${lossLine(skill, style, io)}\n`)
  const more = losing.length - mostRows
  if (more > 0) stdout.write(style.dim(`${counted(more, 'more skill')} like these: --json has all of them.\n`))
  if (pairs.length > 0)
    stdout.write(
      folded(
        `${counted(pairs.length, 'pair')} of skills ${pairs.length === 1 ? 'is' : 'are'} near in words: skills eval --overlap`,
        stdout,
        io,
      ) + '\n',
    )
}

function lossLine({ name, told, queries }: SkillRouting, style: Style, { stdout }: Io): string {
  const never = [...new Set(told.flatMap(one => (one.told === 'no' ? [one.agent] : [])))]
  const lost = queries.filter(({ stolenBy }) => stolenBy.length > 0).length
  const text = [
    ...(never.length > 0 ? [`never told by ${never.join(', ')}`] : []),
    ...(lost > 0 ? [`another skill comes first for ${lost} of its queries`] : []),
  ].join('; ')
  const plain = `${printableLine(name)}  ${text}`
  return style.yellow(stdout.isTerminal ? cut(plain, stdout.columns) : plain)
}

/** Prints details of some skills: each agent, similar skills, and each query. */
export function printRoutingOf({ skills }: Routing, invocation: Invocation, io: Io): void {
  const { stdout } = io
  const style = styleOf(stdout, io.env, invocation.isColorless)
  const write = (text: string, paint = (plain: string): string => plain): void =>
    stdout.write(`${paint(folded(shownLine(text), stdout, io))}\n`)
  for (const [at, { name, told, near, queries }] of skills.entries()) {
    if (at > 0) stdout.write('\n')
    write(name, style.bold)
    for (const { agent, contextWindow, told: how, toldChars, because = '' } of told) {
      const part = how === 'cut' && toldChars !== undefined ? `cut to ${toldChars} characters` : words[how]
      const text = `  ${agent} (${contextWindow}): ${[part, how === 'no' ? because : ''].filter(one => one !== '').join('. ')}`
      write(text, how === 'no' ? style.red : how === 'whole' ? undefined : style.yellow)
    }
    if (near.length > 0)
      write(`  near in words: ${near.map(one => `${one.name} ${Math.round(one.overlap * 100)} %`).join(', ')}`)
    for (const { query, rank, shouldTrigger, stolenBy } of queries) {
      const place = rank === undefined ? 'not found' : `rank ${rank}`
      const what = shouldTrigger
        ? stolenBy.length > 0
          ? `, after ${stolenBy.join(', ')}`
          : ''
        : ', should not trigger'
      write(`  "${query}": ${place}${what}`, stolenBy.length > 0 ? style.yellow : undefined)
    }
    if (queries.length === 0) write('  no queries: write them into evals/evals.json', style.dim)
  }
}

/** Prints the pairs of skills with the most similar words. */
export function printOverlap(pairs: readonly OverlapPair[], invocation: Invocation, io: Io): void {
  const { stdout, stderr } = io
  const shown = stdout.isTerminal ? pairs.slice(0, mostRows) : pairs
  for (const { one, other, overlap } of shown)
    stdout.write(
      `${String(Math.round(overlap * 100)).padStart(3)} %  ${printableLine(one.name)}  ${printableLine(other.name)}\n`,
    )
  const style = styleOf(stderr, io.env, invocation.isColorless)
  const more = pairs.length - shown.length
  if (pairs.length === 0) stderr.write(style.green('No two skills share half of their words.\n'))
  if (more > 0) stderr.write(style.dim(`${counted(more, 'more pair')}: --json has all of them.\n`))
}
