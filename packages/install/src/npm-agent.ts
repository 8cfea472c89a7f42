import { Agent } from '@npmcli/agent'
import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'

export interface NpmAgentOptions {
  /** What asks for itself, and where it may: each as it stands in the header. */
  readonly credentials: readonly Credential[]
  readonly proxy?: string | undefined
  readonly noProxy?: string | undefined
  /** Certificates of authorities, in place of the system's. */
  readonly ca?: string | undefined
  /** Milliseconds in which a connection has to bring at least a tenth as many bytes. */
  readonly idleMs: number
  /** Told once that it did not. */
  readonly onIdle: () => void
}

export interface Credential {
  /** As `https://registry.example:8443`. */
  readonly origin: string
  readonly header: string
}

/**
 * Connections to registries. The library that asks them follows redirects, and takes a header that says who asks along
 * to another port or protocol; here it goes to the origin that it belongs to and to no other.
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
