import { shownName } from '@skills/core'
import type { Listed } from '@skills/inspect/internal'
import { columnOf, cut, nameColumn, pad, widthOf } from '../../output/width.js'
import { printableLine } from '../../output/printable.js'
import { styleOf } from '../../output/style.js'
import { withShownPaths } from '../../output/shown-path.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'
import type { Io } from '../../io.js'

/** Prints a list: a table for people, lines for programs. */
export function printList(
  listed: readonly Listed[],
  toldOf: ((one: Listed) => string) | undefined,
  invocation: InvocationOf<typeof command>,
  io: Io,
): void {
  if (io.stdout.isTerminal) printTable(listed, toldOf, invocation, io)
  else io.stdout.write(listed.map(one => `${tabbed(one, invocation.has('--all'), toldOf?.(one), io.cwd)}\n`).join(''))
}

/** Returns columns for `cut -f1` and `awk -F'\t'`: the same on every line, never cut, without a header. */
function tabbed(one: Listed, isStateWanted: boolean, told: string | undefined, cwd: string): string {
  const columns = [
    shownName(one.name, one.doubt !== undefined),
    one.source ?? '',
    descriptionOf(one, cwd),
    ...(isStateWanted ? [one.state] : []),
    ...(told === undefined ? [] : [told]),
  ]
  return columns.join('\t')
}

function printTable(
  listed: readonly Listed[],
  toldOf: ((one: Listed) => string) | undefined,
  { has, isColorless }: InvocationOf<typeof command>,
  { stdout, env, cwd }: Io,
): void {
  const all = has('--all')
  if (listed.length === 0) return
  const style = styleOf(stdout, env, isColorless)
  const { title, names } = nameColumn(
    listed.map(one => shownName(one.name, one.doubt !== undefined)),
    stdout.columns,
  )
  const rows = listed.map((one, at) => ({
    one,
    name: names[at] ?? '',
    source: one.source ?? '',
    state: all ? one.state : '',
    told: toldOf?.(one) ?? '',
  }))
  const sourceCells = columnOf(['SOURCE', ...rows.map(({ source }) => source)])
  const stateCells = all ? columnOf(['STATE', ...rows.map(({ state }) => state)]) : 0
  const toldCells = toldOf === undefined ? 0 : columnOf(['TOLD', ...rows.map(({ told }) => told)])
  const columnsOf = (name: string, source: string, state: string, told: string): readonly string[] => [
    name,
    pad(source, sourceCells),
    ...(all ? [pad(state, stateCells)] : []),
    ...(toldOf === undefined ? [] : [pad(told, toldCells)]),
  ]

  const lines = [style.dim([...columnsOf(title, 'SOURCE', 'STATE', 'TOLD'), 'DESCRIPTION'].join('  '))]
  for (const { one, name, source, state, told } of rows) {
    const [first = '', ...others] = columnsOf(name, source, state, told)
    const left = [first, ...others].join('  ')
    const paint = one.state === 'failed' ? style.red : one.state === 'active' ? style.bold : style.dim
    const description = cut(descriptionOf(one, cwd), stdout.columns - widthOf(left) - 2)
    lines.push(
      `${[paint(first), ...others].join('  ')}  ${one.state === 'active' ? description : style.dim(description)}`.trimEnd(),
    )
  }
  stdout.write(`${lines.join('\n')}\n`)
}

/** Returns the description, or for a skill that failed to load the reason. */
function descriptionOf({ command, reason }: Listed, cwd: string): string {
  return printableLine(command?.description ?? withShownPaths(reason ?? '', cwd))
}
