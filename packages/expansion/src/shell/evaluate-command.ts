import { abortError, type Shells } from '@skills/core'
import { buildScript, type BuiltScript } from './build-script.js'
import { isAnswer } from './exit-code.js'
import { inPlace, notAllowed, notTrusted, runFailure, type Failure, type OnError } from './failure.js'
import type { EvaluateContext, Token } from '../template/expander.js'
import type { Shell } from '../template/shell.js'
import type { RunLimits, RunResult } from '@skills/process-group'

export type ShellPrograms = { readonly [S in keyof Shells]?: string | undefined }

export interface CommandRules extends RunLimits {
  /** What a failing command does in a skill that does not say so itself. Default: `inline`. */
  readonly onError: OnError
  /**
   * Programs whose exit code 1 says that they found nothing, or a difference. Default: grep, diff, test and their kin.
   */
  readonly answers: readonly string[]
  /**
   * Programs to run, each a name or an absolute path, instead of `bash` and of `powershell`, elsewhere than on Windows
   * `pwsh`.
   */
  readonly programs: ShellPrograms
  /**
   * What becomes of what a command that succeeds writes to standard error: it is left out (default), or stands below
   * what it writes to standard output.
   */
  readonly stderr: 'drop' | 'append'
}

/** What embedded commands run with. */
export interface Ground extends CommandRules {
  /** What runs while it runs. */
  readonly running: Set<Promise<RunResult>>
  /** The shell of a word; undefined where there is none. */
  shellOf(word: keyof Shells, signal: AbortSignal): Promise<Shell | undefined>
}

/** What stands in the place of a command where a policy forbids to run any. */
const forbiddenText = '[shell command execution disabled by policy]'

/**
 * Runs one embedded command if policy, trust and permission allow it, and gives what it wrote.
 * @param signals any of them ends it
 * @throws SkillsError `E_SHELL`; AbortError, when nothing of it is left
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
    return fails({ hasRun: false, reason: `there is no shell "${command.shell}"`, hint: 'Register one as a plugin.' })
  const built = await buildScript(token, shell, child => context.value(child))
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
  // A skill without embedded commands never pays for what starts processes.
  const { runInGroup } = await import('@skills/process-group')
  const { program: usual, args } = shell.call(script, host)
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
    return withoutLastNewlines(
      ground.stderr === 'append' && stderr !== ''
        ? [withoutLastNewlines(stdout), stderr].filter(Boolean).join('\n')
        : stdout,
    )
  return fails(runFailure(end, program, stderr, ground))
}

/** As `$(…)` of a shell gives it. */
function withoutLastNewlines(text: string): string {
  let end = text.length
  while (end > 0 && text.charAt(end - 1) === '\n') end -= text.charAt(end - 2) === '\r' ? 2 : 1
  return text.slice(0, end)
}
