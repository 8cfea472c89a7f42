import { shownName } from '@skills/core'
import { findConfiguration } from '@skills/distributions/find-configuration'
import type { Catalog, Diagnostic } from '@skills/core'
import type { ToldAnswer, ToldExplanation } from '@skills/host/internal'
import { toldText } from '../../output/told-text.js'
import { allOnes, problemsOf, type AgentTold } from '@skills/inspect/internal'
import { agentLine } from './agents.js'
import { again, quoted } from '../../engine/again.js'
import { findingLines } from '../../output/findings.js'
import { folded } from '../../output/folded.js'
import { placeLines } from '../../output/places-text.js'
import { printableLine } from '../../output/printable.js'
import { problemLines } from '../../output/problem-lines.js'
import { refText } from '../../output/ref-text.js'
import { shownPath, withShownPaths } from '../../output/shown-path.js'
import { stateWords } from '../../output/state-words.js'
import { styleOf, type Style } from '../../output/style.js'
import { shownAnswers } from './typing-notes.js'
import { unknownSentence } from '../../output/unknown-name.js'
import type { Engine } from '../../engine/engine-parts.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

type Row = readonly [label: string, text: string]

/** Context of an explanation: the places that were searched, what they have, and the order of precedence. */
export interface LookedAt extends Pick<Engine, 'skills' | 'distribution' | 'sources' | 'reported' | 'misconfigured'> {
  readonly catalog: Catalog
  /** Facts about each agent: whether it finds the skill, and how much of it its model is told. */
  readonly seenBy: readonly AgentTold[]
}

/**
 * Prints everything known about a name for a person: one block for each skill that has the name, lost it to another
 * skill, or had it before. For an unknown name without similar ones, it prints where skills were searched for.
 * @param all number of all answers; the explanation may have only the first of them
 */
export function printExplanation(
  explanation: ToldExplanation,
  all: number,
  looked: LookedAt,
  invocation: Invocation,
  io: Io,
): void {
  const { stdout, stderr, cwd, env } = io
  const { answers, notes, suggestions } = explanation
  const style = styleOf(stdout, env, invocation.isColorless)
  if (answers.length === 0) stderr.write(`skills: ${unknownSentence(explanation)}\n`)
  const configuration = configurationsOf(looked)
    .map(path => shownPath(path, cwd))
    .join(', ')
  const blocks = answers.map(answer => blockOf(answer, configuration, cwd, style))
  if (all > answers.length)
    blocks.push(style.dim(`and ${(all - answers.length).toLocaleString('en')} more of this name: --json has all`))
  if (notes.length > 0)
    blocks.push(notes.map(({ text }) => `note: ${withShownPaths(text.replace(/\s+/g, ' ').trim(), cwd)}`).join('\n'))
  if (looked.seenBy.length > 0)
    blocks.push([agentLine(looked.seenBy), ...reasonLines(explanation, looked, invocation, io)].join('\n'))
  if (answers.length === 0 && suggestions.length === 0) {
    const wrong = problemLines(problemsOfNoSkill(looked), again('lint', invocation, io), cwd, style)
    blocks.push(lookedText(looked, cwd, style), ...(wrong.length > 0 ? [wrong.join('\n')] : []))
  }
  if (blocks.length > 0) stdout.write(`${folded(blocks.join('\n\n'), stdout, io)}\n`)
}

/** Returns a line for each agent that tells its model less of the skill than the answer above says, with the reason. */
function reasonLines(
  { answers: [first] }: ToldExplanation,
  { seenBy }: LookedAt,
  invocation: Invocation,
  io: Io,
): readonly string[] {
  if (first?.told.told !== 'whole') return []
  return seenBy.flatMap(({ agent, program, found, told, because }) =>
    found !== 'here' || told === 'whole' || because === undefined
      ? []
      : [
          `${program}: ${printableLine(because)} See which file sets it: ${again(`explain ${quoted(first.name)}`, { ...invocation, distribution: agent }, io)}`,
        ],
  )
}

function lookedText({ distribution: { name }, sources, catalog }: LookedAt, cwd: string, style: Style): string {
  const order = `  of skills with the same name the first of these sources counts: ${sources.join(', ')}`
  const elsewhere =
    '  a skill elsewhere, or too deep, is not found: move its folder into one of these, or name its project with --cwd'
  return [
    style.bold(`Where ${printableLine(name)} looks`),
    ...placeLines(catalog, cwd, style),
    style.dim(order),
    style.dim(elsewhere),
  ].join('\n')
}

