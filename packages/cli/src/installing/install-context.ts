import { installContext, largeLimits, readManifest } from '@skills/install'
import { installPlace, type InstallContext } from '@skills/install/internal'
import { hostOf } from '../engine/engine.js'
import { barText } from '../output/progress-bar.js'
import { ProgressLine } from '../output/progress.js'
import type { Invocation } from '../arguments/invocation.js'
import type { scope as scopeOption } from '../arguments/shared-options.js'
import type { Io } from '../io.js'

/** Options that only some of these commands have. */
export interface InstallOptions {
  readonly isQuiet?: boolean
  /** Agents besides those of the manifest. */
  readonly agents?: readonly string[]
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
  const host = hostOf(invocation, io)
  const scope = invocation.has('--user') ? 'user' : 'project'
  const agents = (): readonly string[] => [
    ...readManifest(installPlace(host, scope).manifest).agents,
    ...(options.agents ?? []),
  ]
  try {
    return await work(
      installContext({
        host,
        scope,
        signal: io.signal,
        compat: async (folder, signal) => {
          const names = [...new Set(agents())]
          if (names.length === 0) return []
          const { fieldFindings } = await import('../commands/compat/agents.js')
          return (await fieldFindings(folder, names, host, signal)).map(({ message }) => message)
        },
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
