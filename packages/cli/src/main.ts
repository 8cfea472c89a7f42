import { messageOf } from '@skills/core'
import { exitCodes } from './io.js'
import { givenFolder } from './arguments/parse-arguments.js'
import { processIo } from './process-io.js'
import { run } from './run.js'

const controller = new AbortController()
/** Exit code for the signal that arrived; undefined before any. */
let ending: number | undefined
let isDone = false

function endBy(code: number): void {
  ending ??= code
  // A configuration can keep the process with a timer, after the command is done.
  if (isDone) endProcess()
  controller.abort()
}

function endProcess(): void {
  process.exitCode = ending
  // The callback is called once everything before is written.
  process.stdout.write('', () => process.exit())
}

/** Ends the run for a signal from another process. */
function endBySent(signal: NodeJS.Signals): void {
  endBy(signal === 'SIGTERM' ? 143 : 129)
}

/**
 * Lets SIGTERM and SIGHUP end the process at once from now on: all its child processes have ended. A signal that has
 * arrived and was not handled yet is lost.
 */
function stopHearing(): void {
  process.off('SIGTERM', endBySent).off('SIGHUP', endBySent)
}

// Only once: a second Ctrl-C ends the process immediately.
process.once('SIGINT', () => endBy(exitCodes.interrupted))
// These may come several times when a session ends, and child processes still have to be ended.
process.on('SIGTERM', endBySent).on('SIGHUP', endBySent)

// If nothing is left to wait for, a command that has not ended never will. That must not look like success.
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

// The exit code is set instead of calling process.exit(), so that pending output is still written.
void main()
  .then(
    code => {
      process.exitCode = code
      // A command that a signal ends in order, such as a worker, has done what it was asked for.
      if (code === exitCodes.ok && ending !== undefined) ending = code
    },
    async (error: unknown) => {
      process.exitCode = exitCodes.failed
      const { safeText } = await import('./output/print.js')
      process.stderr.write(`skills: ${safeText(messageOf(error))}\n`)
    },
  )
  .then(() => {
    isDone = true
    if (ending !== undefined) endProcess()
  })
