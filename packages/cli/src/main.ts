import { exitCodes } from './io.js'
import { processIo } from './process-io.js'
import { run } from './run.js'

const controller = new AbortController()
/** What a process ends with that the signal ended; undefined before any came. */
let ending: number | undefined

function endBy(code: number): void {
  ending ??= code
  controller.abort()
}

// Once: who presses again does not want to wait for an orderly end.
process.once('SIGINT', () => endBy(exitCodes.interrupted))
// These come more than once when a session ends, and what was started has to be ended all the same.
process.on('SIGTERM', () => endBy(143))
process.on('SIGHUP', () => endBy(129))

async function main(): Promise<number> {
  return run(process.argv.slice(2), processIo(controller.signal))
}

// The exit code is set, the process never told to exit: what was written still leaves.
void main().then(
  code => {
    process.exitCode = code === exitCodes.interrupted ? ending ?? code : code
  },
  error => {
    process.stderr.write(`skills: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = exitCodes.failed
  },
)
