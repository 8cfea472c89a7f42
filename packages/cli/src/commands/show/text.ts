import { shownName } from '@skills/core'
import {
  cycleChain,
  cycleHint,
  cycleSentence,
  type FilesBeside,
  type RequirementRow,
  type RequirementTree,
  type ShownSkill,
} from '@skills/inspect/internal'
import { setFields } from '@skills/inspect'
import { bodyText } from '../../output/body-text.js'
import { findingLines } from '../../output/findings.js'
import { folded } from '../../output/folded.js'
import { printableLine, printable } from '../../output/printable.js'
import { refText } from '../../output/ref-text.js'
import { shownPath } from '../../output/shown-path.js'
import { sizeText } from '../../output/size-text.js'
import { toldText } from '../../output/told-text.js'
import { stateWords } from '../../output/state-words.js'
import { styleOf, type Style } from '../../output/style.js'
import { pad, widthOf } from '../../output/width.js'
import type { ToldSkill } from '@skills/invocation/internal'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

type Row = readonly [label: string, text: string]

/** Most cells of a label, enough for the names of fields. A longer key of `metadata` shifts its own line. */
const widestLabel = 26
/** Fewest cells of a label: those of `explain`, so that both outputs align. */
const leastLabel = 13

/**
 * Prints a skill for a person: its fields, the files beside it, its requirements, its body. The body comes last and
 * complete, so that nothing in it can imitate the program's own lines.
 */
export function printShown(
  { listed, entry, body, files, tree, told }: ShownSkill & { readonly told: ToldSkill },
  { isColorless }: Invocation,
  io: Io,
): void {
  const { stdout, stderr, env, cwd } = io
  const style = styleOf(stdout, env, isColorless)
  const { command } = entry
  const { name, state, path, shadowedBy } = listed
  const paint = state === 'active' ? style.green : style.yellow
  const rows = [
    ...textRow('file', path === undefined ? undefined : shownPath(path, cwd)),
    ...textRow('runs', command.type === 'prompt' ? undefined : 'in the host'),
    ...textRow('plugin', command.type === 'prompt' ? command.pluginName : undefined),
    ...textRow('shadowed by', shadowedBy === undefined ? undefined : refText(shadowedBy, cwd)),
    // As with a field, what goes without saying is left out.
    ...textRow('the model', told.told === 'whole' ? undefined : toldText(told)),
    ...setFields(command).flatMap(({ name: field, value }) => fieldRows(field, value)),
  ].map(([label, text]) => [printableLine(label), printableLine(text)] as const)
  const width = Math.min(widestLabel, Math.max(leastLabel, ...rows.map(([label]) => widthOf(label))))
  const title = `${style.bold(shownName(name))}  ${paint(stateWords[state])}  ${printable(command.source)}`
  const sections = [
    [title, ...rows.map(([label, text]) => `  ${style.dim(pad(label, width))}  ${text}`)],
    ...(files === undefined ? [] : [fileLines(files, cwd, style)]),
    ...(tree === undefined ? [] : [treeLines(tree, style)]),
  ]
  stdout.write(
    `${folded(
      sections
        .filter(lines => lines.length > 0)
        .map(lines => lines.join('\n'))
        .join('\n\n'),
      stdout,
      io,
    )}\n`,
  )
  if (body !== undefined) {
    const { text, isVerbatim } = bodyText(body)
    stdout.write(`\n${style.bold('Body')}\n${text}`)
    if (!isVerbatim)
      stderr.write(
        'skills: The body has characters that would control the terminal; they are shown as numbers. --json has the body unchanged.\n',
      )
  }
  for (const cycle of tree?.cycles ?? [])
    stderr.write(`skills: ${printableLine(cycleSentence(cycle.map(one => one.name)))} ${cycleHint}\n`)
}

function textRow(label: string, text: string | undefined): readonly Row[] {
  return text === undefined ? [] : [[label, text]]
}

/** Returns the row of a field. A map has one row for each of its keys. */
function fieldRows(field: string, value: unknown): readonly Row[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[field, valueText(value)]]
  return Object.entries(value).map(([key, inner]) => [`${field}.${key}`, valueText(inner)])
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(one => typeof one === 'string')) return value.join(', ')
  return JSON.stringify(value) ?? ''
}

function fileLines(
  { files, more, leftOut, isComplete, diagnostics }: FilesBeside,
  cwd: string,
  style: Style,
): readonly string[] {
  const lines = files.map(({ path, kind, size, target }) => {
    const what =
      kind === 'link'
        ? `-> ${printableLine(target ?? '?')}`
        : kind === 'other'
          ? 'not a regular file'
          : size === undefined
            ? ''
            : sizeText(size)
    return `  ${printable(path)}  ${style.dim(what)}`.trimEnd()
  })
  if (more > 0 || !isComplete) lines.push(style.dim(`  and ${isComplete ? '' : 'at least '}${more} more`))
  if (leftOut > 0)
    lines.push(style.dim(`  left out: ${leftOut} that ${leftOut === 1 ? 'is' : 'are'} hidden or node_modules`))
  for (const one of diagnostics) for (const line of findingLines(one, cwd, style)) lines.push(`  ${line}`)
  return lines.length === 0 ? [] : [style.bold('Files'), ...lines]
}

function treeLines({ rows, more }: RequirementTree, style: Style): readonly string[] {
  if (rows.length === 0) return [style.bold('Requires'), '  nothing']
  const lines = rows.map(row => `${'  '.repeat(row.depth)}${requirementText(row, style)}`)
  return [style.bold('Requires'), ...lines, ...(more > 0 ? [style.dim(`  and ${more} more`)] : [])]
}

/**
 * Returns the text of a requirement: its name, the skill it stands for if that differs, the source, and any problem.
 */
function requirementText({ wanted, status, entry, cycle = [], hint = '' }: RequirementRow, style: Style): string {
  if (entry === undefined)
    return `${printableLine(wanted)}  ${style.red(`(${status})`)}  ${style.dim(printableLine(hint))}`
  const name = entry.name === wanted ? shownName(wanted) : `${shownName(wanted)} = ${shownName(entry.name)}`
  const text = `${name}  ${printable(entry.command.source)}`
  if (status === 'shown') return `${text}  ${style.dim('(shown above)')}`
  return status === 'cycle' ? `${text}  ${style.red(`(cycle: ${printableLine(cycleChain(cycle))})`)}` : text
}
