import * as s from '@skills/core/schema'
import { isAbsolute } from 'node:path'
import { defineProvider, type Diagnostic, type Host, type Provider } from '@skills/core'
import { StateFiles } from './state-files.js'
import { stateFolderOf } from './state-folder.js'
import { plain } from './user-folder.js'
import type { State } from './state.js'

const stateStoreOptions = s.options('stateStore()', {
  /** Folder in which everything is kept; made for the user alone when it is missing. Default: {@link stateFolderOf}. */
  dir: s.text('an absolute path', isAbsolute),
  /** Milliseconds that another process that writes at this moment is waited for. */
  lockMs: s.number().default(5_000),
})

const openStateOptions = s.options('openState()', {
  ...stateStoreOptions.shape,
  /** Told when a file could not be read and was set aside (`corrupt-state`). */
  report: s.fn<(diagnostic: Diagnostic) => void>().required(),
})

export interface StateStoreOptions extends s.OptionsOf<typeof stateStoreOptions> {}

export interface OpenStateOptions extends s.OptionsOf<typeof openStateOptions> {}

/**
 * What is remembered for the user of a host, without an engine: for programs that list or change it. Nothing is looked
 * at or made before something is asked. Throws `E_STATE` without a home folder, `E_INVALID_OPTION` for a `dir` that is
 * not absolute. See docs/reference/sessions.md, "State".
 */
export function openState(
  host: Pick<Host, 'env' | 'home' | 'platform' | 'uid' | 'clock'>,
  given: OpenStateOptions,
): State {
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

/**
 * Keeps what is remembered in the user's state folder, one file for each name: the provider `files` of the kind
 * `state`.
 */
export function stateStore(given?: StateStoreOptions): Provider<'state'> {
  const options = stateStoreOptions.read(given)
  return defineProvider({
    kind: 'state',
    id: 'files',
    setup: ({ host, report }) => openState(host, { ...options, report }),
  })
}
