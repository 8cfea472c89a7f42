import { messageOf } from '@skills/core'
import { exitCodes } from './io.js'
import { givenFolder } from './arguments/parse-arguments.js'
import { processIo } from './process-io.js'
import { run } from './run.js'

const controller = new AbortController()
/** What a process ends with that the signal ended; undefined before any came. */
let ending: number | undefined

function endBy(code: number): void {
  ending ??= code
  controller.abort()
}

/** Of a signal that others send. */
function endBySent(signal: NodeJS.Signals): void {
  endBy(signal === 'SIGTERM' ? 143 : 129)
}

/** From then on SIGTERM and SIGHUP end the process at once: every process it started has ended. */
function stopHearing(): void {
  process.off('SIGTERM', endBySent).off('SIGHUP', endBySent)
}

// Once: who presses again does not want to wait for an orderly end.
process.once('SIGINT', () => endBy(exitCodes.interrupted))
// These come more than once when a session ends, and what was started has to be ended all the same.
process.on('SIGTERM', endBySent).on('SIGHUP', endBySent)

// With nothing left to wait for, a command that has not ended never will: that must not look like success.
process.once('beforeExit', () => {
  if (process.exitCode === undefined) void import('./rest.js').then(rest => rest.unfinished())
})

async function main(): Promise<number> {
  const argv = process.argv.slice(2)
  return run(
    argv,
    processIo(controller.signal, stopHearing, () => givenFolder(argv)),
  )
}

// The exit code is set, the process never told to exit: what was written still leaves.
void main()
  .then(
    code => {
      process.exitCode = code === exitCodes.interrupted ? (ending ?? code) : code
    },
    async (error: unknown) => {
      process.exitCode = exitCodes.failed
      const { safeText } = await import('./output/print.js')
      process.stderr.write(`skills: ${safeText(messageOf(error))}\n`)
    },
    // From here a signal may end the process: the command is done.
  )
  .then(stopHearing)
