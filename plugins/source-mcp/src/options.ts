import * as s from '@skills/core/schema'
import type { MaybePromise } from '@skills/core'
import type { OwnField } from '@skills/core/fields'
import type { McpTransport } from './transport.js'

/** Who named a server. What a project names counts only once the project is trusted. */
export type McpServerOrigin = 'host' | 'managed' | 'user' | 'project'

interface McpServerBase {
  /** `false` leaves the server out. Default: on. */
  readonly enabled?: boolean | undefined
  /** Default `host`. */
  readonly from?: McpServerOrigin | undefined
}

/** A server that is started as a process and spoken to over its standard streams. */
export interface McpProcessServer extends McpServerBase {
  readonly command: string
  readonly args?: readonly string[] | undefined
  /** Added to the few variables that every server is given, such as `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Working folder, absolute. Default: that of the host. */
  readonly cwd?: string | undefined
}

/** A server that is reached over streamable HTTP. */
export interface McpHttpServer extends McpServerBase {
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A server behind a transport of the host's own, made anew for each connection. */
export interface McpTransportServer extends McpServerBase {
  readonly transport: () => McpTransport
}

export type McpServer = McpProcessServer | McpHttpServer | McpTransportServer

export const mcpSourceOptions = s.options('mcpSource()', {
  /** By name. The name is the host's, never what the server says of itself. */
  servers: s.typed<Readonly<Record<string, McpServer>>>('an object').required(),
  /** `false`: no server is spoken to, whichever are named. */
  enabled: s.flag().default(true),
  /** Which parts of `mcp__server__prompt` keep no other characters than `A-Z a-z 0-9 _ -`. */
  normalise: s.oneOf('both', 'server').default('both'),
  /** Whether servers with the skills extension are asked for their skills too. */
  skills: s.flag().default(true),
  /** Whether skills without digests, whose content cannot be checked, are listed. */
  dynamicSkills: s.flag().default(false),
  /**
   * Whether a person is asked before a skill is read: a yes is for the files that the server lists, and others ask
   * again. `false`: the host vouches for what its servers say.
   */
  asks: s.flag().default(true),
  /** Fields of the host, read from skills besides those that describe them: see `defineField`. */
  fields: s.list(s.typed<OwnField>('an own field')).default([]),
  /**
   * Whether a server may be spoken to at all; asked each time before it is listed, and before each new connection. A
   * refusal, and a failure, keeps it out. Default: every server but those that a project names.
   */
  allows: s
    .fn<(server: { readonly name: string; readonly from: McpServerOrigin }) => MaybePromise<boolean>>()
    .default(({ from }) => from !== 'project'),
  /** How the engine introduces itself to servers. */
  client: s
    .typed<{ readonly name: string; readonly version: string }>('an object')
    .default({ name: 'skills', version: '0.0.0' }),
  /** Milliseconds that a load waits for servers that have not answered; they come in later. */
  waitMs: s.number({ from: 0 }).default(200),
  /** Milliseconds for a connection, from the start of a process to the end of the handshake. */
  connectMs: s.number({ from: 1 }).default(10_000),
  /** Milliseconds for each request, and for each page of a list. */
  requestMs: s.number({ from: 1 }).default(30_000),
  /** Milliseconds from a lost connection to the next attempt; doubled after each failure. */
  retryMs: s.number({ from: 1 }).default(1000),
  /** Most milliseconds between two attempts. */
  retryMostMs: s.number({ from: 1 }).default(60_000),
  /** Attempts after which a server is given up, until its commands are listed again. */
  retries: s.number({ from: 0 }).default(10),
  /** Milliseconds in which several `list_changed` count as one. */
  changeMs: s.number({ from: 0 }).default(100),
  /** Milliseconds that a process is given to end by itself, and again after SIGTERM. */
  closeMs: s.number({ from: 1 }).default(2000),
})

export interface McpSourceOptions extends s.OptionsOf<typeof mcpSourceOptions> {}

/** The options with their defaults. */
export type McpSettings = ReturnType<typeof mcpSourceOptions.read>
