import * as s from '@skills/core/schema'
import type { MaybePromise } from '@skills/core'
import type { OwnField } from '@skills/core/fields'
import type { McpTransport } from './transport.js'

/** Who named a server. A server of a project is used only if the project is trusted. */
export type McpServerOrigin = 'host' | 'managed' | 'user' | 'project'

interface McpServerBase {
  /** `false` leaves the server out. Default: on. */
  readonly enabled?: boolean | undefined
  /** Default `host`. */
  readonly from?: McpServerOrigin | undefined
}

/** Server that is started as a process, with messages over its standard streams. */
export interface McpProcessServer extends McpServerBase {
  readonly command: string
  readonly args?: readonly string[] | undefined
  /** Variables in addition to the few that every server gets, such as `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Absolute path of the working folder. Default: that of the host. */
  readonly cwd?: string | undefined
}

/** Server that is reached over streamable HTTP. */
export interface McpHttpServer extends McpServerBase {
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Server that is reached by a transport of the host. A new transport is made for each connection. */
export interface McpTransportServer extends McpServerBase {
  readonly transport: () => McpTransport
}

export type McpServer = McpProcessServer | McpHttpServer | McpTransportServer

export const mcpSourceOptions = s.options('mcpSource()', {
  /** Servers by name. The name is chosen by the host, not by the server. */
  servers: s.typed<Readonly<Record<string, McpServer>>>('an object').required(),
  /** `false`: connect to no server, even if some are named. */
  enabled: s.flag().default(true),
  /** Parts of `mcp__server__prompt` in which all characters but `A-Z a-z 0-9 _ -` are replaced. */
  normalise: s.oneOf('both', 'server').default('both'),
  /** Also list the skills of servers that have the skills extension. */
  skills: s.flag().default(true),
  /** List skills without digests, whose content cannot be checked. */
  dynamicSkills: s.flag().default(false),
  /**
   * Ask a person before a skill is read. A yes applies to the files that the server lists; changed ones are asked about
   * again. `false`: the host vouches for the content of its servers.
   */
  asks: s.flag().default(true),
  /** The host's own fields, read from skills in addition to the describing ones: see `defineField`. */
  fields: s.list(s.typed<OwnField>('an own field')).default([]),
  /**
   * Returns true if a server may be connected. Called before each listing and each new connection. If it returns false
   * or fails, the server is left out. Default: true for all but a project's servers.
   */
  allows: s
    .fn<(server: { readonly name: string; readonly from: McpServerOrigin }) => MaybePromise<boolean>>()
    .default(({ from }) => from !== 'project'),
  /** Name and version of the engine for servers. */
  client: s
    .typed<{ readonly name: string; readonly version: string }>('an object')
    .default({ name: 'skills', version: '0.0.0' }),
  /** Milliseconds that a load waits for servers. Later answers trigger a new load. */
  waitMs: s.number({ from: 0 }).default(200),
  /** Milliseconds for a connection, from the start of a process to the end of the handshake. */
  connectMs: s.number({ from: 1 }).default(10_000),
  /** Milliseconds for each request, and for each page of a list. */
  requestMs: s.number({ from: 1 }).default(30_000),
  /** Milliseconds between a lost connection and the next attempt, doubled after each failure. */
  retryMs: s.number({ from: 1 }).default(1000),
  /** Most milliseconds between two attempts. */
  retryMostMs: s.number({ from: 1 }).default(60_000),
  /** Attempts after which a server is given up, until its commands are listed again. */
  retries: s.number({ from: 0 }).default(10),
  /** Milliseconds in which several `list_changed` count as one. */
  changeMs: s.number({ from: 0 }).default(100),
  /** Milliseconds in which a process may end by itself, and again after SIGTERM. */
  closeMs: s.number({ from: 1 }).default(2000),
})

export interface McpSourceOptions extends s.OptionsOf<typeof mcpSourceOptions> {}

/** Options with their defaults. */
export type McpSettings = ReturnType<typeof mcpSourceOptions.read>
