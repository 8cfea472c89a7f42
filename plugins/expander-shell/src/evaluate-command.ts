import { abortError } from '@skills/core'
import { buildScript, type BuiltScript } from './build-script.js'
import { isAnswer } from './exit-code.js'
import { inPlace, notAllowed, notTrusted, runFailure, type Failure, type OnError } from './failure.js'
import { interpreterCall, type Programs } from './interpreter.js'
import type { EvaluateContext, Token } from '@skills/template'
import type { RunLimits, RunResult } from '@skills/process-group'

export interface CommandRules extends RunLimits {
  /** What a failing command does in a skill that does not say so itself. Default: `inline`. */
  readonly onError: OnError
  /** Programs whose exit code 1 says that they found nothing, or a difference. Default: grep, diff, test and their kin. */
  readonly answers: readonly string[]
  /** Programs to run, each a name or an absolute path, instead of `bash` and of `powershell`, elsewhere than on Windows `pwsh`. */
  readonly programs: Programs
}

/** What stands in the place of a command where a policy forbids to run any. */
const forbiddenText = '[shell command execution disabled by policy]'

/**
 * Runs one embedded command if everybody agrees, and gives what it wrote.
 * @param signals any of them ends it
 * @param running keeps what runs, while it runs
 * @throws SkillsError `E_SHELL`; AbortError, when nothing of it is left
 */
export async function evaluateCommand(
  token: Token, context: EvaluateContext, rules: CommandRules, signals: readonly AbortSignal[], running: Set<Promise<RunResult>>,
): Promise<string> {
  if (token.inner === undefined) return '!'
  const { command, trust } = context
  const source = token.text.slice(token.inner.start - token.start, token.inner.end - token.start)
  const stopIfAborted = (): void => {
    for (const signal of signals) if (signal.aborted) throw abortError(signal)
  }
  const fails = (failure: Failure): string => inPlace(failure, source, command, command.onShellError ?? rules.onError)

  stopIfAborted()
  if (source.trim() === '') return ''
  const isForbidden = await context.forbids('shell') !== undefined
  stopIfAborted()
  if (isForbidden) return forbiddenText
  if (trust !== 'trusted') return fails(notTrusted(command, trust))
  const built = await buildScript(token, command.shell, child => context.value(child))
  stopIfAborted()
  if ('refused' in built) return fails({ hasRun: false, reason: built.refused, hint: 'Give another argument, or correct the command.' })
  const tool = command.shell === 'powershell' ? 'PowerShell' : 'Bash'
  const decision = await context.authorize({ tool, content: built.script, values: built.values })
  stopIfAborted()
  if (decision.behavior !== 'allow') return fails(notAllowed(decision))
  return run(built, context, rules, signals, running, fails)
}

async function run(
  { script, values, lastCommand }: BuiltScript, { command, host }: EvaluateContext, rules: CommandRules, signals: readonly AbortSignal[],
  running: Set<Promise<RunResult>>, fails: (failure: Failure) => string,
): Promise<string> {
  // A skill without embedded commands never pays for what starts processes.
  const { runInGroup } = await import('@skills/process-group')
  const call = interpreterCall(command.shell, script, values, host, rules.programs)
  const result = runInGroup(call, { ...rules, cwd: host.cwd, clock: host.clock, signals })
  running.add(result)
  const { end, stdout, stderr } = await result
  running.delete(result)
  if (end.by === 'abort') throw abortError(end.signal)
  if (end.by === 'exit' && (end.code === 0 || (end.code === 1 && stderr === '' && isAnswer(lastCommand, rules.answers)))) return withoutLastNewlines(stdout)
  return fails(runFailure(end, call.program, stderr, rules))
}

/** As `$(…)` of a shell gives it. */
function withoutLastNewlines(text: string): string {
  let end = text.length
  while (end > 0 && text.charAt(end - 1) === '\n') end -= text.charAt(end - 2) === '\r' ? 2 : 1
  return text.slice(0, end)
}
