import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Catalog, Command, Diagnostic, LoadResult, PromptBody, PromptCommand } from '@skills/core'
import type { Check } from './check.js'

/** Result of a source or of an engine. */
type Listed = Pick<LoadResult, 'commands'> | Pick<Catalog, 'entries'>

function commandsOf(listed: Listed): readonly Command[] {
  return 'entries' in listed ? listed.entries.map(({ command }) => command) : listed.commands
}

/** Returns the prompt command of a name. If the command is missing, the rule is broken. */
export function promptNamed(check: Check, listed: Listed, name: string, when: string): PromptCommand {
  const commands = commandsOf(listed)
  const command = commands.find(one => one.name === check.nameOf(name))
  if (command === undefined)
    return check.broken(`${when}, "${name}" is missing: there ${found(commands.map(one => one.name))}.`)
  return command.type === 'prompt'
    ? command
    : check.broken(`${when}, "${name}" is no prompt command but "${command.type}".`)
}

/** Loads a skill and returns its text. */
export async function textOf(check: Check, command: PromptCommand): Promise<string> {
  return textIn(
    await check.answer(`load() of "${command.name}"`, async () =>
      command.load('', { signal: new AbortController().signal }),
    ),
  )
}

/** Breaks the rule unless the body of a skill is this text. */
export async function expectBody(check: Check, command: PromptCommand, body: string, what: string): Promise<void> {
  const text = await textOf(check, command)
  if (text.trim() !== body) check.broken(`${what} gave ${JSON.stringify(text)} instead of ${JSON.stringify(body)}.`)
}

export function textIn(body: PromptBody): string {
  return 'template' in body
    ? body.template
    : body.blocks.map(block => (block.type === 'text' ? block.text : '')).join('')
}

/** Breaks the rule unless exactly the commands of these skills are listed, in any order. */
export function expectNames(check: Check, listed: Listed, stored: readonly string[], when: string): void {
  const actual = namesOf(listed)
  const expected = stored.map(name => check.nameOf(name))
  const [missing, extra] = [without(expected, actual), without(actual, expected)]
  if (missing.length > 0) check.broken(`${when}, ${some(missing)} ${isOrAre(missing)} missing: there ${found(actual)}.`)
  if (extra.length > 0) check.broken(`${when}, ${some(extra)} ${isOrAre(extra)} there and should not be.`)
  if (actual.length > expected.length)
    check.broken(`${when}, there are ${actual.length} commands for ${expected.length} skills.`)
}

export function namesOf(listed: Listed): readonly string[] {
  return ('entries' in listed ? listed.entries : listed.commands).map(({ name }) => name)
}

/** Breaks the rule if there is an error. */
export function expectNoErrors(check: Check, { errors }: Pick<LoadResult, 'errors'>, when: string): void {
  if (errors[0] !== undefined) check.broken(`${when}, there is an error: ${errors[0].message}`)
}

/** Returns the errors about one skill: those with its name, or with its name as a part of their path. */
export function errorsAbout(check: Check, { errors }: Pick<LoadResult, 'errors'>, name: string): readonly Diagnostic[] {
  return errors.filter(
    error => error.name === name || error.name === check.nameOf(name) || error.path?.split('/').includes(name) === true,
  )
}

/** Formats names for a message, at most four. */
export function some(names: readonly string[]): string {
  const shown = names
    .slice(0, 4)
    .map(name => `"${name}"`)
    .join(', ')
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown
}

function found(names: readonly string[]): string {
  if (names.length === 0) return 'is nothing'
  return `${isOrAre(names)} ${some(names)}`
}

function isOrAre(names: readonly string[]): string {
  return names.length === 1 ? 'is' : 'are'
}

function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others)
  return names.filter(name => !known.has(name)).toSorted()
}

export interface Watched<T> {
  readonly value: T
  /** Turns of the event loop while the work ran. */
  readonly turns: number
}

/**
 * Counts turns of the event loop while some work runs.
 * @param onTurn called in each turn with its number, from 1
 */
export async function watchTurns<T>(work: Promise<T>, onTurn: (turns: number) => void = () => {}): Promise<Watched<T>> {
  let isOver = false
  let turns = 0
  const end = (): void => {
    isOver = true
  }
  work.then(end, end)
  for (;;) {
    await turn()
    if (isOver) return { value: await work, turns }
    onTurn(++turns)
  }
}

/**
 * Lets background work proceed: waits for turns of the event loop, and for round trips through the threads that read
 * files, which serve requests in order.
 */
export async function letOthersGoOn(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await stat(tmpdir())
    await turn()
  }
}

/** Returns the bytes of memory in use after a garbage collection. */
export async function heldBytes(): Promise<number> {
  await letOthersGoOn()
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new TypeError('This runtime collects no garbage on demand.')
  // Buffers that the first collection finds unused are freed by the second.
  for (let time = 0; time < 2; time++) collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
