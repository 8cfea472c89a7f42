import * as s from '@skills/core/schema'
import {
  abortError,
  defineProvider,
  messageOf,
  SkillsError,
  type ContentBlock,
  type Provider,
  type SetupContext,
} from '@skills/core'
import { fillArguments, mentions, type Values } from './fill-arguments.js'
import { LineReader, readAgentLine, type ReadLine } from './read-lines.js'
import { runInGroup, type RunEnd } from '@skills/process-group'
import { StringDecoder } from 'node:string_decoder'
import type { RunRequest, RunResult } from '@skills/invocation'

const processRunnerOptions = s.options('processRunner()', {
  /** Program: a name to be found on the path, or the path of a file. */
  command: s.text('a program', command => command !== '').required(),
  /**
   * Its arguments. `{model}`, `{effort}`, `{maxSteps}`, `{system}`, `{tools}`, `{withoutTools}`, `{agentId}`,
   * `{agentType}` and `{depth}` are replaced with the values of a fork. An argument without a value is left out, and so
   * is a group with one: `['--model', '{model}']`.
   */
  args: s.list(s.either(s.text(), s.list(s.text()))).default([]),
  /** Variables of its environment in addition to those of the host. Undefined removes a variable. */
  env: s.typed<Readonly<Record<string, string | undefined>>>('an object').default({}),
  /** Absolute path of its working folder. Default: that of the host. */
  cwd: s.text(),
  /** Format of its output. `text`: the result. `json-lines`: one object a line. */
  format: s.oneOf('text', 'json-lines').default('text'),
  /** Reads a line of JSON. Default: reads the lines of command-line agents. */
  readLine: s.fn<ReadLine>().default(readAgentLine),
  /**
   * Treatment of a fork with limited tools if no argument passes the limit to the program (`{tools}` for the only
   * allowed ones, `{withoutTools}` for those taken away besides `Skill`, `Agent` and `Task`). `refuse` fails the run.
   * `ignore` runs it, for a program that is limited in another way.
   */
  limits: s.oneOf('refuse', 'ignore').default('refuse'),
  /** Most bytes of its output. */
  maxOutputBytes: s.number({ from: 0 }).default(16 * 1024 * 1024),
  /** Milliseconds between asking it to end and killing it. */
  graceMs: s.number({ from: 0 }).default(2000),
})

export interface ProcessRunnerOptions extends s.OptionsOf<typeof processRunnerOptions> {}

/**
 * Tools that `forkExecutor()` takes away from every fork whose skill and agent list no tools (its option `without`), so
 * that a fork does not fork. A request does not say who took a tool away. Refusing for these names would refuse nearly
 * every fork, so a skill that itself takes one of them away is treated the same. In lower case, because names are
 * compared without case: `mini` takes `agent` away.
 */
const takenByDefault: ReadonlySet<string> = new Set(['skill', 'agent', 'task'])

/** Bytes of standard error that are kept. The last lines of a program explain its failure. */
const tailBytes = 4096

/**
 * Makes the provider `process` of the kind `runner`, which runs sub-agents with a command-line agent. The agent gets
 * its task on standard input. The agent's own configuration limits its actions; the runner asks for no permission.
 * Throws `E_INVALID_OPTION`. A run rejects with `E_PROVIDER_FAILED` if the program cannot be started, fails or writes
 * too much, or if `readLine` throws, and with an `AbortError` when all its processes have ended. See
 * docs/reference/forks.md, "Runners".
 */
export function processRunner(given: ProcessRunnerOptions): Provider<'runner'> {
  const options = processRunnerOptions.read(given)
  return defineProvider({
    kind: 'runner',
    id: 'process',
    setup: ctx => ({ run: (request, { signal }) => run(options, ctx, request, signal) }),
  })
}

type Settings = ReturnType<typeof processRunnerOptions.read>

