import { installContext, largeLimits, type InstallContext } from '@skills/install'
import { hostOf } from './engine.js'
import { printableLine } from './printable.js'
import { ProgressLine } from './progress.js'
import type { Invocation } from './parse-arguments.js'
import type { Io } from './io.js'

/** Does work where the options say; what is waited for is shown on a terminal. */
export async function withInstall<T>(
  invocation: Invocation,
  io: Io,
  work: (context: InstallContext) => T | Promise<T>,
): Promise<T> {
  const { has } = invocation
  const line = io.stderr.isTerminal ? new ProgressLine(io.stderr) : undefined
  try {
    return await work(
      installContext({
        host: hostOf(invocation, io),
        scope: has('--user') ? 'user' : 'project',
        signal: io.signal,
        ...(has('--allow-large') && { limits: largeLimits }),
        ...(line !== undefined && { onProgress: text => line.show(`${printableLine(text)} …`) }),
      }),
    )
  } finally {
    line?.erase()
  }
}
