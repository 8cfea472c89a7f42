import { stripVTControlCharacters } from 'node:util'
import { messageOf } from '@skills/core'
import type { HookVerdict } from '@skills/invocation'
import type { RunEnd, RunResult } from '@skills/process-group'

export interface HookAnswer {
  readonly verdict: HookVerdict
  /** Whether it ended with exit code 0. */
  readonly isSuccess: boolean
  /** What went wrong, a clause without a full stop, and what to do. */
  readonly problem?: readonly [message: string, hint: string]
}

const pass: HookVerdict = {}
const shownCharacters = 2_000

/**
 * What a hook that has ended says. It blocks with exit code 2, or with exit code 0 and JSON that says so; anything else lets pass.
 * @param limits that were in force
 */
export function hookAnswer({ end, stdout, stderr }: RunResult & { readonly end: Exclude<RunEnd, { by: 'abort' }> }, limits: { readonly timeoutMs: number; readonly maxOutputBytes: number }): HookAnswer {
  const failed = (message: string, hint: string): HookAnswer => {
    const said = plain(stderr)
    return { verdict: pass, isSuccess: false, problem: [said === '' ? message : `${message}: ${said}`, hint] }
  }
  switch (end.by) {
    case 'exit':
      if (end.code === 0) return fromOutput(stdout)
      if (end.code === 2) return { verdict: block(stderr), isSuccess: false }
      return failed(`ended with exit code ${end.code}`, 'A hook lets pass with exit code 0 and blocks with 2.')
    case 'signal': return failed(`was ended by ${end.signal}`, 'See what ended it.')
    case 'timeout': return failed(`took longer than ${limits.timeoutMs} ms`, 'Make it faster, or give it a higher timeout.')
    case 'overflow': return failed(`wrote more than ${limits.maxOutputBytes} bytes`, 'Make it write less.')
    case 'start': return failed(`could not be started: ${end.message}`, 'See that bash and the working folder are there.')
  }
}

/** Text that is no object is for people who look on, and says nothing. */
function fromOutput(stdout: string): HookAnswer {
  const text = stdout.trim()
  if (!text.startsWith('{')) return { verdict: pass, isSuccess: true }
  try {
    const said: unknown = JSON.parse(text)
    return { verdict: verdictOf(said), isSuccess: true }
  } catch (error) {
    return { verdict: pass, isSuccess: true, problem: [`wrote what begins like JSON and is none: ${messageOf(error).replace(/\.$/, '')}`, 'Have it write one object, or text that does not begin with "{".'] }
  }
}

/** Of everything that a hook may say only what blocks is heeded: none ever allows. */
function verdictOf(said: unknown): HookVerdict {
  if (at(said, 'decision') === 'block' || at(said, 'decision') === 'deny') return block(at(said, 'reason'))
  if (at(said, 'continue') === false) return block(at(said, 'stopReason'))
  const own = at(said, 'hookSpecificOutput')
  return at(own, 'permissionDecision') === 'deny' ? block(at(own, 'permissionDecisionReason')) : pass
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}

function block(reason: unknown): HookVerdict {
  const text = typeof reason === 'string' ? plain(reason) : ''
  return { block: true, reason: text === '' ? 'A hook blocked it and gave no reason.' : text }
}

/** What is shown to a person must not move the cursor, and colours tell a model nothing. */
function plain(text: string): string {
  const trimmed = stripVTControlCharacters(text).replaceAll(/(?![\n\t])\p{Cc}/gu, '').trim()
  const shown = trimmed.slice(0, shownCharacters).replace(/[\ud800-\udbff]$/, '')
  return shown.length < trimmed.length ? `${shown.trimEnd()} …` : shown
}
