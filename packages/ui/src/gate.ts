import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Why a request is refused, in a sentence for the person who sees it. */
export interface Refusal {
  readonly status: number
  readonly message: string
}

/**
 * Lets in one browser: the one that opens the address with the token, once. The token stands behind the `#`, which no
 * browser sends to a server. The page hands it in and gets a secret, which it sends as a header with every question. A
 * browser adds no such header by itself, as it does a cookie, whatever other page or server of this machine it shows.
 */
export class Gate {
  /** For the address that a person opens. */
  readonly token = secret()
  readonly #secret = secret()
  readonly #own: string
  #isUsed = false

  constructor(port: number) {
    // By the name "localhost" another user's server at ::1 may be reached.
    this.#own = `127.0.0.1:${port}`
  }

  /**
   * Refuses what no page of this server sends: another name, as a page could lead a browser here by a name of its own,
   * another origin, and requests of other sites. Looks at headers alone.
   */
  stranger({ headers }: IncomingMessage): Refusal | undefined {
    const { host, origin } = headers
    if (host !== this.#own)
      return {
        status: 403,
        message: `This server is not to be addressed by that host name: open http://${this.#own}/.`,
      }
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

  /** Gives the secret for the token, once. */
  enter({ headers }: IncomingMessage): { readonly secret: string } | Refusal {
    if (!isSame(givenBy(headers) ?? '', this.token))
      return {
        status: 401,
        message: 'This token is not that of this server: open the address that skills ui printed last.',
      }
    if (this.#isUsed)
      return {
        status: 401,
        message: 'This address was opened before, and works once. Go on where it is open, or start skills ui again.',
      }
    this.#isUsed = true
    return { secret: this.#secret }
  }
}

/** Whether another page led a browser here, or may have: browsers say when a person came by themselves. */
export const isLedHere = ({ 'sec-fetch-site': site }: IncomingMessage['headers']): boolean =>
  site !== 'same-origin' && site !== 'none'

const givenBy = ({ authorization }: IncomingMessage['headers']): string | undefined =>
  /^Bearer ([\w-]+)$/.exec(authorization ?? '')?.[1]

const secret = (): string => randomBytes(32).toString('base64url')

/** In a time that says nothing of where they differ. */
function isSame(given: string, own: string): boolean {
  const [a, b] = [given, own].map(text => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
