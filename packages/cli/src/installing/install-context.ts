import { installContext } from '@skills/install'
import { largeLimits } from '@skills/install/internal'
import type { InstallContext } from '@skills/install/internal'
import { hostOf } from '../engine/engine.js'
import { barText } from '../output/progress-bar.js'
import { ProgressLine } from '../output/progress.js'
import type { Invocation } from '../arguments/invocation.js'
import type { scope as scopeOption } from '../arguments/shared-options.js'
import type { Io } from '../io.js'

/** Options that only some of the commands for installing have. */
export interface InstallOptions {
  readonly isQuiet?: boolean
  /** True if a skill may exceed the usual size limits. */
  readonly isLarge?: boolean
}

/** Runs work in the place that the options name, and shows its progress on a terminal. */
export async function withInstall<T>(
  invocation: Invocation<keyof typeof scopeOption>,
  io: Io,
  work: (context: InstallContext) => T | Promise<T>,
  options: InstallOptions = {},
): Promise<T> {
  const line = new ProgressLine(io.stderr)
  const isQuiet = !io.stderr.isTerminal || invocation.json || options.isQuiet === true
  try {
    return await work(
      installContext({
        host: hostOf(invocation, io),
        scope: invocation.has('--user') ? 'user' : 'project',
        signal: io.signal,
        ...(options.isLarge === true && { limits: largeLimits }),
        ...(!isQuiet && {
          onProgress: progress =>
            progress === undefined ? line.erase() : line.show(barText(progress, io.stderr.columns)),
        }),
      }),
    )
  } finally {
    line.erase()
  }
}
