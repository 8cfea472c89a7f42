import { messageOf } from '@skills/core'
import { addsPlainText } from './event-sets.js'
import { blocking, readOutput } from './hook-output.js'
import { plainText } from './plain-text.js'
import type { HookVerdict, SkillHookEvent } from '@skills/invocation'
import type { RunEnd, RunResult } from '@skills/process-group'

export interface HookAnswer {
  readonly verdict: HookVerdict
  /** True if it ended with exit code 0. */
  readonly isSuccess: boolean
  /** Failure as a clause without a full stop, and a hint. */
  readonly problem?: readonly [message: string, hint: string]
  /** Keys of its JSON that have no effect. */
  readonly unheeded?: readonly string[]
}

/** Limits that applied while a hook ran. */
export interface AnswerLimits {
  readonly timeoutMs: number
  readonly maxOutputBytes: number
  readonly maxContextChars: number
  readonly strict: boolean
}

const pass: HookVerdict = {}

/**
 * Interprets the end of a hook. A hook blocks with exit code 2, or with exit code 0 and JSON that says so. After any
 * other end, the action is not blocked.
 */
export function hookAnswer(
  event: SkillHookEvent,
  { end, stdout, stderr }: RunResult & { readonly end: Exclude<RunEnd, { by: 'abort' }> },
  limits: AnswerLimits,
): HookAnswer {
  const failed = (message: string, hint: string): HookAnswer => {
    const said = plainText(stderr)
    return { verdict: pass, isSuccess: false, problem: [said === '' ? message : `${message}: ${said}`, hint] }
  }
  switch (end.by) {
    case 'exit':
      if (end.code === 0) return fromOutput(event, stdout, limits)
      if (end.code === 2) return { verdict: blocking(stderr), isSuccess: false }
      return {
        ...failed(
          `ended with exit code ${end.code}`,
          'Exit code 0 of a hook allows the action, and exit code 2 blocks it.',
        ),
        // An answer in JSON counts however the hook ends.
        ...(stdout.trimStart().startsWith('{') && { verdict: fromOutput(event, stdout, limits).verdict }),
      }
    case 'signal':
      return failed(`was ended by ${end.signal}`, 'Find out what ended the hook.')
    case 'timeout':
      return failed(`took longer than ${limits.timeoutMs} ms`, 'Make the hook faster, or raise its timeout.')
    case 'overflow':
      return failed(`wrote more than ${limits.maxOutputBytes} bytes`, 'Make the hook write less.')
    case 'listener':
      return failed('wrote output that its listener could not process', 'Check the listener.')
    case 'start':
      return failed(`could not be started: ${end.message}`, 'Check that bash and the working folder exist.')
  }
}

/**
 * Reads standard output. Text that is not JSON is for the model at events that begin something; at others it has no
 * effect.
 */
function fromOutput(event: SkillHookEvent, stdout: string, { maxContextChars, strict }: AnswerLimits): HookAnswer {
  const text = stdout.trim()
  const asText = (): HookAnswer => {
    const context = addsPlainText.has(event) ? plainText(text, maxContextChars) : ''
    return { verdict: context === '' ? pass : { context }, isSuccess: true }
  }
  if (!text.startsWith('{')) return asText()
  try {
    const { verdict, unheeded } = readOutput(event, JSON.parse(text), maxContextChars, strict)
    return { verdict, isSuccess: true, unheeded }
  } catch (error) {
    if (addsPlainText.has(event)) return asText()
    return {
      verdict: pass,
      isSuccess: true,
      problem: [
        `wrote output that begins like JSON but is not JSON: ${messageOf(error).replace(/\.$/, '')}`,
        'Make the hook write one JSON object, or text that does not begin with "{".',
      ],
    }
  }
}
