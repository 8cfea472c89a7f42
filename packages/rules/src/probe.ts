import { nameKey } from '@skills/core'
import { fileProbe, type FileCall } from './file-tools.js'
import { isShell } from './rule.js'
import { possibleCommands } from './possible-commands.js'
import { effectsOf, type FoundEffect, type Word } from './programs/effects.js'
import { isKnown, wordsToName } from './programs/harmless.js'
import { isName, resolvedWords, simpleCommands, simplePowerShellCommand, unwrapped } from './simple-command.js'
import type { Probe } from './rule-set.js'
import type { Candidate } from './wildcard.js'

/** One use of a tool, as rules are held against it. */
export interface ToolUse extends FileCall {
  readonly tool: string
  /** Of a shell its script, of a tool for files the path; else the text that tells one use from another. */
  readonly content: string
  /** What travels beside a script in its environment, by variable. */
  readonly values?: Readonly<Record<string, string>> | undefined
}

/**
 * What an open rule such as `Bash(make:*)` is for: what a `permission` does not write itself has to be known to be
 * harmless; a `limit` covers what the program does itself, and no other program. What a limit leaves is asked about as
 * all else.
 */
export type Purpose = 'permission' | 'limit'

/** The form in which rules that forbid are compared: case and the amount of white space do not count. */
export function broadForm(text: string): string {
  return nameKey(text).toLowerCase().replace(/\s+/g, ' ')
}

/**
 * What a use is when it may be allowed: what it is for sure. Of a script what it begins with counts only if it is one
 * simple command; of several in a row each has to be allowed by itself, which are the `parts`.
 */
export function strictProbe(use: ToolUse, purpose: Purpose = 'permission'): Probe {
  const { tool, content, values } = use
  const tools = [tool]
  if (!isShell(tool)) {
    const whole = [candidate(nameKey(content))]
    return { tools, whole, open: whole, files: fileProbe(use, 'allow') }
  }
  const text = withoutBlanks(content)
  const commands = tool === 'Bash' ? simpleCommands(text, values) : powerShellCommands(text, values)
  const parts = (commands ?? []).map(words => partProbe(tools, words, { purpose, isAlone: commands?.length === 1 }))
  const [only] = parts.length === 1 ? parts : []
  const resolved =
    commands?.length === 1 && tool === 'Bash' && values !== undefined ? resolvedWords(commands[0] ?? []) : undefined
  const whole = [candidate(nameKey(text)), ...(resolved === undefined ? [] : [candidate(textOf(resolved))])]
  return { tools, whole, open: only?.open ?? [], ...(parts.length > 1 && { parts }) }
}

function powerShellCommands(text: string, values: ToolUse['values']): readonly (readonly Word[])[] | undefined {
  const valueOf = (word: string): string => values?.[/^"\$env:(.*)"$/.exec(word)?.[1] ?? ''] ?? word
  const words = simplePowerShellCommand(text, values)
  return words && [words.map(word => ({ text: word, value: valueOf(word) }))]
}

/** What a command changes for those after it. In another folder a program may find another configuration. */
const moving = new Set(['cd', 'pushd', 'popd', 'chdir'])

function partProbe(
  tools: readonly string[],
  words: readonly Word[],
  { purpose, isAlone }: { readonly purpose: Purpose; readonly isAlone: boolean },
): Probe {
  const resolved = resolvedWords(words)
  const forms = [
    // The home folder is the user's, and what lies there is named as a rule names it.
    ...(isName(words[0]?.text.replace(/^~\//, '/')) ? unwrapped(words) : []),
    ...(resolved === undefined ? [] : unwrapped(resolved)),
  ]
  const isMoving = !isAlone && forms.some(([name]) => moving.has(name?.value ?? ''))
  // What comes in may be code to a program that is not known, as its arguments may be.
  const isFed =
    purpose === 'permission' && words[0]?.isFed === true && forms.some(([name]) => !isKnown(name?.value ?? ''))
  const open = isMoving || isFed ? [] : forms.flatMap(form => openCandidate(form, purpose) ?? [])
  return { tools, text: textOf(words), whole: open.length === 0 ? [] : [candidate(textOf(words))], open }
}

/** A rule that leaves the rest open has to name what is not known to be harmless. */
function openCandidate(words: readonly Word[], purpose: Purpose): Candidate | undefined {
  const named = purpose === 'permission' ? wordsToName(words) : wordsThatStart(words)
  if (named > words.length) return undefined
  const [name, option, ...more] = words
  const isHarmless =
    more.length === 0 && isKnown(name?.value ?? '') && ['--version', '--help'].includes(option?.value ?? '')
  return { text: textOf(words), from: textOf(words.slice(0, named)).length, isHarmless }
}

/** A limit leaves a program what it does itself: what it starts has to be named. */
function wordsThatStart(words: readonly Word[]): number {
  const isOwn = ({ effect }: FoundEffect): boolean => effect === 'file' || effect === 'source'
  const places = effectsOf(words).found.filter(one => !isOwn(one))
  return Math.max(0, ...places.map(({ at }) => at + 1))
}

function textOf(words: readonly Word[]): string {
  return words.flatMap(({ text }) => (text === '' ? [] : [text])).join(' ')
}

/** What a use is when it may be forbidden: anything that it might be. */
export async function broadProbe(use: ToolUse): Promise<Probe> {
  const { tool, content, values } = use
  const { commands, unseen } = isShell(tool)
    ? await possibleCommands(tool, content, values)
    : { commands: [content], unseen: undefined }
  const texts = commands.map(text => candidate(broadForm(text).trim()))
  return { tools: [broadForm(tool)], whole: texts, open: texts, unseen, files: fileProbe(use, 'forbid') }
}

/** Without the white space around a script that a shell takes for such; to it other white space is part of a word. */
export function withoutBlanks(script: string): string {
  let [start, end] = [0, script.length]
  while (start < end && ' \t\n'.includes(script.charAt(start))) start++
  while (end > start && ' \t\n'.includes(script.charAt(end - 1))) end--
  return script.slice(start, end)
}

function candidate(text: string): Candidate {
  return { text, from: 0 }
}
