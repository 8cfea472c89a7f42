import { Agent } from '@npmcli/agent'
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

export interface NpmAgentOptions {
  /** Authorization headers with the origin that each may be sent to. */
  readonly credentials: readonly Credential[]
  readonly proxy?: string | undefined
  readonly noProxy?: string | undefined
  /** Certificates of authorities, instead of the system's. */
  readonly ca?: string | undefined
  /** Milliseconds in which a connection must receive at least a tenth as many bytes. */
  readonly idleMs: number
  /** Called once if it does not. */
  readonly onIdle: () => void
}

export interface Credential {
  /** Origin, such as `https://registry.example:8443`. */
  readonly origin: string
  readonly header: string
}

/**
 * Agent for connections to registries. npm's library follows redirects, and would take an authorization header along to
 * another port or protocol. This agent sends a header only to the origin it belongs to.
 */
class RegistryAgent extends Agent {
  readonly #own: NpmAgentOptions

  constructor(options: NpmAgentOptions) {
    const { proxy, noProxy, ca } = options
    super({
      ...(proxy !== undefined && { proxy }),
      ...(noProxy !== undefined && { noProxy }),
      ...(ca !== undefined && { ca }),
    })
    this.#own = options
  }

  override addRequest(request: ClientRequest, options: object): void {
    const given = request.getHeader('authorization')?.toString()
    const address = `${request.protocol}//${String(request.getHeader('host'))}`
    const origin = URL.canParse(address) ? new URL(address).origin : undefined
    const isOwn = this.#own.credentials.some(one => one.origin === origin && one.header === given)
    if (given !== undefined && !isOwn) request.removeHeader('authorization')
    super.addRequest(request, options)
  }

  override async connect(request: ClientRequest, options: object): Promise<Socket> {
    const { idleMs, onIdle } = this.#own
    const started: { socket?: Socket } = {}
    let before = 0
    const look = setInterval(() => {
      const now = started.socket?.bytesRead ?? 0
      if (now - before < idleMs / 10) {
        clearInterval(look)
        onIdle()
      }
      before = now
    }, idleMs)
    try {
      const socket = await super.connect(request, options)
      started.socket = socket
      socket.once('close', () => clearInterval(look))
      return socket
    } catch (error) {
      clearInterval(look)
      throw error
    }
  }
}

export function registryAgent(options: NpmAgentOptions): RegistryAgent {
  return new RegistryAgent(options)
}
