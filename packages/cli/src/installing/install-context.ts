import { installContext, largeLimits, readManifest } from '@skills/install'
import { installPlace, type InstallContext } from '@skills/install/internal'
import { hostOf } from '../engine/engine.js'
import { barText } from '../output/progress-bar.js'
import { ProgressLine } from '../output/progress.js'
import type { Invocation } from '../arguments/parse-arguments.js'
import type { Io } from '../io.js'

/** Does work where the options say; a bar on a terminal shows how far it is. */
export async function withInstall<T>(
  invocation: Invocation,
  io: Io,
  work: (context: InstallContext) => T | Promise<T>,
): Promise<T> {
  const { has, texts } = invocation
  const line = new ProgressLine(io.stderr)
  const isQuiet = !io.stderr.isTerminal || invocation.json || has('--quiet')
  const host = hostOf(invocation, io)
  const scope = has('--user') ? 'user' : 'project'
  const agents = (): readonly string[] => [
    ...readManifest(installPlace(host, scope).manifest).agents,
    ...texts('--agent'),
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
          const { fieldFindings } = await import('../commands/compat/run.js')
          return (await fieldFindings(folder, names, host, signal)).map(({ message }) => message)
        },
        ...(has('--allow-large') && { limits: largeLimits }),
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
