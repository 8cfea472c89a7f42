/** Parts of npm's own agent that are used; the package has no types. */
declare module '@npmcli/agent' {
  import type { Agent as HttpAgent, ClientRequest } from 'node:http'
  import type { Socket } from 'node:net'

  export class Agent extends HttpAgent {
    constructor(options?: { readonly proxy?: string; readonly noProxy?: string; readonly ca?: string })
    addRequest(request: ClientRequest, options: object): void
    connect(request: ClientRequest, options: object): Promise<Socket>
  }
}
