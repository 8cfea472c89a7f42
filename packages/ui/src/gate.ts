import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Why a request is refused, in a sentence for the person who sees it. */
export interface Refusal {
  readonly status: number
  readonly message: string
}

/**
 * Lets in one browser: the one that opened the address with the token, once. It gets a cookie in its place, which no
 * script reads and no other site sends. Any name but the loopback's is refused, as a page could lead a browser here by
 * a name of its own; so is every request that another origin makes.
 */
export class Gate {
  /** For the address that a person opens. */
  readonly token = secret()
  readonly #session = secret()
  readonly #port: number
  #isUsed = false

  constructor(port: number) {
    this.#port = port
  }

  /** The header that gives a browser its cookie, where it came with the token; else undefined, or why not. */
  admit(request: IncomingMessage, url: URL): string | Refusal | undefined {
    const refusal = this.#strange(request)
    if (refusal !== undefined) return refusal
    if (this.#hasCookie(request)) return undefined
    const given = url.searchParams.get('token')
    if (given === null || url.pathname !== '/' || request.method !== 'GET')
      return { status: 401, message: 'Open the address that skills ui printed: it holds a token that lets you in.' }
    if (!isSame(given, this.token)) return { status: 401, message: 'This token is not that of this server.' }
    if (this.#isUsed)
      return { status: 401, message: 'This address was opened before, and works once. Start skills ui again.' }
    this.#isUsed = true
    // Browsers keep cookies by host and not by port: servers side by side have a cookie each.
    return `${this.#cookie}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`
  }

  get #cookie(): string {
    return `skills-ui-${this.#port}`
  }

  #hasCookie({ headers }: IncomingMessage): boolean {
    return (headers.cookie ?? '').split(/; */).some(pair => {
      const at = pair.indexOf('=')
      return pair.slice(0, at) === this.#cookie && isSame(pair.slice(at + 1), this.#session)
    })
  }

  #strange({ headers }: IncomingMessage): Refusal | undefined {
    const own = [`127.0.0.1:${this.#port}`, `localhost:${this.#port}`]
    const { host = '', origin } = headers
    if (!own.includes(host)) return { status: 403, message: 'This server is not to be addressed by that host name.' }
    if (origin !== undefined && origin !== `http://${host}`)
      return { status: 403, message: 'Pages of that origin may not call this server.' }
    // A link that a person follows is none of a page's requests: it may come from anywhere, and needs the token.
    const { 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode } = headers
    return site === 'same-origin' || site === 'none' || mode === 'navigate'
      ? undefined
      : { status: 403, message: 'Other sites may not call this server.' }
  }
}

const secret = (): string => randomBytes(32).toString('base64url')

/** In a time that says nothing of where they differ. */
function isSame(given: string, own: string): boolean {
  const [a, b] = [given, own].map(text => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
