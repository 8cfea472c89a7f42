import { setMaxListeners } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { abortError, messageOf, SkillsError } from '@skills/core'
import { maskSecrets as masked } from '@skills/state/secrets'
import { namesPrivate, publicLookup, refused } from './addresses.js'

/** Parts of a platform's `fetch` that are used. */
export type Fetch = (
  url: string,
  init: {
    readonly headers: Readonly<Record<string, string>>
    readonly signal: AbortSignal
    readonly redirect: 'manual'
    readonly credentials: 'omit'
  },
) => Promise<{
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | null
}>

export interface RequestRules {
  /** URL of the site. */
  readonly site: URL
  /** Headers for the origin of the site alone. */
  readonly headers: Readonly<Record<string, string>>
  readonly allowOrigins: readonly string[]
  readonly privateAddresses: boolean
  readonly timeoutMs: number
  /** Milliseconds in which at least a tenth as many bytes must arrive. Undefined: only `timeoutMs` applies. */
  readonly idleMs?: number | undefined
  readonly fetch: Fetch | undefined
}

export interface Got {
  /** URL of the answer, after redirects. */
  readonly url: URL
  readonly status: number
  readonly etag: string | undefined
  /** Bytes of the answer; one byte above the limit shows that there are more. */
  readonly bytes: Buffer
}

interface Asking {
  readonly most: number
  readonly signal: AbortSignal
  readonly etag?: string | undefined
  /** Called with the number of bytes as they arrive, even of those that are not kept. */
  readonly onBytes?: ((count: number) => void) | undefined
  readonly onPiece?: ((piece: Uint8Array, total: number | undefined) => void) | undefined
}

const mostRedirects = 5

/** Gets files from a site, and from other origins only if these are allowed. Uses no cookies and no proxy. */
export class Requests {
  readonly #agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: 16 }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: 16 }),
  }

  constructor(private readonly rules: RequestRules) {}

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  isAllowed({ origin }: URL): boolean {
    return origin === this.rules.site.origin || this.rules.allowOrigins.includes(origin)
  }

  /**
   * Gets a file.
   * @param most limit in bytes for the answer; one more is read
   * @param etag entity tag of the known state: an answer with status 304 has no bytes
   * @param onPiece called with the bytes of an answer with status 200 as they arrive, and their total; none are then
   *   kept
   */
  async get(url: URL, { most, signal, etag, onPiece }: Asking): Promise<Got> {
    if (signal.aborted) throw abortError(signal)
    const { timeoutMs, idleMs } = this.rules
    const controller = new AbortController()
    const stop = (): void => controller.abort()
    const timer = setTimeout(stop, timeoutMs)
    let came = 0
    let isIdle = false
    const look = setInterval(
      () => {
        isIdle = idleMs !== undefined && came < idleMs / 10
        came = 0
        if (isIdle) stop()
      },
      idleMs ?? 2 ** 30,
    )
    const onBytes = (count: number): void => void (came += count)
    // Many files are requested with one signal, so there is no leak to warn of.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await this.#follow(url, { most, signal: controller.signal, etag, onBytes, onPiece })
    } catch (error) {
      if (signal.aborted) throw abortError(signal)
      if (SkillsError.is(error)) throw error
      const why = !controller.signal.aborted
        ? messageOf(error)
        : isIdle
          ? `the server sent almost nothing for ${idleMs ?? 0} ms`
          : `the answer was not complete after ${timeoutMs} ms`
      throw new SkillsError('E_HTTP_FAILED', `${masked(url.href)} cannot be read: ${why}.`, {
        hint: 'Open the URL in a browser, or try again later.',
        cause: error,
      })
    } finally {
      clearTimeout(timer)
      clearInterval(look)
      signal.removeEventListener('abort', stop)
    }
  }

  async #follow(first: URL, { most, signal, etag, onBytes, onPiece }: Asking): Promise<Got> {
    let url = first
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      this.#check(url, redirects > 0 ? first : undefined)
      const headers = {
        'accept-encoding': 'identity',
        ...(url.origin === this.rules.site.origin && this.rules.headers),
        ...(etag !== undefined && { 'if-none-match': etag }),
      }
      const answer = await this.#ask(url, headers, signal)
      const location = [301, 302, 303, 307, 308].includes(answer.status) ? answer.headers.get('location') : null
      const total = Number(answer.headers.get('content-length') ?? Number.NaN)
      const take =
        location === null && answer.status === 200 && onPiece !== undefined
          ? (piece: Uint8Array): void => onPiece(piece, Number.isNaN(total) ? undefined : total)
          : undefined
      const bytes = await read(answer.body, location === null ? most : 0, onBytes, take)
      if (location === null) return { url, status: answer.status, etag: answer.headers.get('etag') ?? undefined, bytes }
      if (!URL.canParse(location, url.href)) throw new Error(`it redirects to ${JSON.stringify(masked(location))}`)
      url = new URL(location, url)
    }
    throw new Error(`it redirects more than ${mostRedirects} times`)
  }

  /** @param from URL that redirects here, if any */
  #check(url: URL, from: URL | undefined): void {
    const { site, privateAddresses } = this.rules
    if (!this.isAllowed(url) || url.username !== '' || url.password !== '') {
      const what =
        from === undefined
          ? `The site refers to ${masked(url.href)},`
          : `${masked(from.href)} redirects to ${masked(url.href)},`
      throw new SkillsError('E_HTTP_ORIGIN', `${what} which is not on the origin ${site.origin}.`, {
        hint: 'If you trust that origin as much as the site, allow it with "allowOrigins".',
      })
    }
    if (!privateAddresses && namesPrivate(url) && url.hostname !== site.hostname) throw refused(url.hostname)
  }

  async #ask(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): ReturnType<Fetch> {
    const { fetch, privateAddresses } = this.rules
    if (fetch !== undefined) return fetch(url.href, { headers, signal, redirect: 'manual', credentials: 'omit' })
    // The system looks up names for this machine like any other.
    const lookup = privateAddresses || namesPrivate(url) ? {} : { lookup: publicLookup }
    return new Promise((resolve, reject) => {
      const options = { headers, signal, ...lookup }
      const answer = (found: IncomingMessage): void =>
        resolve({ status: found.statusCode ?? 0, headers: { get: name => single(found.headers[name]) }, body: found })
      const request =
        url.protocol === 'https:'
          ? httpsRequest(url, { ...options, agent: this.#agents.https }, answer)
          : httpRequest(url, { ...options, agent: this.#agents.http }, answer)
      request.on('error', reject).end()
    })
  }
}

function single(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}

async function read(
  body: AsyncIterable<Uint8Array> | null,
  most: number,
  onBytes?: (count: number) => void,
  take?: (piece: Uint8Array) => void,
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    if (take === undefined) pieces.push(piece)
    else take(piece)
    length += piece.length
    onBytes?.(piece.length)
    // Leaving the loop ends the answer, even if more follows.
    if (length > most) break
  }
  return Buffer.concat(pieces).subarray(0, most + 1)
}
