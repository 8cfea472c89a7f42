import type { Catalog, Diagnostic, Host } from '@skills/core'
import { again, quoted } from './again.js'
import { activeOnes, failedOnes } from './listed.js'
import { counted, countsOf, problemsOf } from './problems.js'
import { findingLines } from './findings.js'
import { oneLine, printable } from './printable.js'
import { pad, widthOf } from './width.js'
import { shownPath } from './shown-path.js'
import { styleOf, type Style } from './style.js'
import type { Invocation } from './parse-arguments.js'
import type { Io } from './io.js'

/** Problems that are shown in full; the others are counted. */
const mostProblems = 5

/** Where skills were looked for, what there is, what is wrong, what to do next. */
export function printOverview(catalog: Catalog, host: Host, reported: readonly Diagnostic[], invocation: Invocation, io: Io): void {
  const { stdout, env, cwd } = io
  const style = styleOf(stdout, env, invocation.isColorless)
  const sections = [
    [style.bold(`Skills for ${printable(host.cwd)}`), ...placeLines(catalog, cwd, style)],
    [totals(catalog)],
    problemLines(problemsOf(catalog, reported), again('lint', invocation, io), cwd, style),
    nextSteps(catalog, words => oneLine(again(words, invocation, io)), style),
  ]
  stdout.write(`${sections.filter(lines => lines.length > 0).map(lines => lines.join('\n')).join('\n\n')}\n`)
}

function placeLines({ places }: Catalog, cwd: string, style: Style): readonly string[] {
  const rows = places.filter(({ state }) => state !== 'missing').map(({ path, state, found, note, provider }) => {
    const why = note === undefined ? state : `${state}: ${oneLine(note)}`
    // A source that was not asked has no path to show.
    return { path: path === provider ? '–' : shownPath(path, cwd), provider, what: state === 'read' ? counted(found, 'skill') : style.yellow(why) }
  })
  const pathCells = Math.max(0, ...rows.map(({ path }) => widthOf(path)))
  const providerCells = Math.max(0, ...rows.map(({ provider }) => widthOf(provider)))
  // A folder may be looked for by two sources, where the project is the home folder.
  const missing = [...new Set(places.filter(({ state }) => state === 'missing').map(({ path }) => shownPath(path, cwd)))]
  return [
    ...rows.map(({ path, provider, what }) => `  ${pad(path, pathCells)}  ${style.dim(pad(provider, providerCells))}  ${what}`),
    ...(missing.length === 0 ? [] : [style.dim(`  not there: ${missing.join(', ')}`)]),
  ]
}

function totals(catalog: Catalog): string {
  const others = [
    [catalog.collisions.filter(({ rule }) => rule === 'precedence').length, 'shadowed'],
    [catalog.collisions.filter(({ rule }) => rule !== 'precedence').length, 'the same as another'],
    [catalog.disabled.length, 'disabled'],
    [failedOnes(catalog).length, 'failed to load'],
  ] as const
  const counts = others.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return [`${counted(activeOnes(catalog).length, 'skill')} active`, ...counts].join(', ')
}

function problemLines(found: readonly Diagnostic[], all: string, cwd: string, style: Style): readonly string[] {
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