async function run(
  settings: Settings,
  { host, report }: Pick<SetupContext, 'host' | 'report'>,
  request: RunRequest,
  signal: AbortSignal,
): Promise<RunResult> {
  const { command, args, env, cwd = host.cwd, format, readLine, maxOutputBytes, graceMs } = settings
  if (signal.aborted) throw abortError(signal)
  refuseLimits(settings, request)
  const start = host.clock.now()
  const lines = new LineReader(readLine, event => request.progress(event))
  const plain = new StringDecoder('utf8')
  let text = ''
  const call = {
    program: command,
    args: fillArguments(args, valuesOf(request)),
    env: { ...host.env, ...env },
    stdin: promptOf(request, mentions(args, 'system')),
  }
  const { end, stderr } = await runInGroup(call, {
    cwd,
    clock: host.clock,
    signals: [signal],
    timeoutMs: Infinity,
    maxOutputBytes,
    graceMs,
    keepsOfStderr: tailBytes,
    onStdout: chunk => {
      if (format === 'json-lines') return lines.take(chunk)
      const piece = plain.write(chunk)
      text += piece
      if (piece !== '') request.progress({ type: 'text', text: piece })
    },
  })
  if (signal.aborted) throw abortError(signal)
  if (end.by === 'listener') throw untaken(command, end.error)
  const result: RunResult =
    format === 'json-lines' ? lastOf(lines, command) : { text: (text + plain.end()).replace(/\r?\n$/, '') }
  if (lines.broken > 0) {
    report({
      severity: 'warning',
      type: 'parse',
      code: 'broken-line',
      message: `${command} wrote ${lines.broken} lines that are not JSON. The first one is ${JSON.stringify(lines.firstBroken)}.`,
      hint: 'Make the program write only JSON lines to standard output, or read its output as text.',
    })
  }
  const failure =
    failureOf(end, maxOutputBytes) ?? (lines.error === undefined ? undefined : `said that it failed: ${lines.error}`)
  if (failure !== undefined) {
    const said = stderr.trim()
    throw new SkillsError('E_PROVIDER_FAILED', `${command} ${failure}${said === '' ? '.' : `: ${said}`}`, {
      hint: 'Run the program by hand with the same arguments.',
    })
  }
  return { ...result, usage: { ms: host.clock.now() - start, ...result.usage } }
}

/** Reads the last line and returns the result of all lines. */
function lastOf(lines: LineReader, command: string): RunResult {
  try {
    return lines.end()
  } catch (error) {
    throw untaken(command, error)
  }
}

/** Makes the error for a function of the host that failed, as opposed to the program. */
function untaken(command: string, error: unknown): SkillsError {
  return new SkillsError('E_PROVIDER_FAILED', `The output of ${command} could not be read: ${messageOf(error)}`, {
    hint: 'Check the option readLine, and the functions of the host that receive progress.',
    cause: error,
  })
}

function refuseLimits({ command, args, limits }: Settings, { tools: { only, without } }: RunRequest): void {
  if (limits === 'ignore') return
  const taken = without.filter(rule => !takenByDefault.has(rule.toLowerCase()))
  if (only !== undefined && !mentions(args, 'tools'))
    throw untold(command, `may use only ${only.join(', ') || 'no tools'}`, '{tools}')
  if (taken.length > 0 && !mentions(args, 'withoutTools'))
    throw untold(command, `may not use ${taken.join(', ')}`, '{withoutTools}')
}

function untold(command: string, limit: string, placeholder: string): SkillsError {
  return new SkillsError(
    'E_PROVIDER_FAILED',
    `This fork ${limit}, but the arguments of ${command} do not pass on that limit.`,
    {
      hint: `Pass ${placeholder} in the arguments of the program. If the program is limited in another way, set limits: 'ignore'.`,
    },
  )
}

function valuesOf({
  agentId,
  agentType,
  model,
  effort,
  maxSteps,
  depth,
  system,
  tools: { only, without },
}: RunRequest): Values {
  return {
    agentId,
    agentType,
    model,
    system,
    effort: effort === undefined ? undefined : String(effort),
    maxSteps: String(maxSteps),
    depth: String(depth),
    tools: only?.join(','),
    withoutTools: without.length === 0 ? undefined : without.join(','),
  }
}

/**
 * Returns the text for standard input, which begins with the system prompt unless an argument has it. Images cannot be
 * passed this way.
 */
function promptOf({ system, messages }: RunRequest, isSystemTold: boolean): string {
  const texts = messages.map(blocks => blocks.map(blockText).join('\n'))
  return [...(system === undefined || isSystemTold ? [] : [system]), ...texts].join('\n\n')
}

function blockText(block: ContentBlock): string {
  return block.type === 'text' ? block.text : `[${block.mimeType} that is not shown here]`
}

function failureOf(end: RunEnd, maxOutputBytes: number): string | undefined {
  switch (end.by) {
    case 'exit':
      return end.code === 0 ? undefined : `ended with code ${end.code}`
    case 'signal':
      return `was ended by ${end.signal}`
    case 'overflow':
      return `wrote more than ${maxOutputBytes} bytes`
    case 'start':
      return `could not be started: ${end.message}`
    case 'abort':
    case 'timeout':
    case 'listener':
      return 'was given up'
  }
}
