import type { Catalog, ExplainAnswer, Explanation } from '@skills/core'
import { findingLines } from './findings.js'
import { printable } from './printable.js'
import { placeLines } from './places-text.js'
import { refText } from './ref-text.js'
import { shownPath, withShownPaths } from './shown-path.js'
import { stateWords } from './state-words.js'
import { styleOf, type Style } from './style.js'
import { unknownSentence } from './unknown-name.js'
import type { Engine } from './engine.js'
import type { Invocation } from './parse-arguments.js'
import type { Io } from './io.js'

type Row = readonly [label: string, text: string]

/** Where was looked, and who comes before whom. */
export type LookedAt = Pick<Engine, 'distribution' | 'sources'> & Pick<Catalog, 'places'>

/** Everything known of a name for a person: one block for each skill that has, wanted or had it; of a name like no other, where was looked. */
export function printExplanation({ query, answers, notes, suggestions }: Explanation, looked: LookedAt, { isColorless }: Invocation, io: Io): void {
  const { stdout, stderr, cwd, env } = io
  const style = styleOf(stdout, env, isColorless)
  if (answers.length === 0) stderr.write(`skills: ${unknownSentence({ query, suggestions })}\n`)
  const blocks = answers.map(answer => blockOf(answer, cwd, style))
  if (notes.length > 0) blocks.push(notes.map(({ text }) => `note: ${withShownPaths(text.replace(/\s+/g, ' ').trim(), cwd)}`).join('\n'))
  if (answers.length === 0 && suggestions.length === 0) blocks.push(lookedText(looked, cwd, style))
  if (blocks.length > 0) stdout.write(`${blocks.join('\n\n')}\n`)
}

function lookedText({ distribution: { name }, sources, places }: LookedAt, cwd: string, style: Style): string {
  const order = `  of one name the first of these counts: ${sources.join(', ')}`
  return [style.bold(`Where ${name} looks`), ...placeLines({ places }, cwd, style), style.dim(order)].join('\n')
}

function blockOf(answer: ExplainAnswer, cwd: string, style: Style): string {
  const { status, name, source, command, path, chosenBy, shadows, shadowedBy, notListedBecause, diagnostics } = answer
  const paint = status === 'active' ? style.green : status === 'failed' ? style.red : style.yellow
  const title = `${style.bold(printable(name))}  ${paint(stateWords[status])}${source === undefined ? '' : `  ${source}`}`
  const prompt = command?.type === 'prompt' ? command : undefined
  const rows: (Row | undefined)[] = [
    row('file', path === undefined ? undefined : shownPath(path, cwd)),
    row('why', status === 'failed' ? undefined : chosenBy),
    ...shadows.map(other => row('shadows', refText(other, cwd))),
    row('shadowed by', shadowedBy === undefined ? undefined : refText(shadowedBy, cwd)),
    row('display name', command === undefined || command.displayName === command.name ? undefined : command.displayName),
    row('aliases', command?.aliases.join(', ')),
    row('description', command?.description),
    row('when to use', prompt?.whenToUse),
    row('arguments', command?.argumentHint),
    row('only for', prompt?.paths.join(', ')),
    row('requires', prompt?.requires.join(', ')),
    row('allowed tools', prompt?.allowedTools.join(', ')),
    row('you', youText(answer)),
    // Why one failed stands among its problems.
    ...(status === 'failed' ? [] : modelRows(notListedBecause.map(({ text }) => text))),
  ]
  const lines = rows.filter(one => one !== undefined)
    .map(([label, text]) => `  ${style.dim(label.padEnd(13))}  ${withShownPaths(text.replace(/\s+/g, ' ').trim(), cwd)}`)
  const findings = diagnostics.flatMap(one => findingLines(one, cwd, style)).map(line => `  ${line}`)
  return [title, ...lines, ...findings].join('\n')
}

/** One that lost or broke cannot be invoked at all, and its reasons say so. */
function youText({ status, name, command }: ExplainAnswer): string | undefined {
  if (command === undefined || (status !== 'active' && status !== 'qualified')) return undefined
  return command.userInvocable ? `can invoke it: /${name}` : 'cannot invoke it (user-invocable: false)'
}

function modelRows(reasons: readonly string[]): readonly (Row | undefined)[] {
  return reasons.length === 0 ? [row('the model', 'is told of it.')] : reasons.map(reason => row('not listed', reason))
}

function row(label: string, text: string | undefined): Row | undefined {
  return text === undefined || text === '' ? undefined : [label, text]
}
