import { abortError, type Shells } from '@skills/core'
import { buildScript, type BuiltScript } from './build-script.js'
import { isAnswer } from './exit-code.js'
import { inPlace, notAllowed, notTrusted, runFailure, type Failure, type OnError } from './failure.js'
import type { EvaluateContext, Token } from '../template/expander.js'
import type { ShellPrograms } from './shells.js'
import type { Shell } from '../template/shell.js'
import type { RunLimits, RunResult } from '@skills/process-group'

export interface CommandRules extends RunLimits {
  /** Result of a failing command in a skill that does not set `on-shell-error`. */
  readonly onError: OnError
  /** Programs whose exit code 1 means that they found nothing or a difference, and is not a failure. */
  readonly answers: readonly string[]
  /** Programs to run as shells, each a name or an absolute path, instead of the default ones. */
  readonly programs: ShellPrograms
  /**
   * Standard error of a command that succeeds. `drop`: left out; `append`: put below its standard output; `merge`:
   * among its standard output, as it was written, where the shell can do so.
   */
  readonly stderr: 'drop' | 'append' | 'merge'
  /** References between single quotes. `kept`: the shell reads them as text; `replaced`: values stand in their place. */
  readonly single: 'kept' | 'replaced'
  /** White space that is removed from output. `newlines`: at its end; `blank`: all at its end, and blank lines before. */
  readonly trims: 'newlines' | 'blank'
  /** Most bytes of output that a text gets. Of longer output it gets the first {@link beginningLength} characters. */
  readonly wholeBytes: number
}

/** Rules and state for embedded commands. */
export interface Ground extends CommandRules {
  /** Commands that are running. */
  readonly running: Set<Promise<RunResult>>
  /** Returns the shell of a word in `shell`; undefined if there is none. */
  shellOf(word: keyof Shells, signal: AbortSignal): Promise<Shell | undefined>
}

/** Text in place of a command if a policy forbids running any. */
const forbiddenText = '[shell command execution disabled by policy]'

/**
 * Runs one embedded command if policy, trust and permission allow it, and returns its output.
 * @param signals the command is stopped as soon as one of these signals aborts
 * @throws SkillsError `E_SHELL`; an AbortError, once all its processes have ended
 */
export async function evaluateCommand(
  token: Token,
  context: EvaluateContext,
  ground: Ground,
  signals: readonly AbortSignal[],
): Promise<string> {
  if (token.inner === undefined) return '!'
  const { command, trust } = context
  const source = token.text.slice(token.inner.start - token.start, token.inner.end - token.start)
  const stopIfAborted = (): void => {
    for (const signal of signals) if (signal.aborted) throw abortError(signal)
  }
  const fails = (failure: Failure): string => inPlace(failure, source, command, command.onShellError ?? ground.onError)

  stopIfAborted()
  if (source.trim() === '') return ''
  const isForbidden = (await context.forbids('shell')) !== undefined
  stopIfAborted()
  if (isForbidden) return forbiddenText
  if (trust !== 'trusted') return fails(notTrusted(command, trust))
  const shell = await ground.shellOf(command.shell, context.signal)
  stopIfAborted()
  if (shell === undefined)
    return fails({
      hasRun: false,
      reason: `there is no shell "${command.shell}"`,
      hint: 'Register that shell as a plugin.',
    })
  const built = await buildScript(token, shell, child => context.value(child), ground.single)
  stopIfAborted()
  if ('refused' in built)
    return fails({ hasRun: false, reason: built.refused, hint: 'Give another argument, or correct the command.' })
  const decision = await context.authorize({ tool: shell.tool, content: built.script, values: built.values })
  stopIfAborted()
  if (decision.behavior !== 'allow') return fails(notAllowed(decision))
  return run(built, shell, context, { ground, signals, fails })
}

async function run(
  { script, values, lastCommand }: BuiltScript,
  shell: Shell,
  { command, host }: EvaluateContext,
  {
    ground,
    signals,
    fails,
  }: {
    readonly ground: Ground
    readonly signals: readonly AbortSignal[]
    readonly fails: (failure: Failure) => string
  },
): Promise<string> {
  // Loaded on use: a skill without embedded commands never starts a process.
  const { runInGroup } = await import('@skills/process-group')
  const isMerged = ground.stderr === 'merge' && shell.merged !== undefined
  const { program: usual, args } = shell.call(isMerged ? (shell.merged?.(script) ?? script) : script, host)
  const program = ground.programs[command.shell] ?? usual
  const { running, answers, timeoutMs, maxOutputBytes, graceMs } = ground
  const result = runInGroup(
    { program, args, env: { ...host.env, ...values }, isScript: true },
    { timeoutMs, maxOutputBytes, graceMs, cwd: host.cwd, clock: host.clock, signals },
  )
  running.add(result)
  const { end, stdout, stderr } = await result
  running.delete(result)
  if (end.by === 'abort') throw abortError(end.signal)
  if (end.by === 'exit' && (end.code === 0 || (end.code === 1 && stderr === '' && isAnswer(lastCommand, answers))))
    return outputOf(stdout, stderr, ground)
  // Bash reads a line before it runs it: what it says of a line that it does not understand is not merged.
  return fails(runFailure(end, program, isMerged ? stdout + stderr : stderr, ground))
}

/** Characters of the beginning of output that is too long. */
const beginningLength = 2_000

function outputOf(stdout: string, stderr: string, { stderr: treatment, trims, wholeBytes }: CommandRules): string {
  const both =
    treatment !== 'drop' && stderr !== '' ? [withoutLastNewlines(stdout), stderr].filter(Boolean).join('\n') : stdout
  const text = trims === 'blank' ? both.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd() : withoutLastNewlines(both)
  const bytes = Buffer.byteLength(text)
  if (bytes <= wholeBytes) return text
  const cut = text.slice(0, beginningLength)
  const lineEnd = cut.lastIndexOf('\n')
  const beginning = lineEnd > beginningLength / 2 ? cut.slice(0, lineEnd) : cut
  return `[output of ${bytes.toLocaleString('en')} bytes, of which this is the beginning]\n${beginning}\n[…]`
}

/** Removes line breaks at the end, as `$(…)` of a shell does. */
function withoutLastNewlines(text: string): string {
  let end = text.length
  while (end > 0 && text.charAt(end - 1) === '\n') end -= text.charAt(end - 2) === '\r' ? 2 : 1
  return text.slice(0, end)
}
