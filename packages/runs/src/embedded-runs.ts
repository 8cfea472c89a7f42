import * as s from '@skills/core/schema'
import { hostname } from 'node:os'
import { isAbsolute } from 'node:path'
import { defineProvider, type Host, type Provider } from '@skills/core'
import { isRunning, parseHolder, thisHolder } from '@skills/state/internal'
import { stateFolderOf } from '@skills/state'
import { FileLogs } from './file-logs.js'
import { LoggedRuns } from './logged-runs.js'
import { openRunKeys } from './run-keys.js'
import type { RunHolder } from './run.js'
import type { Runs } from './runs.js'

const embeddedRunsOptions = s.options('openRuns()', {
  /** Folder in which runs are stored. Default: `runs` in {@link stateFolderOf}. */
  dir: s.text('an absolute path', isAbsolute),
  /** Milliseconds to wait while another process writes. */
  lockMs: s.number().default(5_000),
})

export interface EmbeddedRunsOptions extends s.OptionsOf<typeof embeddedRunsOptions> {}

/**
 * Opens the runs of a host's user without an engine, for programs that list runs or answer their questions. Nothing is
 * read or made before the first call. Throws `E_STATE` without a home folder, `E_INVALID_OPTION` for a relative `dir`.
 */
export function openRuns(
  host: Pick<Host, 'env' | 'home' | 'platform' | 'uid' | 'clock'>,
  given?: EmbeddedRunsOptions,
): Runs {
  const { dir, lockMs } = embeddedRunsOptions.read(given)
  const { clock } = host
  const folder = dir ?? `${stateFolderOf(host)}/runs`
  const owner = host.platform === 'win32' ? undefined : host.uid
  let holder: RunHolder | undefined
  return new LoggedRuns({
    logs: new FileLogs({ folder, owner, clock, lockMs }),
    // Who can write to the journals can read this key too. It detects damage, not forgery.
    keys: openRunKeys(host, { folder }),
    place: 'here',
    clock,
    holder: () => (holder ??= { name: `${hostname()} (${process.pid})`, process: thisHolder() }),
    isGone(other) {
      const running = parseHolder(JSON.stringify(other.process ?? null))
      // A run that this process gave up without an entry, as on a full disk, is free.
      if (running === undefined || running.token === parseHolder(JSON.stringify(holder?.process ?? null))?.token)
        return running !== undefined
      const isAtWork = isRunning(running)
      return isAtWork === undefined ? undefined : !isAtWork
    },
  })
}

/**
 * Makes the provider `embedded` of the kind `runs`. It stores runs in the user's state folder and executes each in the
 * process that submits it. `resumeRuns()` continues runs whose process has ended.
 */
export function embeddedRuns(given?: EmbeddedRunsOptions): Provider<'runs'> {
  const options = embeddedRunsOptions.read(given, 'embeddedRuns()')
  return defineProvider({ kind: 'runs', id: 'embedded', contract: 1, setup: ({ host }) => openRuns(host, options) })
}
