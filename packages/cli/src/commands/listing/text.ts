import { shownName } from '@skills/core'
import type { ToldListing } from '@skills/host/internal'
import { again } from '../../engine/again.js'
import { budgetBar } from './budget-bar.js'
import { counted } from '../../output/problems.js'
import { firstNames } from '../../output/first-names.js'
import { printableLine } from '../../output/printable.js'
import { printExact } from '../../output/exact-text.js'
import { styleOf } from '../../output/style.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Most names in one line on standard error; a catalog may have thousands. */
const mostNames = 12

/**
 * Prints the listing's text to standard output. Prints to standard error which skills the listing leaves out and why,
 * and on a terminal how the budget is divided.
 */
export function printListing(told: ToldListing, invocation: Invocation, io: Io): void {
  const { stdout, stderr, env } = io
  const {
    text,
    place,
    toolName,
    listing: { omitted, truncated, budgetChars, usedChars, shortlist },
    kept,
  } = told
  printExact(text, io)
  const style = styleOf(stderr, env, invocation.isColorless)
  const say = (line: string): void => stderr.write(`${line}\n`)
  const hasBudget = Number.isFinite(budgetChars)
  const isWatched = stdout.isTerminal && stderr.isTerminal
  if (isWatched) {
    if (text !== '') say('')
    else say('The model is told of no skill.')
    say(
      style.bold(
        `${counted(usedChars, 'character')}${hasBudget ? ` of ${budgetChars}` : ', without a budget'}${place === 'reminder' ? '' : `, ${place === 'system' ? 'in the system prompt' : `in the description of the tool ${toolName}`}`}`,
      ),
    )
    for (const line of budgetBar(told, stderr.columns, style)) say(line)
  }
  const shortened = truncated.filter(name => !omitted.includes(name))
  if (shortened.length > 0 && !hasBudget)
    say(style.dim(`Shortened by this strategy, at any budget: ${firstNames(shortened, mostNames)}`))
  else if (shortened.length > 0) {
    say(style.yellow(`Shortened, for there is no room for all that they say: ${firstNames(shortened, mostNames)}`))
    say(
      style.dim(
        `  Shorten descriptions, or see what they get of a larger window: ${again('listing --context-window 1000000', invocation, io)}`,
      ),
    )
  }
  const left = new Set(shortlist?.left)
  if (left.size > 0)
    say(style.dim(`Left out, for others fit the conversation better: ${firstNames([...left], mostNames)}`))
  const roomless = omitted.filter(name => !left.has(name))
  if (roomless.length > 0) {
    say(style.yellow(`Left out, for there is no room for their names: ${firstNames(roomless, mostNames)}`))
    say(
      style.dim(
        '  Shorten descriptions, or keep from the model what it need not invoke: disable-model-invocation: true.',
      ),
    )
  }
  if (!isWatched || kept.length === 0) return
  say(style.dim('Not told:'))
  for (const { name, reasons } of kept.slice(0, mostNames))
    say(style.dim(`  ${shownName(name)}  ${printableLine(reasons.map(reason => reason.text).join(' '))}`))
  if (kept.length > mostNames)
    say(style.dim(`  and ${kept.length - mostNames} more: ${again('listing --json', invocation, io)}`))
}
