import * as s from '@skills/core/schema'
import { isAbsolute } from 'node:path'
import { defineProvider, type Diagnostic, type Host, type Provider } from '@skills/core'
import { StateFiles } from './state-files.js'
import { stateFolderOf } from './state-folder.js'
import { plain } from './user-folder.js'
import type { OpenedState } from './state.js'

const stateStoreOptions = s.options('stateStore()', {
  /**
   * Folder for the state files; made with access for the user alone if it is missing. Default: {@link stateFolderOf}.
   */
  dir: s.text('an absolute path', isAbsolute),
  /** Milliseconds to wait for another process that is writing. */
  lockMs: s.number().default(5_000),
})

const openStateOptions = s.options('openState()', {
  ...stateStoreOptions.shape,
  /** Called if a file cannot be read and was set aside (`corrupt-state`). */
  report: s.fn<(diagnostic: Diagnostic) => void>().required(),
})

export interface StateStoreOptions extends s.OptionsOf<typeof stateStoreOptions> {}

export interface OpenStateOptions extends s.OptionsOf<typeof openStateOptions> {}

/**
 * Opens the state of a host's user without an engine, for programs that list or change it. Touches no file until a
 * value is read or updated. Throws `E_STATE` if there is no home folder, and `E_INVALID_OPTION` for a `dir` that is not
 * absolute. See docs/reference/sessions.md, "State".
 */
export function openState(
  host: Pick<Host, 'env' | 'home' | 'platform' | 'uid' | 'clock'>,
  given: OpenStateOptions,
): OpenedState {
  const { dir, lockMs, report } = openStateOptions.read(given)
  const folder = dir === undefined ? stateFolderOf(host) : plain(dir, host.platform) || '/'
  return new StateFiles({
    folder,
    owner: host.platform === 'win32' ? undefined : host.uid,
    clock: host.clock,
    lockMs,
    report,
  })
}

/** Keeps state in the user's state folder, in one file for each name: the provider `files` of the kind `state`. */
export function stateStore(given?: StateStoreOptions): Provider<'state'> {
  const options = stateStoreOptions.read(given)
  return defineProvider({
    kind: 'state',
    id: 'files',
    setup: ({ host, report }) => openState(host, { ...options, report }),
  })
}
