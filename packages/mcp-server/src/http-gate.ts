import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { IncomingMessage } from 'node:http'
import type { MaybePromise } from '@skills/core'
import type { SettledHttp } from './http-options.js'

/** Answer that refuses a request before it is processed. */
export interface Refusal {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Identifies the sender of a request, or refuses it, by its Host, Origin and token, before its body is read. */
export class HttpGate {
  /** Token that clients have to send. Undefined if there is no single token. */
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

  /** Refuses a request by its Host and Origin. */
  refusesSender({ headers, headersDistinct }: IncomingMessage): Refusal | undefined {
    const { hosts, origins } = this.#options
    // The library accepts an empty header, and Node accepts two, of which the second could be another name.
    const [host = '', ...more] = headersDistinct['host'] ?? []
    if (host === '' || more.length > 0 || !validateHostHeader(host, [...hosts]).ok)
      return { status: 403, message: 'This server does not accept that host name.' }
    const origin = validateOriginHeader(headers.origin, [...origins])
    return origin.ok ? undefined : { status: 403, message: 'Pages of that origin may not call this server.' }
  }

  /**
   * Returns the headers that let a page of a named origin read the answers. Pages of the loopback get none: any program
   * of this machine may serve one.
   */
  corsHeaders({ headers: { origin } }: IncomingMessage): Readonly<Record<string, string>> {
    const { namedOrigins } = this.#options
    if (origin === undefined || !validateOriginHeader(origin, [...namedOrigins]).ok) return {}
    return {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers':
        'authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name',
      'access-control-expose-headers': 'mcp-session-id, retry-after, www-authenticate',
      'access-control-max-age': '600',
      vary: 'Origin',
    }
  }

  /** Identifies the sender of a request whose Host and Origin are accepted, or refuses it by its token. */
  async personOf({ headers }: IncomingMessage): Promise<string | Refusal> {
    // A token in the address would appear in logs and histories, so it is not accepted there.
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

/** Compares two texts in a time that does not depend on where they differ. */
function isSame(given: string, own: string): boolean {
  const [a, b] = [given, own].map(text => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
