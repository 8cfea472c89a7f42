import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { IncomingMessage } from 'node:http'
import type { MaybePromise } from '@skills/core'
import type { SettledHttp } from './http-options.js'

/** An answer that ends a request before it is looked at. */
export interface Refusal {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Says who sends a request, or why it is refused: by its Host, its Origin and its token, before its body is read. */
export class HttpGate {
  /** What clients have to send; undefined where there is no single token. */
  readonly token: string | undefined
  readonly #personOf: (token: string | undefined) => MaybePromise<string | undefined>
  readonly #options: SettledHttp

  constructor(options: SettledHttp) {
    this.#options = options
    const { personOf, token } = options
    if (personOf !== undefined) this.#personOf = given => (given === undefined ? undefined : personOf(given))
    else if (token === false) this.#personOf = () => 'anyone'
    else {
      const own = token ?? randomBytes(32).toString('base64url')
      this.token = own
      this.#personOf = given => (given !== undefined && isSame(given, own) ? 'owner' : undefined)
    }
  }

  async personOf({ headers, headersDistinct }: IncomingMessage): Promise<string | Refusal> {
    const { hosts, origins } = this.#options
    // The library lets an empty one pass, and Node two of them, of which the second could be another name.
    const [host = '', ...more] = headersDistinct['host'] ?? []
    if (host === '' || more.length > 0 || !validateHostHeader(host, [...hosts]).ok)
      return { status: 403, message: 'This server is not to be addressed by that host name.' }
    const origin = validateOriginHeader(headers.origin, [...origins])
    if (!origin.ok) return { status: 403, message: 'Pages of that origin may not call this server.' }
    // A token in the address would stand in logs and histories: it is not looked for there.
    const token = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
    const person = await this.#personOf(token)
    return (
      person ?? {
        status: 401,
        message: 'This server needs its token, as "Authorization: Bearer …".',
        headers: { 'www-authenticate': token === undefined ? 'Bearer' : 'Bearer error="invalid_token"' },
      }
    )
  }
}

/** In a time that says nothing of where they differ. */
function isSame(given: string, own: string): boolean {
  const [a, b] = [given, own].map(text => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
