import { checkOptions } from '@skills/core'
import { HttpError } from './errors.js'
import { Requests } from './requests.js'

export interface DownloadOptions {
  readonly url: string
  /** Bytes; a larger file is `E_HTTP_LIMIT`. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Further origins that redirects may lead to. Default none. */
  readonly allowOrigins?: readonly string[]
  /** Milliseconds until it must be there in full. Default 30,000. */
  readonly timeoutMs?: number
}

/**
 * One file at a URL, by the rules of {@link HttpStore}: redirects stay on its origin, and a private address is asked only
 * where the URL names one itself. Undefined where there is none.
 * @throws HttpError
 */
export async function download(options: DownloadOptions): Promise<Buffer | undefined> {
  checkOptions<DownloadOptions>('download()', options, {
    url: 1,
    maxBytes: 1,
    signal: 1,
    allowOrigins: 1,
    timeoutMs: 1,
  })
  const { url, maxBytes, signal, allowOrigins = [], timeoutMs = 30_000 } = options
  const site = new URL(url)
  const rules = { site, headers: {}, allowOrigins, privateAddresses: false, timeoutMs, fetch: undefined }
  const requests = new Requests(rules)
  try {
    const { status, bytes } = await requests.get(site, { most: maxBytes, signal })
    if (status === 404 || status === 410) return undefined
    if (status !== 200)
      throw new HttpError(
        'E_HTTP_FAILED',
        `${url} answers with the status ${status}.`,
        'Try it in a browser, or again later.',
      )
    if (bytes.length > maxBytes)
      throw new HttpError('E_HTTP_LIMIT', `${url} has more than ${maxBytes} bytes.`, 'Allow more: "maxBytes".')
    return bytes
  } finally {
    requests.close()
  }
}
