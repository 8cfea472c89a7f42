import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf } from '@skills/core'
import { watchSkills } from '@skills/files/source'
import { openRuns } from '@skills/runs'
import { writeNamed } from '@skills/state/writer'
import { makeReport, serveUi } from '@skills/ui'
import { EngineAnswers, type UiServer } from '@skills/ui/internal'
import { asAgentsHave, folderOf, hostOf, withEngine } from '../../engine/engine.js'
import { exitCodes, type Io } from '../../io.js'
import { printableLine } from '../../output/printable.js'
import { version } from '../../version.js'
import { interrupted, portOf } from '../../arguments/listening.js'
import { UsageError } from '../../arguments/usage-error.js'
import type { Engine } from '../../engine/engine-parts.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** Milliseconds between two checks of the runs, which other processes write. */
const runsEveryMs = 2000

/** `skills ui`. See docs/reference/ui.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const port = portOf(invocation.text('--port'))
  const given = invocation.text('--export')
  if (given !== undefined && port !== undefined)
    throw new UsageError('The option --port has no effect with --export: a report is a file, and is not served.')
  const dir = folderOf('--dir', invocation.text('--dir'), io)
  const host = hostOf(invocation, io)
  return withEngine(
    invocation,
    io,
    async engine => {
      const runs = openRuns(host, { dir })
      const report = invocation.text('--report')
      const answers = new EngineAnswers(engine, { runs, version, report, signal: io.signal })
      try {
        if (given === undefined) return await serve(answers, engine, port, io)
        const html = await makeReport(answers, { now: host.clock.now(), builtDir: builtBeside(), signal: io.signal })
        const path = resolve(io.cwd, given)
        writeNamed(path, html, io.cwd)
        io.stderr.write(`skills: Written to ${printableLine(path)}: open it in a browser.\n`)
        return exitCodes.ok
      } finally {
        await answers.close()
      }
    },
    asAgentsHave,
  )
}

async function serve(
  answers: EngineAnswers,
  { skills }: Engine,
  port: number | undefined,
  { stderr, signal }: Io,
): Promise<number> {
  const say = (message: string): void => stderr.write(`skills: ${printableLine(message)}\n`)
  let server: UiServer | undefined
  const stop = skills.hook('sources:loaded', () => {
    server?.changed('skills')
  })
  const watching = await watchSkills(skills, { signal, onDiagnostic: ({ message }) => say(message) })
  const look = async (): Promise<void> => {
    // Without an open page, the runs are not asked for.
    if (server?.isWatched === true && (await answers.haveRunsChanged())) server.changed('runs')
  }
  const looking = setInterval(() => void look().catch(error => say(messageOf(error))), runsEveryMs)
  try {
    server = await serveUi(answers, { port, builtDir: builtBeside(), onProblem: say })
    stderr.write(`skills: Open ${server.url}\n`)
    stderr.write('skills: The address lets in one browser, once. Served until Ctrl-C.\n')
    await interrupted(signal)
    return exitCodes.interrupted
  } finally {
    clearInterval(looking)
    stop()
    await server?.close()
    await watching.close()
  }
}

/**
 * Returns the folder of the built page. The published program has the page beside it; in the repository it is in the
 * package that builds it.
 */
const builtBeside = (): string | undefined => (existsSync(resolve(__dirname, 'page')) ? __dirname : undefined)
