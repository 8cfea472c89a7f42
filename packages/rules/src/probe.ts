import { nameKey } from '@skills/core'
import { fileProbe, type FileCall } from './file-tools.js'
import { isShell } from './rule.js'
import { possibleCommands } from './possible-commands.js'
import { effectsOf, type FoundEffect, type Word } from './programs/effects.js'
import { isKnown, wordsToName } from './programs/harmless.js'
import { isName, resolvedWords, simpleCommands, simplePowerShellCommand, unwrapped } from './simple-command.js'
import type { Probe } from './rule-set.js'
import type { Candidate } from './wildcard.js'

/** One use of a tool, for the comparison with rules. */
export interface ToolUse extends FileCall {
  readonly tool: string
  /** For a shell its script, for a file tool the path; otherwise the text that tells one use from another. */
  readonly content: string
  /** Values that a script gets in its environment, by variable. */
  readonly values?: Readonly<Record<string, string>> | undefined
}

/**
 * Purpose of an open rule such as `Bash(make:*)`. `permission`: words that the rule does not write have to be known as
 * harmless. `limit`: the rule covers what the program does itself, but no other program that it starts. The permission
 * rules then decide about a call within a limit.
 */
export type Purpose = 'permission' | 'limit'

/** Returns the form of a text that is compared with rules that forbid: in lower case, and with single spaces. */
export function broadForm(text: string): string {
  return nameKey(text).toLowerCase().replace(/\s+/g, ' ')
}

/**
 * Makes the probe of a use that may be allowed, from the facts that are certain about it. Rules for the beginning of a
 * script match only if the script is one simple command. If the script consists of several commands, each has to be
 * allowed by itself; they are the `parts`.
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

/** Programs that change the folder of the commands after them. There a program may find another configuration. */
const moving = new Set(['cd', 'pushd', 'popd', 'chdir'])

function partProbe(
  tools: readonly string[],
  words: readonly Word[],
  { purpose, isAlone }: { readonly purpose: Purpose; readonly isAlone: boolean },
): Probe {
  const resolved = resolvedWords(words)
  const forms = [
    // The home folder belongs to the user, so paths in it are compared as a rule names them.
    ...(isName(words[0]?.text.replace(/^~\//, '/')) ? unwrapped(words) : []),
    ...(resolved === undefined ? [] : unwrapped(resolved)),
  ]
  const isMoving = !isAlone && forms.some(([name]) => moving.has(name?.value ?? ''))
  // Input may be code to an unknown program, just as its arguments may be.
  const isFed =
    purpose === 'permission' && words[0]?.isFed === true && forms.some(([name]) => !isKnown(name?.value ?? ''))
  const open = isMoving || isFed ? [] : forms.flatMap(form => openCandidate(form, purpose) ?? [])
  return { tools, text: textOf(words), whole: open.length === 0 ? [] : [candidate(textOf(words))], open }
}

/** Makes the candidate for an open rule, which has to write every word that is not known as harmless. */
function openCandidate(words: readonly Word[], purpose: Purpose): Candidate | undefined {
  const named = purpose === 'permission' ? wordsToName(words) : wordsThatStart(words)
  if (named > words.length) return undefined
  const [name, option, ...more] = words
  const isHarmless =
    more.length === 0 && isKnown(name?.value ?? '') && ['--version', '--help'].includes(option?.value ?? '')
  return { text: textOf(words), from: textOf(words.slice(0, named)).length, isHarmless }
}

/** Returns how many words a limit has to write: those that name other programs which the command starts. */
function wordsThatStart(words: readonly Word[]): number {
  const isOwn = ({ effect }: FoundEffect): boolean => effect === 'file' || effect === 'source'
  const places = effectsOf(words).found.filter(one => !isOwn(one))
  return Math.max(0, ...places.map(({ at }) => at + 1))
}

function textOf(words: readonly Word[]): string {
  return words.flatMap(({ text }) => (text === '' ? [] : [text])).join(' ')
}

/** Makes the probe of a use that may be forbidden, from everything that the use might mean. */
export async function broadProbe(use: ToolUse): Promise<Probe> {
  const { tool, content, values } = use
  const { commands, unseen } = isShell(tool)
    ? await possibleCommands(tool, content, values)
    : { commands: [content], unseen: undefined }
  const texts = commands.map(text => candidate(broadForm(text).trim()))
  return { tools: [broadForm(tool)], whole: texts, open: texts, unseen, files: fileProbe(use, 'forbid') }
}

/** Removes the white space around a script that a shell ignores. Other white space is part of a word for a shell. */
export function withoutBlanks(script: string): string {
  let [start, end] = [0, script.length]
  while (start < end && ' \t\n'.includes(script.charAt(start))) start++
  while (end > start && ' \t\n'.includes(script.charAt(end - 1))) end--
  return script.slice(start, end)
}

function candidate(text: string): Candidate {
  return { text, from: 0 }
}
