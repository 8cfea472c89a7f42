import { exitCodes } from './io.js'
import { processIo } from './process-io.js'
import { run } from './run.js'

const controller = new AbortController()
// Once: who presses again does not want to wait for an orderly end.
process.once('SIGINT', () => controller.abort())

async function main(): Promise<number> {
  return run(process.argv.slice(2), processIo(controller.signal))
}

// The exit code is set, the process never told to exit: what was written still leaves.
void main().then(
  code => {
    process.exitCode = code
  },
  error => {
    process.stderr.write(`skills: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = exitCodes.failed
  },
)
