import { shownName, type Catalog } from '@skills/core'
import { isAlmostSkill } from '@skills/files/internal'
import { cellOf, cellWords, isLost, type AgentCompat, type Compat } from '@skills/inspect/internal'
import { again, quoted } from '../../engine/again.js'
import { findingLine } from '../../output/findings.js'
import { folded } from '../../output/folded.js'
import { printableLine } from '../../output/printable.js'
import { shownPath, withShownPaths } from '../../output/shown-path.js'
import { styleOf, type Style } from '../../output/style.js'
import { columnOf, cut, nameColumn, pad, widthOf } from '../../output/width.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Prints how each agent reads every skill: a table for people, lines for programs. */
export function printCompat(compat: Compat, invocation: Invocation, io: Io): void {
  if (io.stdout.isTerminal) printTable(compat, invocation, io)
  else printLines(compat, io)
}

/** Prints columns for `cut` and `awk -F'\t'`: skill, agent, found, told, name there, misread fields, change. */
function printLines({ skills }: Compat, { stdout }: Io): void {
  for (const { name, agents } of skills)
    for (const one of agents) {
      const fields = one.fields.filter(({ use, what }) => use === 'other' || (use === 'ignored' && what !== undefined))
      const columns = [
        shownName(name),
        one.agent,
        one.found,
        one.told,
        shownName(one.name ?? ''),
        fields.map(({ field, use }) => `${field} ${use}`).join(', '),
        one.change?.text ?? '',
      ]
      stdout.write(`${columns.map(printableLine).join('\t')}\n`)
    }
}

/** Cells between two columns of the table. */
const gap = 2
/** Cells that the name of a skill always has. */
const leastOfName = 12

function printTable({ agents, skills }: Compat, invocation: Invocation, io: Io): void {
  const { stdout, stderr, env } = io
  const style = styleOf(stdout, env, invocation.isColorless)
  if (skills.length === 0) {
    stderr.write(`${folded(`No agent finds a skill. Make one: ${again('new NAME', invocation, io)}`, stderr, io)}\n`)
    return
  }
  const cells = skills.map(one => one.agents.map(cellOf))
  const all = agents.map(({ name }, at) => ({ name, cells: cells.map(row => row[at] ?? '') }))
  const shown = skills.map(({ name }) => shownName(name))
  for (const [at, block] of blocksOf(all, stdout.columns).entries()) {
    if (at > 0) stdout.write('\n')
    printBlock(block, shown, stdout, style)
  }
  const used = new Set(cells.flat().map(cell => cell.replace('*', '')))
  const say = (text: string): void => stderr.write(`${folded(text, stderr, io)}\n`)
  say('')
  for (const [word, meaning] of Object.entries(cellWords))
    if (used.has(word)) say(style.dim(`${pad(word, 8)}  ${meaning}`))
  if (cells.flat().some(cell => cell.endsWith('*')))
    say(style.dim(`${pad('*', 8)}  a field that has an effect is ignored, or means something else`))
  const firstLost = skills.find(one => one.agents.some(isLost))?.name ?? ''
  const lost = agents.filter(one => one.lost > 0).map(one => `${one.name} ${one.lost}`)
  say(
    lost.length === 0
      ? style.green('No agent loses a skill.')
      : `${style.yellow(`Skills that an agent loses: ${lost.join(', ')}.`)} To see what would change this: ${again(`compat ${quoted(firstLost)}`, invocation, io)}`,
  )
}

interface AgentColumn {
  readonly name: string
  readonly cells: readonly string[]
}

/** Returns the narrowest width of a column: its cells whole, and its name split at a hyphen. */
function leastWidth({ name, cells }: AgentColumn, widest: number): number {
  return Math.max(widest, columnOf(cells), ...name.split(/(?<=-)/).map(part => widthOf(part)))
}

/** Splits the agents into tables below each other, as few as fit the width and of about the same number of agents. */
function blocksOf(agents: readonly AgentColumn[], width: number): readonly (readonly AgentColumn[])[] {
  for (let size = agents.length; size > 1; size = Math.ceil(agents.length / (Math.ceil(agents.length / size) + 1))) {
    const blocks = Array.from({ length: Math.ceil(agents.length / size) }, (_, at) =>
      agents.slice(at * size, (at + 1) * size),
    )
    if (blocks.every(block => leastOfName + headingsOf(block) <= width)) return blocks
  }
  return agents.map(agent => [agent])
}

function headingsOf(agents: readonly AgentColumn[]): number {
  const widest = Math.max(...agents.map(({ cells }) => columnOf(cells)), 0)
  return agents.reduce((sum, agent) => sum + gap + leastWidth(agent, widest), 0)
}

