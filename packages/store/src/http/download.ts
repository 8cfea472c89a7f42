import { closeSync, constants, writeSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Root } from '@skills/state/writer'
import { checkOptions, SkillsError } from '@skills/core'
import { maskSecrets as masked } from '@skills/state/secrets'
import { Requests } from './requests.js'

export interface DownloadOptions {
  readonly url: string
  /** Path of the file that is written, absolute. */
  readonly to: string
  /** Bytes; a larger file is `E_HTTP_LIMIT`. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Further origins that redirects may lead to. Default none. */
  readonly allowOrigins?: readonly string[]
  /** Milliseconds until it must be there in full. Default 30,000. */
  readonly timeoutMs?: number
  /** Milliseconds in which at least a tenth as many bytes have to come. Default: only `timeoutMs` counts. */
  readonly idleMs?: number
  /** Told how many bytes are there, and of how many where the server says so. */
  readonly onBytes?: (done: number, total: number | undefined) => void
}

/**
 * One file at a URL, by the rules of {@link HttpStore}: redirects stay on its origin, and a private address is asked only
 * where the URL names one itself. None of it stays in memory.
 * @returns whether there is one
 * @throws SkillsError
 */
export async function download(options: DownloadOptions): Promise<boolean> {
  checkOptions<DownloadOptions>('download()', options, {
    url: 1,
    to: 1,
    maxBytes: 1,
    signal: 1,
    allowOrigins: 1,
    timeoutMs: 1,
    idleMs: 1,
    onBytes: 1,
  })
  const { url, to, maxBytes, signal, allowOrigins = [], timeoutMs = 30_000, idleMs, onBytes } = options
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
        done += writeSync(file, piece)
        onBytes?.(done, total)
      },
    })
    if (status === 404 || status === 410) return false
    if (status !== 200)
      throw new SkillsError('E_HTTP_FAILED', `${masked(url)} answers with the status ${status}.`, {
        hint: 'Try it in a browser, or again later.',
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
