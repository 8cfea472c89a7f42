import { ToolRules } from '@skills/rules'
import { runInGroup } from '@skills/process-group'
import { textField, textIn, tool, type fileTools } from './workspace.js'
import type { Skills } from '@skills/core'
import { trialKinds, type TrialValues } from './cases/assertion-kinds.js'
import type { EvalAssertion, EvalTask } from './cases/eval-cases.js'

/** Milliseconds of a command and bytes of its output, at most. */
const [mostMs, mostBytes] = [120_000, 262_144]

/**
 * Returns the permissions that a person has to give for a task: the rules of the task, and its commands in the form
 * `Bash(…)`.
 */
export function neededBy({ allow, assertions }: EvalTask): readonly string[] {
  return [...allow, ...assertions.flatMap(rulesNeeded)]
}

/** Rules that checking an assertion needs, by its kind. */
function rulesNeeded(one: EvalAssertion): readonly string[] {
  const values = one as Partial<TrialValues>
  return Object.entries(trialKinds).flatMap(([name, kind]) => {
    const value = values[name as keyof TrialValues]
    return value !== undefined && 'needs' in kind ? [kind.needs(value)] : []
  })
}

/** Runs the shell commands that the rules of a trial allow, in its workspace. */
export class Commands {
  readonly #rules: ToolRules
  readonly #clock: Skills['host']['clock']
  readonly #env: Skills['host']['env']

  constructor(rules: readonly string[], { clock, env }: Pick<Skills['host'], 'clock' | 'env'>) {
    this.#rules = new ToolRules('only', rules)
    this.#clock = clock
    this.#env = env
  }

  /** The `Bash` tool, or no tool if no rule allows a command. */
  get tools(): typeof fileTools {
    const rules = this.#rules.texts.filter(rule => rule.startsWith('Bash'))
    if (rules.length === 0) return []
    const description = `Runs a line of a shell in the working folder. Allowed: ${rules.join(', ')}.`
    return [tool('Bash', description, { command: textField('The line') })] as typeof fileTools
  }

  /** Answers a call of `Bash`, also with text for refused and failed commands. Undefined for another tool. */
  async answer(name: string, input: unknown, folder: string, signal: AbortSignal): Promise<string | undefined> {
    if (name !== 'Bash' || this.tools.length === 0) return undefined
    const line = textIn(input, 'command')
    if ((await this.#rules.ruleFor({ tool: 'Bash', content: line })) === undefined)
      return `Error: ${line} is not allowed in this trial.`
    const { code, output } = await this.run(line, folder, signal)
    return code === 0 ? output : `${output}\n[ended with ${code}]`
  }

  /**
   * Runs an allowed line. The workspace is its home folder, too, and it gets no variables but the path and language.
   */
  async run(
    line: string,
    folder: string,
    signal: AbortSignal,
  ): Promise<{ readonly code: number | string; readonly output: string }> {
    const { PATH, LANG, SystemRoot } = this.#env
    const { end, stdout, stderr } = await runInGroup(
      { program: 'bash', args: ['-c', line], env: { PATH, LANG, SystemRoot, HOME: folder, TMPDIR: folder } },
      {
        cwd: folder,
        clock: this.#clock,
        signals: [signal],
        timeoutMs: mostMs,
        maxOutputBytes: mostBytes,
        graceMs: 500,
      },
    )
    signal.throwIfAborted()
    return { code: end.by === 'exit' ? (end.code ?? 0) : end.by, output: `${stdout}${stderr}` }
  }
}