/** Returns problems of places and of the configuration. One of them may be the reason why the skill was not found. */
function problemsOfNoSkill({ catalog, reported, misconfigured }: LookedAt): readonly Diagnostic[] {
  const files = new Set(
    allOnes(catalog)
      .map(({ path }) => path)
      .filter(path => path !== undefined),
  )
  // A place that cannot be read has its own name, which no one asks for.
  const places = new Set(catalog.places.map(({ path }) => path))
  return problemsOf(catalog, reported, misconfigured).filter(
    ({ path, name }) => (name === undefined || places.has(path ?? '')) && (path === undefined || !files.has(path)),
  )
}

/** Returns the configuration files that are in effect. */
function configurationsOf({ skills: { host }, misconfigured }: LookedAt): readonly string[] {
  const without = misconfigured
    .filter(({ code }) => code === 'untrusted-configuration' || code === 'invalid-configuration')
    .map(({ path }) => path)
  return findConfiguration(host)
    .map(({ path }) => path)
    .filter(path => !without.includes(path))
}

function blockOf(answer: ToldAnswer, configuration: string, cwd: string, style: Style): string {
  const { status, name, source, command, path, chosenBy, shadows, shadowedBy, told, diagnostics } = answer
  const paint = status === 'active' ? style.green : status === 'failed' ? style.red : style.yellow
  const title = `${style.bold(shownName(name))}  ${paint(stateWords[status])}${source === undefined ? '' : `  ${source}`}`
  const prompt = command?.type === 'prompt' ? command : undefined
  const rows: (Row | undefined)[] = [
    row('file', path === undefined ? undefined : shownPath(path, cwd)),
    row('why', status === 'failed' ? undefined : chosenBy),
    ...shadows.slice(0, shownAnswers).map(other => row('shadows', refText(other, cwd))),
    row(
      'shadows',
      shadows.length > shownAnswers ? `and ${(shadows.length - shownAnswers).toLocaleString('en')} more` : undefined,
    ),
    row('shadowed by', shadowedBy === undefined ? undefined : refText(shadowedBy, cwd)),
    row(
      'display name',
      command === undefined || command.displayName === command.name ? undefined : command.displayName,
    ),
    row('aliases', command?.aliases.join(', ')),
    row('description', command?.description),
    row('when to use', prompt?.whenToUse),
    row('arguments', command?.argumentHint),
    row('only for', prompt?.paths.join(', ')),
    row('requires', prompt?.requires.join(', ')),
    row('allowed tools', prompt?.allowedTools.join(', ')),
    row('you', youText(answer)),
    // The reason why a skill failed is among its diagnostics below.
    ...(status === 'failed' ? [] : modelRows(told)),
    row('set in', told.path === undefined || told.path === path ? undefined : shownPath(told.path, cwd)),
    row('configuration', told.cause === 'override' && told.path === undefined ? configuration : undefined),
  ]
  const lines = rows
    .filter(one => one !== undefined)
    .map(
      ([label, text]) => `  ${style.dim(label.padEnd(13))}  ${withShownPaths(text.replace(/\s+/g, ' ').trim(), cwd)}`,
    )
  const findings = diagnostics.flatMap(one => findingLines(one, cwd, style)).map(line => `  ${line}`)
  return [title, ...lines, ...findings].join('\n')
}

/**
 * Returns whether the user can invoke a command. Returns undefined for a skill that lost its name or failed: its
 * reasons already say so.
 */
function youText({ status, name, command }: ToldAnswer): string | undefined {
  if (command === undefined || (status !== 'active' && status !== 'qualified')) return undefined
  return command.userInvocable ? `can invoke it: /${name}` : 'cannot invoke it (user-invocable: false)'
}

function modelRows(told: ToldAnswer['told']): readonly (Row | undefined)[] {
  const { reasons, remedy, told: part } = told
  const isListed = part === 'whole' || part === 'cut' || part === 'name'
  return [
    ...(isListed ? [row('the model', toldText(told))] : reasons.map(({ text }) => row('not listed', text))),
    row('to change it', remedy),
  ]
}

function row(label: string, text: string | undefined): Row | undefined {
  return text === undefined || text === '' ? undefined : [label, text]
}
