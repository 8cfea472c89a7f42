import * as s from '@skills/core/schema'
import { SkillsError, type MaybePromise } from '@skills/core'
import { localhostAllowedHostnames } from '@modelcontextprotocol/server'

const httpOptions = s.options('serveHttp()', {
  /** Address to listen at. */
  host: s.text().default('127.0.0.1'),
  port: s.number().default(0),
  path: s.text().default('/mcp'),
  /** Token that clients send as `Authorization: Bearer`. `false`: none. Default: random, returned as `token`. */
  token: s.either(s.oneOf(false), s.text()),
  /**
   * Returns the name of the person who sends a token, or undefined for an invalid one. Replaces `token`. A session
   * belongs to the person who began it.
   */
  personOf: s.fn<(token: string) => MaybePromise<string | undefined>>(),
  /** Host names, without ports, by which clients may address it, besides those of the loopback. */
  hosts: s.list(s.text()).default([]),
  /** Host names of the pages that may call it, besides those of the loopback. */
  origins: s.list(s.text()).default([]),
  /** Most bytes of one message. */
  maxBodyBytes: s.count().default(4 * 1024 * 1024),
  /** Milliseconds in which a request has to arrive completely. */
  requestMs: s.count().default(30_000),
  /** Most sessions at the same time. */
  maxSessions: s.count().default(1000),
  /** Milliseconds without a request after which a session ends. */
  sessionMs: s.count().default(1_800_000),
  /** Requests a second of each session, and of each person outside of sessions. Five times as many may come at once. */
  requestsPerSecond: s.count().default(100),
  /** Most concurrent requests of each session, and of each person outside of sessions. */
  maxOpen: s.count().default(100),
})

export interface HttpOptions extends s.OptionsOf<typeof httpOptions> {}

/** Returns the options with their defaults. Throws `E_INVALID_OPTION`. */
export function settledHttp(given: HttpOptions) {
  const options = httpOptions.read(given)
  const { host, hosts, origins, token } = options
  if (!loopback.includes(host) && hosts.length === 0)
    throw new SkillsError('E_INVALID_OPTION', `serveHttp() listens at ${host}, but no host name is allowed.`, {
      hint: 'List in "hosts" the host names that clients may use. All other host names are refused, because a web page could call this server by a host name of its own.',
    })
  if (token !== undefined && token !== false && token.length < 16)
    throw new SkillsError('E_INVALID_OPTION', 'The token of serveHttp() has fewer than 16 characters.', {
      hint: 'Give a longer token, or leave the option out to get a random token.',
    })
  return {
    ...options,
    hosts: [...localhostAllowedHostnames(), ...hosts],
    origins: [...localhostAllowedHostnames(), ...origins],
    /** Origins that the host named itself. */
    namedOrigins: origins,
  }
}

export type SettledHttp = ReturnType<typeof settledHttp>

const loopback = ['127.0.0.1', '::1', 'localhost']
