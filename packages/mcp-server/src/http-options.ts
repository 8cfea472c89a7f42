import { checkOptions, SkillsError, type MaybePromise } from '@skills/core'
import { localhostAllowedHostnames } from '@modelcontextprotocol/server'
import { wholeAbove0 } from './options.js'

export interface HttpOptions {
  /** The address to listen at. Default: `127.0.0.1`. Any but the loopback needs `hosts`. */
  readonly host?: string | undefined
  /** Default: one that is free. */
  readonly port?: number | undefined
  /** Default: `/mcp`. */
  readonly path?: string | undefined
  /** What clients have to send as `Authorization: Bearer`; `false`: nothing. Default: random, as `token` of the result. */
  readonly token?: string | false | undefined
  /**
   * Who sends a token, in place of `token`: a name of the person, undefined for a token that counts for no one. A
   * session belongs to the person who began it.
   */
  readonly personOf?: ((token: string) => MaybePromise<string | undefined>) | undefined
  /** Host names, without ports, that clients may address it by, besides those of the loopback. */
  readonly hosts?: readonly string[] | undefined
  /** Host names of the pages that may call it, besides those of the loopback. */
  readonly origins?: readonly string[] | undefined
  /** Bytes of one message. Default: 4 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** Milliseconds in which a request has to arrive whole. Default: 30,000. */
  readonly requestMs?: number | undefined
  /** Sessions at one time. Default: 1,000. */
  readonly maxSessions?: number | undefined
  /** Milliseconds after which a session ends that nothing was asked in. Default: 1,800,000. */
  readonly sessionMs?: number | undefined
  /** Requests a second of each session, and of each person outside of sessions; five times as many at once. Default: 100. */
  readonly requestsPerSecond?: number | undefined
  /** Requests of each session, and of each person outside of sessions, under way at one time. Default: 100. */
  readonly maxOpen?: number | undefined
}

/** Options with their defaults. Throws `E_INVALID_OPTION`. */
export function settledHttp(options: HttpOptions) {
  checkOptions<HttpOptions>('serveHttp()', options, {
    host: 1,
    port: 1,
    path: 1,
    token: 1,
    personOf: 1,
    hosts: 1,
    origins: 1,
    maxBodyBytes: 1,
    requestMs: 1,
    maxSessions: 1,
    sessionMs: 1,
    requestsPerSecond: 1,
    maxOpen: 1,
  })
  const { host = '127.0.0.1', hosts = [], origins = [], port = 0, path = '/mcp', token } = options
  if (!loopback.includes(host) && hosts.length === 0)
    throw new SkillsError('E_INVALID_OPTION', `serveHttp() is to listen at ${host}, and no name is given for it.`, {
      hint: 'Say with "hosts" by which names clients may address it: any other name is refused, as a page could lead a browser here by its own.',
    })
  if (token !== undefined && token !== false && token.length < 16)
    throw new SkillsError('E_INVALID_OPTION', 'The token of serveHttp() has fewer than 16 characters.', {
      hint: 'Leave it out for a random one.',
    })
  return {
    host,
    port,
    path,
    token,
    personOf: options.personOf,
    hosts: [...localhostAllowedHostnames(), ...hosts],
    origins: [...localhostAllowedHostnames(), ...origins],
    maxBodyBytes: wholeAbove0('maxBodyBytes', options.maxBodyBytes ?? 4 * 1024 * 1024),
    requestMs: wholeAbove0('requestMs', options.requestMs ?? 30_000),
    maxSessions: wholeAbove0('maxSessions', options.maxSessions ?? 1000),
    sessionMs: wholeAbove0('sessionMs', options.sessionMs ?? 1_800_000),
    requestsPerSecond: wholeAbove0('requestsPerSecond', options.requestsPerSecond ?? 100),
    maxOpen: wholeAbove0('maxOpen', options.maxOpen ?? 100),
  }
}

export type SettledHttp = ReturnType<typeof settledHttp>

const loopback = ['127.0.0.1', '::1', 'localhost']
