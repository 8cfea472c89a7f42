import { resolve } from 'node:path'
import { SkillsError } from '@skills/core'
import { asking, baselineOf, junitText, markdownText, Recordings, trialOptions } from '@skills/evals'
import {
  descriptionIn,
  evaluate,
  hasFailed,
  notAllowedIn,
  readBaseline,
  type AskModel,
  type EvalCases,
  type Progress,
} from '@skills/evals/internal'
import { readWholeFile } from '@skills/files'
import { writeNamed } from '@skills/state/writer'
import { barText } from '../../output/progress-bar.js'
import { casesOf } from './cases.js'
import { secretsOf } from '@skills/state/secrets'
import { evalOptionsOf, modelOf, type EvalOptions } from './options.js'
import { exitCodes, type Io } from '../../io.js'
import { printable, printableLine } from '../../output/printable.js'
import { printReport } from './model-text.js'
import { ProgressLine } from '../../output/progress.js'
import { tokensOf } from '../../arguments/tokens.js'
import { asAgentsHave, withEngine } from '../../engine/engine.js'
import { UsageError } from '../../arguments/usage-error.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills eval --model NAME`. See docs/reference/evals.md, "At the command line". */
export async function evaluateWithModel(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const options = evalOptionsOf(invocation, io)
  const only = invocation.args.length === 0 ? undefined : invocation.args
  if (invocation.has('--against') && only?.length !== 1)
    throw new UsageError(
      'The option --against compares the description of one skill, so give one NAME: skills eval NAME.',
    )
  const baseline = await fileAt(
    invocation,
    io,
    '--baseline',
    readBaseline,
    'not a baseline: --save-baseline writes one',
  )
  const ask: AskModel =
    options.mode === 'replay'
      ? () => Promise.reject(new Error('No model is asked in a replay.'))
      : asking(modelOf(invocation, io))
  const line = new ProgressLine(io.stderr)
  return withEngine(
    invocation,
    io,
    async ({ skills, distribution }) => {
      const cases = await casesOf(skills, only, io)
      if (cases === undefined) return exitCodes.failed
      if (cases.size === 0)
        throw new SkillsError(
          'E_UNKNOWN_NAME',
          `${only === undefined ? 'No skill here' : only.join(', ')} has no cases.`,
          { hint: 'Write queries into evals/evals.json beside its SKILL.md: skills new NAME --evals shows how.' },
        )
      const allowed = await allowedOf(cases, options, invocation, io)
      if (allowed === undefined) return exitCodes.interrupted
      const { host } = skills
      const recordings = new Recordings({
        dir: options.recordings,
        cwd: io.cwd,
        mode: options.mode,
        model: options.model,
        places: { project: host.cwd, home: host.home },
        secrets: secretsOf(io.env),
      })
      const isQuiet = !io.stderr.isTerminal || invocation.json || invocation.has('--quiet')
      const contextWindow = tokensOf(invocation)
      const [name = ''] = invocation.args
      const description = await fileAt(invocation, io, '--against', descriptionIn, 'not a SKILL.md with a description')
      const report = await evaluate({
        skills,
        distribution,
        cases,
        recordings,
        ask,
        model: options.model,
        level: options.level,
        against: description === undefined ? undefined : { name, description },
        allow: allowed,
        baseline,
        minimum: options.threshold,
        trials: options.trials,
        concurrency: options.concurrency,
        contextWindow,
        price: options.price,
        maxCost: options.maxCost,
        signal: io.signal,
        onProgress: progress => {
          if (!isQuiet) line.show(barText(barOf(progress, options), io.stderr.columns))
        },
      }).finally(() => line.erase())
      if (invocation.json) writeJson(report, io.stdout)
      else printReport(report, options, invocation, io)
      // `skills ui` and people without an API key read this report.
      recordings.writeReport(report)
      for (const [flag, text] of [
        ['--junit', junitText(report)],
        ['--markdown', markdownText(report)],
        ['--save-baseline', `${JSON.stringify(baselineOf(report), undefined, 2)}\n`],
      ] as const) {
        const path = invocation.text(flag)
        if (path !== undefined) writeNamed(resolve(io.cwd, path), text, io.cwd)
      }
      return hasFailed(report) ? exitCodes.failed : exitCodes.ok
    },
    (host, configured) => ({ ...asAgentsHave(host, configured), ...trialOptions }),
  ).catch((error: unknown) => {
    line.erase()
    if (io.signal.aborted)
      io.stderr.write('skills: The answers so far are recorded. The same command continues from there.\n')
    throw error
  })
}

function barOf({ done, total, cost }: Progress, { maxCost }: EvalOptions): Parameters<typeof barText>[0] {
  const limit = maxCost === undefined ? '' : ` of $${maxCost.toFixed(2)}`
  return { what: cost === undefined ? 'Asking' : `$${cost.toFixed(2)}${limit} so far`, done, total, unit: 'trials' }
}

/**
 * Returns the rules for what tasks may run: those of `--allow`, and all that a person accepts after reading them.
 * Returns undefined if the person cancels. Trials ask nothing again.
 */
async function allowedOf(
  cases: ReadonlyMap<string, EvalCases>,
  { level }: EvalOptions,
  invocation: InvocationOf<typeof command>,
  { prompter, signal, stderr }: Io,
): Promise<readonly string[] | undefined> {
  const given = invocation.texts('--allow')
  if (level === 'trigger' || invocation.has('--against')) return given
  const missing = notAllowedIn(cases, given)
  if (missing.length === 0) return given
  stderr.write(
    `Tasks of these skills want to run the following. Each has its own temporary folder, but runs as you and with the network:\n${missing.map(rule => `    | ${printable(rule)}\n`).join('')}`,
  )
  if (prompter === undefined || invocation.json) {
    stderr.write(
      `skills: The tasks of these skills are left out. To allow them, add: ${missing.map(rule => `--allow ${JSON.stringify(printableLine(rule))}`).join(' ')}\n`,
    )
    return given
  }
  const answer = await prompter.choose(
    'May it run?',
    [
      { value: 'no', label: 'No, leave those tasks out' },
      { value: 'yes', label: 'Yes, for this time' },
    ],
    signal,
  )
  return answer === undefined ? undefined : answer === 'yes' ? [...given, ...missing] : given
}

/**
 * Reads the file that an option names. Returns undefined without the option. Throws a UsageError if the file cannot be
 * read or parsed.
 */
async function fileAt<T>(
  invocation: InvocationOf<typeof command>,
  io: Io,
  flag: '--baseline' | '--against',
  read: (text: string) => T | undefined | Promise<T | undefined>,
  problem: string,
): Promise<T | undefined> {
  const given = invocation.text(flag)
  if (given === undefined) return undefined
  const path = resolve(io.cwd, given)
  const file = await readWholeFile(path, { signal: io.signal })
  if (file === undefined || 'problem' in file)
    throw new UsageError(
      `${printableLine(path)} given with ${flag} cannot be read: ${file?.problem.message ?? 'there is no such file.'}`,
    )
  const found = await read(file.bytes.toString('utf8'))
  if (found === undefined) throw new UsageError(`${printableLine(path)} given with ${flag} is ${problem}.`)
  return found
}
