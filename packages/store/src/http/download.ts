import * as s from '@skills/core/schema'
import { closeSync, constants } from 'node:fs'
import { basename, dirname } from 'node:path'
import { writeAll } from '@skills/state/internal'
import { Root } from '@skills/state/writer'
import { SkillsError } from '@skills/core'
import { maskSecrets as masked } from '@skills/state/secrets'
import { Requests } from './requests.js'

const downloadOptions = s.options('download()', {
  url: s.text().required(),
  /** Path of the file that is written, absolute. */
  to: s.text().required(),
  /** Largest file in bytes; a larger one throws `E_HTTP_LIMIT`. */
  maxBytes: s.number().required(),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
  /** Further origins that redirects may lead to. Default: none. */
  allowOrigins: s.list(s.text()).default([]),
  /** Milliseconds in which the whole file must arrive. Default: 30,000. */
  timeoutMs: s.number().default(30_000),
  /** Milliseconds in which at least a tenth as many bytes must arrive. Default: only `timeoutMs` applies. */
  idleMs: s.number(),
  /** Called with the number of bytes received, and the total if the server gives it. */
  onBytes: s.fn<(done: number, total: number | undefined) => void>(),
})

export interface DownloadOptions extends s.OptionsOf<typeof downloadOptions> {}

/**
 * Downloads a file by the rules of {@link HttpStore}: redirects stay on its origin, and a private address is contacted
 * only if the URL itself names one. Keeps no part of the file in memory.
 * @returns true if the file exists
 * @throws SkillsError
 */
export async function download(given: DownloadOptions): Promise<boolean> {
  const {
    url,
    to,
    maxBytes,
    allowOrigins,
    timeoutMs,
    idleMs,
    onBytes,
    signal = new AbortController().signal,
  } = downloadOptions.read(given)
  const site = new URL(url)
  const rules = { site, headers: {}, allowOrigins, privateAddresses: false, timeoutMs, idleMs, fetch: undefined }
  const requests = new Requests(rules)
  const file = new Root(dirname(to), { kind: 'temporary' }).open(
    basename(to),
    constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  )
  let done = 0
  try {
    const { status } = await requests.get(site, {
      most: maxBytes,
      signal,
      onPiece(piece, total) {
        writeAll(file, piece, to)
        done += piece.length
        onBytes?.(done, total)
      },
    })
    if (status === 404 || status === 410) return false
    if (status !== 200)
      throw new SkillsError('E_HTTP_FAILED', `${masked(url)} answers with the status ${status}.`, {
        hint: 'Open the URL in a browser, or try again later.',
      })
    if (done > maxBytes)
      throw new SkillsError('E_HTTP_LIMIT', `${masked(url)} has more than ${maxBytes} bytes.`, {
        hint: 'Allow more: "maxBytes".',
      })
    return true
  } finally {
    closeSync(file)
    requests.close()
  }
}
