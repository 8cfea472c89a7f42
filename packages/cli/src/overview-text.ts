import type { Catalog, Diagnostic } from '@skills/core'
import { again, quoted } from './again.js'
import { activeOnes } from './listed.js'
import { counted, countsOf, problemsOf } from './problems.js'
import { countsOfOthers } from './others-text.js'
import { findingLines } from './findings.js'
import { printableLine, printable } from './printable.js'
import { placeLines } from './places-text.js'
import { pad, widthOf } from './width.js'
import { styleOf, type Style } from './style.js'
import type { Engine } from './engine.js'
import type { Invocation } from './parse-arguments.js'
import type { Io } from './io.js'

/** Problems that are shown in full; the others are counted. */
const mostProblems = 5

/** Where skills were looked for, what there is, what is wrong, what to do next. */
export function printOverview(catalog: Catalog, { skills: { host }, distribution: { name }, reported, misconfigured }: Engine, invocation: Invocation, io: Io): void {
  const { stdout, env, cwd } = io
  const style = styleOf(stdout, env, invocation.isColorless)
  const sections = [
    [style.bold(`Skills for ${printable(host.cwd)}${name === 'standard' ? '' : `, as ${name} has them`}`), ...placeLines(catalog, cwd, style)],
    [totals(catalog)],
    problemLines(problemsOf(catalog, reported, misconfigured), again('lint', invocation, io), cwd, style),
    nextSteps(catalog, words => printableLine(again(words, invocation, io)), style),
  ]
  stdout.write(`${sections.filter(lines => lines.length > 0).map(lines => lines.join('\n')).join('\n\n')}\n`)
}

function totals(catalog: Catalog): string {
  const [qualified] = countsOfOthers(catalog, ['qualified'])
  const others = countsOfOthers(catalog, ['shadowed', 'duplicate', 'disabled', 'failed'])
  return [
    // One that lost its plain name alone is invoked and told of like the others.
    `${counted(activeOnes(catalog).length + (qualified?.count ?? 0), 'skill')} active`,
    ...(qualified === undefined ? [] : [`${qualified.count} of them ${qualified.words}`]),
    ...others.map(({ count, words }) => `${count} ${words}`),
  ].join(', ')
}

/** How many problems there are, and the first of them; the others are where `all` shows them. */
export function problemLines(found: readonly Diagnostic[], all: string, cwd: string, style: Style): readonly string[] {
  if (found.length === 0) return []
  const more = found.length - mostProblems
  return [
    style.bold(countsOf(found)),
    ...found.slice(0, mostProblems).flatMap(one => findingLines(one, cwd, style)).map(line => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more: ${all}`] : []),
  ]
}

function nextSteps(catalog: Catalog, line: (words: string) => string, style: Style): readonly string[] {
  const [first] = catalog.entries
  if (first === undefined) {
    return [
      style.bold('To make a first skill'),
      `  ${line('new hello')}`,
      `  ${line('list')}`,
    ]
  }
  const steps = [
    [line('list'), 'every skill and what it is for'],
    [line(`explain ${quoted(first.name)}`), 'where one comes from, and why it is or is not used'],
    [line('lint'), 'check every file completely; --fix repairs what can be'],
  ] as const
  const cells = Math.max(...steps.map(([command]) => widthOf(command)))
  return [style.bold('Next'), ...steps.map(([command, text]) => `  ${pad(command, cells)}  ${style.dim(text)}`)]
}
