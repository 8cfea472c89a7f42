import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Refusal of a request, with a sentence for the person who sees it. */
export interface Refusal {
  readonly status: number
  readonly message: string
}

/**
 * Lets in one browser: the first that opens the address with the token. The token is in the part after the `#`, which
 * no browser sends to a server. The page sends the token once and receives a secret, which it adds to every request as
 * a header. Unlike a cookie, a browser never adds such a header by itself, so that other pages and servers of this
 * machine cannot use the secret.
 */
export class Gate {
  /** Token for the address that a person opens. */
  readonly token = secret()
  readonly #secret = secret()
  readonly #own: string
  #isUsed = false

  constructor(port: number) {
    // The name "localhost" may lead to another user's server at ::1.
    this.#own = `127.0.0.1:${port}`
  }

  /**
   * Refuses requests that no page of this server sends, by their headers: to another host name, to which a page could
   * have led the browser, from another origin, or from other sites.
   */
  stranger({ headers }: IncomingMessage): Refusal | undefined {
    const { host, origin } = headers
    if (host !== this.#own)
      return { status: 403, message: `This server does not accept that host name: open http://${this.#own}/.` }
    if (origin !== undefined && origin !== `http://${this.#own}`)
      return { status: 403, message: 'Pages of that origin may not call this server.' }
    return headers['sec-fetch-site'] === undefined || !isLedHere(headers) || headers['sec-fetch-mode'] === 'navigate'
      ? undefined
      : { status: 403, message: 'Other sites may not call this server.' }
  }

  /** Refuses a question without the secret. */
  closed({ headers }: IncomingMessage): Refusal | undefined {
    const given = givenBy(headers)
    if (given === undefined)
      return { status: 401, message: 'Open the address that skills ui printed: it holds a token that lets you in.' }
    return isSame(given, this.#secret)
      ? undefined
      : { status: 401, message: 'skills ui was started again: open the address that it printed last.' }
  }

  /** Returns the secret for the token, once. */
  enter({ headers }: IncomingMessage): { readonly secret: string } | Refusal {
    if (!isSame(givenBy(headers) ?? '', this.token))
      return {
        status: 401,
        message: 'This token belongs to another server: open the address that skills ui printed last.',
      }
    if (this.#isUsed)
      return {
        status: 401,
        message:
          'This address works only once and was already opened. Use the page that is open, or start skills ui again.',
      }
    this.#isUsed = true
    return { secret: this.#secret }
  }
}

/**
 * True if another page may have led the browser here. A browser says in a header if the person opened the address
 * without another page.
 */
export const isLedHere = ({ 'sec-fetch-site': site }: IncomingMessage['headers']): boolean =>
  site !== 'same-origin' && site !== 'none'

const givenBy = ({ authorization }: IncomingMessage['headers']): string | undefined =>
  /^Bearer ([\w-]+)$/.exec(authorization ?? '')?.[1]

const secret = (): string => randomBytes(32).toString('base64url')

/** Compares two texts in a time that does not depend on where they differ. */
function isSame(given: string, own: string): boolean {
  const [a, b] = [given, own].map(text => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
