import { McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { Invoker } from '@skills/invocation'
import { enginePort } from '@skills/invocation/skill-tool'
import { watchSkills } from '@skills/files/source'
import { AskedCalls, type Round } from './asked-calls.js'
import { ClientSession } from './client-session.js'
import { Prompts } from './prompts.js'
import { SkillResources } from './skill-resources.js'
import { Tools } from './tools.js'
import { skillsServerOptions, type Settled, type SkillsServerOptions } from './options.js'

const instructions = [
  'Serves skills: instructions, each made for one kind of task.',
  'When one fits what is asked, call the tool for skills with its name before anything else is done.',
].join(' ')

/**
 * Serves the skills of one engine to any number of MCP clients. `serveStdio` and `serveHttp` connect them. See
 * docs/reference/mcp.md, "Serving skills".
 */
export class SkillsServer {
  readonly #calls: AskedCalls
  readonly #tools: Tools
  readonly #prompts: Prompts
  readonly #resources: SkillResources
  readonly #connected = new Set<McpServer>()
  readonly #listeners = new Set<() => void>()
  readonly #stops: (() => unknown)[] = []

  private constructor(
    readonly options: Settled,
    parts: { readonly calls: AskedCalls; tools: Tools; prompts: Prompts; resources: SkillResources },
  ) {
    this.#calls = parts.calls
    this.#tools = parts.tools
    this.#prompts = parts.prompts
    this.#resources = parts.resources
  }

  /** Opens a server. Throws `E_INVALID_OPTION`; rejects if the first load of the catalog fails. */
  static async open(given: SkillsServerOptions): Promise<SkillsServer> {
    const options = skillsServerOptions.read(given)
    const { skills, distribution, onDiagnostic } = options
    const invoker = new Invoker(skills, distribution.invoker)
    const port = enginePort(skills, { ...distribution.port, invoker })
    const calls = new AskedCalls(skills.host.clock, options, port.tells)
    const server = new SkillsServer(options, {
      calls,
      tools: await Tools.open(options, port, calls),
      prompts: new Prompts(options, calls, { invoker, port }),
      resources: new SkillResources(options, port),
    })
    server.#stops.push(skills.hook('skills:changed', () => server.#tellChanged()))
    if (options.watches) {
      const watch = await watchSkills(skills, { onDiagnostic, signal: skills.signal })
      server.#stops.push(() => watch.close())
    }
    return server
  }

  /**
   * Makes the session of a client. Close it with {@link SkillsServer.leave}.
   * @param owner for independent requests: person whose requests may continue each other's calls
   */
  client(owner?: string): ClientSession {
    return new ClientSession(this.options.skills, owner)
  }

  /** Ends the calls of a client and closes its session. */
  async leave(client: ClientSession): Promise<void> {
    this.#calls.end(client.owner)
    await client.close()
  }

  /** Calls `listener` after the skills change, for other ways to connect clients. Returns a function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Returns the protocol's side of one client, to be connected to a transport. */
  protocolServer(client: ClientSession): McpServer {
    const mcp = new McpServer(this.options.server, {
      instructions,
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true },
        completions: {},
      },
      inputRequired: { maxRounds: 64, roundTimeoutMs: this.options.answerMs },
      requestState: {
        verify: state => {
          if (!this.#calls.isOf(client.owner, state)) throw new Error('no call of this client waits for that answer')
        },
      },
    })
    this.#resources.extension.attach(mcp)
    const { server } = mcp
    const roundOf = (ctx: ServerContext): Omit<Round, 'about'> => ({ server, client, ctx })
    server.setRequestHandler('tools/list', (_, ctx) => this.#tools.list(ctx.mcpReq.signal))
    server.setRequestHandler('tools/call', ({ params }, ctx) =>
      this.#tools.call(params.name, params.arguments, roundOf(ctx)),
    )
    server.setRequestHandler('prompts/list', ({ params }, ctx) => this.#prompts.list(params?.cursor, ctx.mcpReq.signal))
    server.setRequestHandler('prompts/get', ({ params }, ctx) =>
      this.#prompts.get(params.name, params.arguments ?? {}, roundOf(ctx)),
    )
    server.setRequestHandler('completion/complete', ({ params: { ref, argument } }, ctx) =>
      ref.type === 'ref/prompt'
        ? this.#prompts.complete(ref.name, argument.name, argument.value, ctx.mcpReq.signal)
        : { completion: { values: [] } },
    )
    // In pages, because thousands of skills do not fit into one message.
    server.setRequestHandler('resources/list', ({ params }, ctx) =>
      this.#resources.resources(params?.cursor, ctx.mcpReq.signal),
    )
    Object.assign(server, { onclose: () => this.#connected.delete(mcp) })
    this.#connected.add(mcp)
    return mcp
  }

  /** Stops reporting changes. Connections are closed by the code that made them, the engine by its owner. */
  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) await stop()
  }

  #tellChanged(): void {
    for (const mcp of this.#connected) {
      if (!mcp.isConnected()) continue
      mcp.sendToolListChanged()
      mcp.sendPromptListChanged()
      mcp.sendResourceListChanged()
    }
    for (const listener of this.#listeners) listener()
  }
}
