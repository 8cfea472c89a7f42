import { stripVTControlCharacters } from 'node:util'
import { SkillsError, type PromptCommand } from '@skills/core'
import type { PermissionDecision } from '@skills/rules'
import type { RunEnd, RunLimits } from '@skills/process-group'

export type OnError = 'abort' | 'inline' | 'skip'

/** Reason why a command gave no output. */
export interface Failure {
  /** True if it was started. */
  readonly hasRun: boolean
  /** Clause without a full stop: `exit code 1`. */
  readonly reason: string
  /** Standard error of the command. */
  readonly stderr?: string | undefined
  readonly hint: string
}

const shownLines = 10
const shownCharacters = 2_000
const shownCommand = 120

export function runFailure(
  end: Exclude<RunEnd, { by: 'abort' }>,
  program: string,
  stderr: string,
  limits: RunLimits,
): Failure {
  switch (end.by) {
    case 'exit':
      return {
        hasRun: true,
        reason: `exit code ${end.code}`,
        stderr,
        hint: 'Correct the command, or set on-shell-error to continue without its output.',
      }
    case 'signal':
      return {
        hasRun: true,
        reason: `ended by ${end.signal}`,
        stderr,
        hint: 'Find out what ended the command, or set on-shell-error to continue without its output.',
      }
    case 'timeout':
      return {
        hasRun: true,
        reason: `took longer than ${limits.timeoutMs} ms`,
        stderr,
        hint: 'Make the command faster, or raise timeoutMs of the shell expander.',
      }
    case 'overflow':
      return {
        hasRun: true,
        reason: `wrote more than ${limits.maxOutputBytes} bytes`,
        stderr,
        hint: 'Make the command write less, or raise maxOutputBytes of the shell expander.',
      }
    case 'listener':
      return {
        hasRun: true,
        reason: 'the listener for its output failed',
        stderr,
        hint: 'Correct the function of the host that receives the output of commands.',
      }
    case 'start':
      return {
        hasRun: false,
        reason: `${program} cannot be started: ${end.message}`,
        hint: `Install ${program}, and check that the working folder exists.`,
      }
  }
}

export function notAllowed({ message, decisionReason: { type, rule, source } }: PermissionDecision): Failure {
  const from = source === undefined ? '' : ` from ${source}`
  const reason = rule === undefined ? message : `${withoutStop(message)} (rule ${rule}${from})`
  return { hasRun: false, reason: withoutStop(reason), hint: hintFor(type, rule) }
}

/** Returns the hint of a denial. An allow rule does not help against a rule that denies or asks. */
function hintFor(type: PermissionDecision['decisionReason']['type'], rule: string | undefined): string {
  if (type === 'rule' && rule !== undefined) return 'Remove that rule, or narrow it.'
  if (rule !== undefined) return 'Answer yes to the question, or remove or narrow that rule.'
  return 'Add a rule that allows the command, or name the command in allowed-tools of a trusted skill.'
}

export function notTrusted({ source }: PromptCommand, trust: 'untrusted' | 'remote'): Failure {
  if (trust === 'remote')
    return {
      hasRun: false,
      reason: 'commands in skills of a server never run',
      hint: 'To run the command, copy the skill to your own skills.',
    }
  return { hasRun: false, reason: `the ${source} skill is not trusted`, hint: 'First trust the folder of the skill.' }
}

/**
 * Returns the text in place of a failed command.
 * @param script script as it is written in the skill
 * @throws SkillsError `E_SHELL` for `abort`
 */
export function inPlace(failure: Failure, script: string, { name }: PromptCommand, onError: OnError): string {
  if (onError === 'skip') return ''
  const { hasRun, reason, stderr = '', hint } = failure
  const output = firstLines(stderr)
  const details = output === '' ? reason : `${reason}: ${output}`
  if (onError === 'inline') return `[shell command ${hasRun ? 'failed' : 'not run'}: ${details}]`
  const what = `The command "${shortly(script)}" embedded in the skill "${name}" ${hasRun ? 'failed' : 'was not run'}: ${details}`
  throw new SkillsError('E_SHELL', /[.!?]$/.test(what) ? what : `${what}.`, { hint })
}

function firstLines(text: string): string {
  const trimmed = plain(text).trim()
  const shown = trimmed.slice(0, shownCharacters).split('\n', shownLines).join('\n').trimEnd()
  return shown.length < trimmed.length ? `${shown} …` : shown
}

function shortly(script: string): string {
  const trimmed = plain(script).trim()
  const [line = ''] = trimmed.split('\n', 1)
  const shown = line.slice(0, shownCommand).trimEnd()
  return shown.length < trimmed.length ? `${shown} …` : shown
}

/** Removes escape sequences and control characters: they could move a person's cursor, and tell a model nothing. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/(?![\n\t])\p{Cc}/gu, '')
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