function printBlock(
  agents: readonly AgentColumn[],
  shown: readonly string[],
  stdout: Io['stdout'],
  style: Style,
): void {
  const widest = Math.max(...agents.map(({ cells }) => columnOf(cells)), 0)
  // The agents' names are the point of the table, so the names of skills give way to them.
  const least = agents.map(agent => leastWidth(agent, widest))
  const { title, names } = nameColumn(shown, stdout.columns, Math.max(leastOfName, stdout.columns - headingsOf(agents)))
  // A name without room is split at its hyphen, then loses its end; words in cells are never cut.
  const room = Math.floor((stdout.columns - widthOf(title)) / Math.max(agents.length, 1)) - gap
  const columns = agents.map(({ name, cells }, at) =>
    Math.max(columnOf(cells), Math.min(widthOf(name), Math.max(room, least[at] ?? 0))),
  )
  const line = (first: string, row: readonly string[]): string =>
    [first, ...row.map((cell, at) => pad(cell, columns[at] ?? 0))].join(' '.repeat(gap)).trimEnd()
  const heads = agents.map(({ name }, at) => headOf(name, columns[at] ?? 0))
  const headingLine = (first: string, row: readonly string[]): void =>
    void stdout.write(`${style.dim(line(first, row))}\n`)
  const above = heads.map(([first]) => first)
  if (above.some(text => text !== '')) headingLine(' '.repeat(widthOf(title)), above)
  headingLine(
    title,
    heads.map(([, last]) => last),
  )
  for (const [at, name] of names.entries()) {
    const row = agents.map(({ cells }, column) => painted(pad(cells[at] ?? '', columns[column] ?? 0), style))
    stdout.write(`${line(style.bold(name), row)}\n`)
  }
}

/** Prints to standard error which files are nearly skills, because no agent shows them. */
export function printNotRead(catalog: Pick<Catalog, 'errors' | 'warnings'>, { isColorless }: Invocation, io: Io): void {
  const { stderr, env, cwd } = io
  const style = styleOf(stderr, env, isColorless)
  for (const one of [...catalog.errors, ...catalog.warnings].filter(isAlmostSkill))
    stderr.write(`${folded(findingLine(one, cwd, style), stderr, io)}\n`)
}

/** Splits a name into two lines if it does not fit into one: `claude-` above `code`. */
function headOf(name: string, cells: number): readonly [string, string] {
  const hyphen = name.indexOf('-')
  return widthOf(name) <= cells || hyphen === -1
    ? ['', cut(name, cells)]
    : [cut(name.slice(0, hyphen + 1), cells), cut(name.slice(hyphen + 1), cells)]
}

function painted(cell: string, style: Style): string {
  const word = cell.trim().replace('*', '')
  if (word === 'whole' || word === 'user' || word === 'later' || word === 'unknown') return cell
  return word === 'cut' || word === 'name' ? style.yellow(cell) : style.red(cell)
}

/** Prints all details of a few skills, agent by agent. */
export function printCompatOf({ agents, skills }: Compat, invocation: Invocation, io: Io): void {
  const { stdout, env, cwd } = io
  const style = styleOf(stdout, env, invocation.isColorless)
  const versions = new Map(
    agents.map(({ name, checked }) => [name, checked === undefined ? '' : ` ${checked.version}`]),
  )
  const blocks = skills.map(({ name, path, agents: all }) =>
    [
      `${style.bold(shownName(name))}  ${style.cyan(shownPath(path, cwd))}`,
      ...all.flatMap(one => [
        '',
        `  ${style.bold(one.agent)}${style.dim(versions.get(one.agent) ?? '')}`,
        ...detailsOf(one, cwd).map(([what, text]) => `    ${pad(what, 8)}  ${text}`),
      ]),
    ].join('\n'),
  )
  stdout.write(`${blocks.map(block => folded(block, stdout, io)).join('\n\n')}\n`)
}

const toldWords: Readonly<Record<AgentCompat['told'], string>> = {
  whole: 'all of its description',
  cut: 'a part of its description',
  name: 'its name alone',
  user: 'nothing, as its author wants',
  later: 'nothing until a file that its paths name is touched',
  no: 'nothing',
  unknown: 'unknown, as only the folders of this agent are known',
}

function detailsOf(one: AgentCompat, cwd: string): readonly (readonly [string, string])[] {
  const { found, told, name, path = '', because, change, problems, fields, commands } = one
  const clean = (text: string): string => printableLine(withShownPaths(text, cwd))
  const where = {
    here: `as ${shownName(name ?? '')}`,
    elsewhere: `no; it would be found in ${shownPath(path, cwd)}, as ${shownName(name ?? '')}`,
    shadowed: 'no',
    not: 'no',
  }[found]
  const isSeen = found === 'here' || found === 'elsewhere'
  return [
    ['found', where],
    ...(isSeen ? [['told', toldWords[told]] as const] : []),
    ...(because === undefined ? [] : [['because', clean(because)] as const]),
    ...(change === undefined ? [] : [['change', clean(change.text)] as const]),
    ...fields.map(({ field, use, what }) => {
      const word = use === 'other' ? 'means something else' : use
      return ['field', `${clean(field)}  ${word}${what === undefined ? '' : `: ${clean(what)}`}`] as const
    }),
    ...(commands === 0
      ? []
      : [['runs', commands === 1 ? '1 command of its body' : `${commands} commands of its body`] as const]),
    // The reason is printed above.
    ...problems.filter(({ message }) => message !== because).map(({ message }) => ['says', clean(message)] as const),
  ]
}
