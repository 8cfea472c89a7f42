import * as s from '@skills/core/schema'
import { SkillsError, type MaybePromise } from '@skills/core'
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
  /** `false`: no server is spoken to, whichever are named. Default: on. */
  enabled: s.flag(),
  /** Which parts of `mcp__server__prompt` keep no other characters than `A-Z a-z 0-9 _ -`. Default `both`. */
  normalise: s.oneOf('both', 'server'),
  /** Whether servers with the skills extension are asked for their skills too. Default true. */
  skills: s.flag(),
  /** Whether skills without digests, whose content cannot be checked, are listed. Default false. */
  dynamicSkills: s.flag(),
  /**
   * Whether a person is asked before a skill is read: a yes is for the files that the server lists, and others ask
   * again. `false`: the host vouches for what its servers say. Default true.
   */
  asks: s.flag(),
  /** Fields of the host, read from skills besides those that describe them: see `defineField`. Default: none. */
  fields: s.list(s.typed<OwnField>('an own field')),
  /**
   * Whether a server may be spoken to at all; asked each time before it is listed, and before each new connection. A
   * refusal, and a failure, keeps it out. Default: every server but those that a project names.
   */
  allows: s.fn<(server: { readonly name: string; readonly from: McpServerOrigin }) => MaybePromise<boolean>>(),
  /** How the engine introduces itself to servers. */
  client: s.typed<{ readonly name: string; readonly version: string }>('an object'),
  /** Milliseconds that a load waits for servers that have not answered; they come in later. Default 200. */
  waitMs: s.number(),
  /** Milliseconds for a connection, from the start of a process to the end of the handshake. Default 10,000. */
  connectMs: s.number(),
  /** Milliseconds for each request, and for each page of a list. Default 30,000. */
  requestMs: s.number(),
  /** Milliseconds from a lost connection to the next attempt; doubled after each failure. Default 1,000. */
  retryMs: s.number(),
  /** Most milliseconds between two attempts. Default 60,000. */
  retryMostMs: s.number(),
  /** Attempts after which a server is given up, until its commands are listed again. Default 10. */
  retries: s.number(),
  /** Milliseconds in which several `list_changed` count as one. Default 100. */
  changeMs: s.number(),
  /** Milliseconds that a process is given to end by itself, and again after SIGTERM. Default 2,000. */
  closeMs: s.number(),
})

export interface McpSourceOptions extends s.OptionsOf<typeof mcpSourceOptions> {}

type Resolved<K extends keyof McpSourceOptions> = { readonly [P in K]-?: Exclude<McpSourceOptions[P], undefined> }

/** The options with their defaults. */
export type McpSettings = Resolved<keyof McpSourceOptions>

const leastOf = {
  waitMs: 0,
  connectMs: 1,
  requestMs: 1,
  retryMs: 1,
  retryMostMs: 1,
  retries: 0,
  changeMs: 0,
  closeMs: 0,
} as const

/** @throws SkillsError `E_INVALID_OPTION` for a limit that is no number, or one too small. */
export function settingsOf(options: McpSourceOptions): McpSettings {
  const settings = {
    enabled: true,
    normalise: 'both',
    skills: true,
    dynamicSkills: false,
    asks: true,
    fields: [],
    client: { name: 'skills', version: '0.0.0' },
    allows: ({ from }: { readonly from: McpServerOrigin }) => from !== 'project',
    waitMs: 200,
    connectMs: 10_000,
    requestMs: 30_000,
    retryMs: 1000,
    retryMostMs: 60_000,
    retries: 10,
    changeMs: 100,
    closeMs: 2000,
    ...withoutUndefined(options),
  } satisfies McpSettings
  for (const [name, least] of Object.entries(leastOf)) {
    const value: unknown = settings[name as keyof typeof leastOf]
    if (typeof value === 'number' && value >= least) continue
    throw new SkillsError('E_INVALID_OPTION', `The option ${name} of mcpSource() is ${String(value)}.`, {
      hint: `It is a number of at least ${least}.`,
    })
  }
  return settings
}

/** What is left undefined on purpose must not stand in place of a default. */
function withoutUndefined(options: McpSourceOptions): Resolved<'servers'> & Partial<McpSettings> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Resolved<'servers'> &
    Partial<McpSettings>
}
