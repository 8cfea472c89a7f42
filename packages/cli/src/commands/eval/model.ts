import { resolve } from 'node:path'
import { SkillsError } from '@skills/core'
import {
  against,
  asking,
  baselineOf,
  compare,
  junitText,
  markdownText,
  outcomes,
  Recordings,
  trialOptions,
  triggers,
  type EvalReport,
} from '@skills/evals'
import {
  neededBy,
  readBaseline,
  type AskModel,
  type Progress,
  descriptionIn,
  type EvalCases,
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

type Cases = ReadonlyMap<string, EvalCases>

/** `skills eval --model NAME`. See docs/reference/evals.md, "At the command line". */
export async function evaluateWithModel(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const options = evalOptionsOf(invocation, io)
  const only = invocation.args.length === 0 ? undefined : invocation.args
  if (invocation.has('--against') && only?.length !== 1)
    throw new UsageError('The option --against needs the one skill whose description it compares: skills eval NAME.')
  const before = await fileAt(invocation, io, '--baseline', readBaseline, 'no baseline: --save-baseline writes one')
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
      const shared = {
        ask: recordings.over(ask),
        concurrency: options.concurrency,
        contextWindow: tokensOf(invocation),
        price: options.price,
        signal: io.signal,
        distribution,
        ...(options.trials !== undefined && { trials: options.trials }),
        onProgress: (progress: Progress): void => {
          if (!isQuiet) line.show(barText(barOf(progress, options), io.stderr.columns))
        },
      }
      const report = await evaluated(shared).finally(() => line.erase())
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
      return report.comparison?.failed === true ||
        report.stale.length > 0 ||
        nothingCounts(report) ||
        isUnfinished(report)
        ? exitCodes.failed
        : exitCodes.ok

      async function evaluated(given: typeof shared): Promise<EvalReport> {
        const left = (spent: number | undefined): { readonly maxCost?: number } =>
          options.maxCost === undefined ? {} : { maxCost: Math.max(0, options.maxCost - (spent ?? 0)) }
        const wanted = (level: EvalOptions['level']): boolean => (options.level ?? level) === level
        const [name = ''] = invocation.args
        const description = await fileAt(invocation, io, '--against', descriptionIn, 'no SKILL.md with a description')
        if (description !== undefined) {
          const found = await against({ ...given, ...left(0), cases: cases ?? new Map(), name, description })
          return { version: 1, model: options.model, against: found, stale: recordings.stale, cost: found.cost }
        }
        const queried = having(cases ?? new Map(), 'queries')
        const picked =
          wanted('trigger') && queried.size > 0
            ? await triggers({ ...given, ...left(0), skills, cases: queried })
            : undefined
        const tasked = having(cases ?? new Map(), 'tasks')
        const helped =
          wanted('outcome') && tasked.size > 0
            ? await outcomes({ ...given, ...left(picked?.cost), cases: tasked, allow: allowed })
            : undefined
        const cost = options.price && (picked?.cost ?? 0) + (helped?.cost ?? 0)
        const found = { version: 1, model: options.model, triggers: picked, outcomes: helped, cost } as const
        const all: EvalReport = { ...found, stale: recordings.stale }
        return before === undefined && options.threshold === undefined
          ? all
          : { ...all, comparison: compare(all, before, options.threshold) }
      }
    },
    (host, configured) => ({ ...asAgentsHave(host, configured), ...trialOptions }),
  ).catch((error: unknown) => {
    line.erase()
    if (io.signal.aborted)
      io.stderr.write('skills: What was answered so far is recorded. The same command goes on from there.\n')
    throw error
  })
}

function having(cases: Cases, kind: 'queries' | 'tasks'): Cases {
  return new Map(
    [...cases].filter(([, one]) => (kind === 'queries' ? one.queries : one.tasks.filter(isChecked)).length > 0),
  )
}

function isChecked({ assertions }: EvalCases['tasks'][number]): boolean {
  return assertions.length > 0
}

/** Returns true if `--max-cost` was too low for some trials. */
function isUnfinished({ triggers: picked, outcomes: helped, against: compared }: EvalReport): boolean {
  return [picked, helped, compared].some(one => one !== undefined && 'left' in one && (one.left ?? 0) > 0)
}

/** Returns true if every trial failed or timed out, so that the evaluation shows nothing. */
function nothingCounts({ triggers: picked, outcomes: helped, against: compared }: EvalReport): boolean {
  const counted = [
    ...(picked?.skills ?? []).map(({ right }) => right.trials),
    ...(helped?.skills ?? []).map(one => one.with.trials + one.without.trials),
    ...(compared === undefined ? [] : [compared.own.trials]),
  ]
  return counted.every(trials => trials === 0)
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
  cases: Cases,
  { level }: EvalOptions,
  invocation: InvocationOf<typeof command>,
  { prompter, signal, stderr }: Io,
): Promise<readonly string[] | undefined> {
  const given = invocation.texts('--allow')
  if (level === 'trigger' || invocation.has('--against')) return given
  const needed = [...cases.values()].flatMap(({ tasks }) => tasks.flatMap(neededBy))
  const missing = [...new Set(needed)].filter(rule => !given.includes(rule))
  if (missing.length === 0) return given
  stderr.write(
    `Tasks of these skills want to run this, each in a temporary folder of its own, but as you and with the network:\n${missing.map(rule => `    | ${printable(rule)}\n`).join('')}`,
  )
  if (prompter === undefined || invocation.json) {
    stderr.write(
      `skills: Their tasks are left out. To allow it: ${missing.map(rule => `--allow ${JSON.stringify(printableLine(rule))}`).join(' ')}\n`,
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
