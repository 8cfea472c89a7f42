import { withDeadline, type Host } from '@skills/core'
import { maskSecrets, secretsOf } from '@skills/state/secrets'
import { clientLibrary, skillsLibrary, type ClientLibrary } from './client-library.js'
import { ProcessTransport } from './process-transport.js'
import { sameOriginFetch } from './same-origin-fetch.js'
import { checkedSkills } from './skill-entries.js'
import type { Client, RequestOptions, Transport } from '@modelcontextprotocol/client'
import type { SkillListing, SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import type { McpServer, McpSettings } from './options.js'

export interface ConnectionOptions {
  readonly server: McpServer
  readonly settings: McpSettings
  readonly host: Host
  /** True if the server ended when it was asked for its protocol version. Then the old handshake is used. */
  readonly isOld: boolean
  /** Called when the server reports that its list has changed. */
  readonly onChange: () => void
  /** Called with messages that are invalid, and with those that do not arrive. */
  readonly onProblem: (error: Error) => void
}

/** Connection to one server, after its handshake. */
export interface Connection {
  readonly client: Client
  /** Client of the skills extension. Undefined if the server lacks it, or if it is switched off. */
  readonly skills: SkillsClient | undefined
  /** Separates the entries of its list that are skills from invalid ones. */
  checkSkills(entries: readonly unknown[]): Promise<SkillListing>
  /** Settles when it is closed by either side. */
  readonly closed: Promise<void>
  readonly isOver: boolean
  close(): Promise<void>
}

/**
 * Timeout for the library. Time limits are measured here by the host's clock, and the library's must not come first.
 */
const noLimit = 2 ** 31 - 1
/** Most pages of one list, because the list of a server may be endless. */
export const mostPages = 10_000
/**
 * Milliseconds in which a process has to answer the question for its protocol version. A silent one is treated as old.
 */
const mostProbeMs = 2500

/** Returns the options of a request that only its signal ends. */
export function untimed(signal: AbortSignal): RequestOptions {
  return { signal, timeout: noLimit }
}

/** Connects to a server. On failure nothing stays open, and the error contains the standard error of the process. */
export async function openConnection(
  { server, settings, host, isOld, onChange, onProblem }: ConnectionOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const library = await clientLibrary()
  signal.throwIfAborted()
  const transport = transportOf(server, settings, host, library)
  const onChanged = { autoRefresh: false, debounceMs: 0, onChanged: onChange }
  const client = new library.Client(settings.client, {
    inputRequired: { autoFulfill: false },
    listChanged: { prompts: onChanged, ...(settings.skills && { resources: onChanged }) },
    versionNegotiation: isOld
      ? { mode: 'legacy' }
      : {
          mode: 'auto',
          probe: {
            timeoutMs: transport instanceof ProcessTransport ? Math.min(mostProbeMs, settings.connectMs / 2) : noLimit,
          },
        },
  })
  let isOpen = false
  let isOver = false
  const closed = new Promise<void>(resolve => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- The client is no event target.
    client.onclose = () => {
      isOver = true
      resolve()
    }
  })
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- The client is no event target.
  client.onerror = error => {
    if (isOpen) onProblem(error)
  }
  const close = async (): Promise<void> => {
    if (isOpen && transport instanceof library.StreamableHTTPClientTransport)
      await endSession(transport, settings, host)
    isOpen = false
    await client.close()
    // The client forgets a transport whose handshake failed.
    await transport.close()
  }
  try {
    // The library ignores the signal while it asks for the server's protocol version.
    await withDeadline(() => client.connect(transport, untimed(signal)), { signals: [signal] })
    isOpen = true
    const hasSkills =
      settings.skills && client.getServerCapabilities()?.extensions?.['io.modelcontextprotocol/skills'] !== undefined
    const skillsPart = hasSkills ? await skillsLibrary() : undefined
    // A caller that was aborted meanwhile would never close it.
    signal.throwIfAborted()
    return {
      client,
      closed,
      close,
      skills: skillsPart && new skillsPart.SkillsClient(client),
      checkSkills: async entries =>
        skillsPart === undefined || entries.length === 0
          ? { skills: [], invalid: [] }
          : checkedSkills(entries, library, skillsPart),
      get isOver() {
        return isOver
      },
    }
  } catch (error) {
    await close()
    const said = transport instanceof ProcessTransport ? transport.said : ''
    if (!(error instanceof Error)) throw error
    const text = said === '' ? error.message : `${error.message} (it wrote: ${said})`
    const shown = maskSecrets(text, givenTo(server))
    if (shown === error.message) throw error
    // Without its cause if that contains secrets.
    const cause = shown === text ? { cause: error } : undefined
    throw Object.assign(new Error(shown, cause), {
      code: codeOf(error),
      ...('status' in error && { status: error.status }),
    })
  }
}

/** Returns the secrets that a server receives. It may repeat them in an error. */
function givenTo(server: McpServer): readonly string[] {
  const headers = 'url' in server ? Object.values(server.headers ?? {}).map(value => value.replace(/^\w+ +/, '')) : []
  return [...headers, ...('env' in server ? secretsOf(server.env ?? {}) : [])]
}

/** True if an error comes from a closed connection, and not from a server that refused a request. */
export function isConnectionLost(error: unknown, connection?: Connection): boolean {
  if (connection?.isOver === true) return true
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED' || code === 'SEND_FAILED' || code === 'EPIPE')
    return true
  // A restarted server does not know the session any more.
  if ('status' in error && error.status === 404) return true
  return error instanceof TypeError && error.message === 'fetch failed'
}

/** True if a connection ended while the server was asked for its protocol version. */
export function isUnanswered(error: unknown): boolean {
  return isConnectionLost(error) || (error instanceof Error && codeOf(error) === 'ERA_NEGOTIATION_FAILED')
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined
}

function transportOf(server: McpServer, settings: McpSettings, host: Host, library: ClientLibrary): Transport {
  // A key may exist without a value, as in merged settings.
  if ('transport' in server && server.transport !== undefined) return server.transport()
  if ('command' in server && server.command !== undefined)
    return new ProcessTransport({ server, host, library, closeMs: settings.closeMs })
  if ('url' in server)
    return new library.StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: { ...server.headers } },
      fetch: sameOriginFetch,
    })
  throw new TypeError('it has no command, url or transport')
}

/** Tells the server that the session is over. Failures do not matter. */
async function endSession(
  transport: InstanceType<ClientLibrary['StreamableHTTPClientTransport']>,
  { closeMs }: McpSettings,
  { clock }: Host,
): Promise<void> {
  await withDeadline(() => transport.terminateSession(), {
    signals: [],
    limit: { ms: closeMs, clock, what: 'The end of the session' },
  }).catch(() => undefined)
}
