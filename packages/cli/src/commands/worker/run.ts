import { SkillsError } from '@skills/core'
import { queuedRuns, startWorker } from '@skills/runs-queue'
import { Asking } from '../../questions/asking.js'
import { withEngine, type MoreOptions } from '../../engine/engine.js'
import { exitCodes, type Io } from '../../io.js'
import { queueOf } from '../../runs/opened-queue.js'
import { UsageError } from '../../arguments/usage-error.js'
import { workerLog } from './log.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills worker --queue URL`. See docs/reference/runs.md, "At the command line". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const queue = queueOf(invocation, io)
  if (queue === undefined) throw new UsageError('A worker needs the URL of a queue: --queue URL, or SKILLS_QUEUE.')
  const [models, tenants] = [limitsOf(invocation, '--model-limit'), limitsOf(invocation, '--tenant-limit')]
  const [concurrency, lockMs, drainMs, healthPort] = (
    ['--concurrency', '--lock', '--drain', '--health-port'] as const
  ).map(flag => numberOf(flag, invocation.text(flag)))
  const asking = new Asking(invocation, io)
  const more: MoreOptions = async (host, configured) => ({
    ...(await asking.options(host, configured)),
    plugins: [...(configured.plugins ?? []), queuedRuns(queue)],
  })
  return withEngine(
    invocation,
    io,
    async ({ skills, distribution, reported }) => {
      const hasJson = invocation.has('--json')
      const log = workerLog({ hasJson, isColorless: invocation.isColorless }, io, skills.host.clock)
      const isLogged = reported.length
      for (const problem of reported) log({ type: 'problem', problem })
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
        health: { port: healthPort, file: invocation.text('--health-file') },
        onEvent: log,
        onError: error => log({ type: 'error', error }),
      })
      // The queue says when it is opened whether its server keeps runs.
      for (const problem of reported.slice(isLogged)) log({ type: 'problem', problem })
      log({ type: 'started', skills: size, health: started.healthUrl })
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
  const mayBe0 = flag === '--drain' || flag === '--health-port'
  const most = flag === '--health-port' ? 65_535 : 999_999
  if (/^\d{1,6}$/.test(given) && (Number(given) > 0 || mayBe0) && Number(given) <= most) return Number(given)
  if (flag === '--health-port')
    throw new UsageError(`The option ${flag} needs a port from 0 to 65535, but was given "${given}".`)
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
