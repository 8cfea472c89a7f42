import { SkillsError, type Diagnostic } from '@skills/core'
import { queuedRuns, startWorker } from '@skills/runs-queue'
import { Asking } from '../../questions/asking.js'
import { findingLines } from '../../output/findings.js'
import { withEngine, type MoreOptions } from '../../engine/engine.js'
import { exitCodes, type Io } from '../../io.js'
import { queueOf } from '../../runs/opened-queue.js'
import { styleOf } from '../../output/style.js'
import { UsageError } from '../../arguments/usage-error.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills worker --queue URL`. See docs/reference/runs.md, "At the command line". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const queue = queueOf(invocation, io)
  if (queue === undefined) throw new UsageError('A worker needs the URL of a queue: --queue URL, or SKILLS_QUEUE.')
  const [models, tenants] = [limitsOf(invocation, '--model-limit'), limitsOf(invocation, '--tenant-limit')]
  const [concurrency, lockMs, drainMs] = (['--concurrency', '--lock', '--drain'] as const).map(flag =>
    numberOf(flag, invocation.text(flag)),
  )
  const asking = new Asking(invocation, io)
  const more: MoreOptions = async (host, configured) => ({
    ...(await asking.options(host, configured)),
    plugins: [...(configured.plugins ?? []), queuedRuns(queue)],
  })
  const style = styleOf(io.stderr, io.env, invocation.isColorless)
  /** Prints the diagnostics from number `from` on, and returns their number. */
  const printNew = (reported: readonly Diagnostic[], from: number): number => {
    for (const one of reported.slice(from))
      for (const line of findingLines(one, io.cwd, style)) io.stderr.write(`skills: ${line}\n`)
    return reported.length
  }
  return withEngine(
    invocation,
    io,
    async ({ skills, distribution, reported }) => {
      const printed = printNew(reported, 0)
      if (skills.use('runner').ids.length === 0)
        throw new SkillsError(
          'E_MISSING_PROVIDER',
          'The distribution has no runner, so a worker cannot work on runs.',
          { hint: 'Name a distribution with a runner: skills worker --distribution ./agent.mjs' },
        )
      const { size } = await skills.catalog({ signal: io.signal })
      const started = await startWorker(skills, {
        concurrency,
        models,
        tenants,
        texts: invocation.has('--run-texts'),
        lockMs: lockMs && lockMs * 1000,
        drainMs: drainMs && drainMs * 1000,
        invoker: distribution.invoker,
        onError: ({ message }) => io.stderr.write(`skills: ${message}\n`),
      })
      // The queue says when it is opened whether its server keeps runs.
      printNew(reported, printed)
      io.stderr.write(
        `Works on runs with ${size} skills. Ctrl-C or SIGTERM lets runs end first; the second time it stops at once.\n`,
      )
      await new Promise<void>(resolve => {
        if (io.signal.aborted) resolve()
        io.signal.addEventListener('abort', () => resolve(), { once: true })
      })
      process.once('SIGTERM', () => process.exit(143))
      await started.close()
      return exitCodes.ok
    },
    more,
  )
}

function numberOf(flag: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (/^\d{1,6}$/.test(given) && (Number(given) > 0 || flag === '--drain')) return Number(given)
  throw new UsageError(`The option ${flag} needs a whole number above 0, such as 8, but was given "${given}".`)
}

function limitsOf(
  invocation: InvocationOf<typeof command>,
  flag: '--model-limit' | '--tenant-limit',
): Readonly<Record<string, number>> {
  const given = invocation.texts(flag).map(text => {
    const [, name = '', count] = /^(.+)=(.*)$/.exec(text) ?? []
    if (name === '')
      throw new UsageError(`The option ${flag} needs a name and a number, NAME=8, but was given "${text}".`)
    return [name, numberOf(flag, count) ?? 1] as const
  })
  return Object.fromEntries(given)
}
