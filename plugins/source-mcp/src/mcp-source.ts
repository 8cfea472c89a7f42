import {
  defineProvider,
  loadResult,
  withDeadline,
  type Clock,
  type Diagnostic,
  type LoadResult,
  type Provider,
  type Source,
  type SourceCall,
} from '@skills/core'
import { placeOf, serverPart } from './names.js'
import { mcpSourceOptions, type McpServer, type McpSettings, type McpSourceOptions } from './options.js'
import type { ServerLink } from './server-link.js'

/** What of the options a server's name and shape let in, and what they do not. */
interface Accepted {
  readonly servers: readonly { readonly name: string; readonly part: string; readonly server: McpServer }[]
  readonly problems: readonly Diagnostic[]
}

/**
 * The prompts of MCP servers, and their skills where they have the skills extension, as commands
 * `mcp__<server>__<name>`. Always of the source `mcp`, so that nothing in them ever runs. A server that is down, slow
 * or lying costs its own commands alone: a load waits `waitMs` for it at most, and what it answers later makes the
 * source out of date. See docs/reference/mcp.md, "MCP servers".
 * @throws SkillsError `E_INVALID_OPTION` for a time or a number that is not accepted
 */
export function mcpSource(given: McpSourceOptions): Provider<'source'> {
  const configured = mcpSourceOptions.read(given)
  return defineProvider({
    kind: 'source',
    id: 'mcp',
    async setup(ctx): Promise<Source> {
      const settings = { ...configured, fields: [...(ctx.words?.fields ?? []), ...configured.fields] }
      const { servers, problems } = accepted(settings)
      if (!settings.enabled) return switchedOff({ servers, problems })
      if (servers.length === 0) return { source: 'mcp', list: () => loadResult({ errors: problems }) }
      const { ServerLink } = await import('./server-link.js')
      const links = servers.map(({ name, part, server }) => {
        const link: ServerLink = new ServerLink({
          name,
          part,
          server,
          settings,
          host: ctx.host,
          report: diagnostic => ctx.report(diagnostic),
          onNews: () => ctx.invalidate([link.place]),
        })
        return link
      })
      await ctx.effect('the connections to MCP servers', () => async () => {
        await Promise.all(links.map(link => link.close()))
      })
      const result = (): LoadResult => {
        const states = links.map(link => link.take())
        const found = states.flatMap(state => state.problems)
        return loadResult({
          commands: states.flatMap(({ commands }) => commands),
          errors: [...problems, ...found.filter(({ severity }) => severity === 'error')],
          warnings: found.filter(({ severity }) => severity === 'warning'),
          places: states.map(({ place }) => place),
        })
      }
      return {
        source: 'mcp',
        async list(call) {
          await askWithin(links, settings, ctx.host.clock, call)
          return result()
        },
        async refresh(paths, call) {
          const meant = links.filter(({ place }) => paths?.includes(place) ?? true)
          await askWithin(
            paths === undefined ? meant : meant.filter(({ isStale }) => isStale),
            settings,
            ctx.host.clock,
            call,
          )
          return meant.some(({ hasNews }) => hasNews) ? result() : undefined
        },
        explain(name) {
          const owner = servers.findIndex(({ part }) => name.startsWith(`mcp__${part}__`))
          const { note, state } = links[owner]?.state.place ?? {}
          const text = note ?? (state === 'unreadable' ? links[owner]?.state.problems[0]?.message : undefined)
          return text === undefined
            ? []
            : [{ text: `The MCP server "${servers[owner]?.name ?? ''}": ${text}`, path: links[owner]?.place }]
        },
      }
    },
  })
}

/** Gives nothing, and says why, so that the server is not taken for broken. */
function switchedOff({ servers, problems }: Accepted): Source {
  const note = 'No MCP server is spoken to unless the host switches them on.'
  return {
    source: 'mcp',
    list: () =>
      loadResult({
        errors: problems,
        places: servers.map(({ name }) => ({ path: placeOf(name), state: 'skipped', found: 0, note })),
      }),
    explain: asked =>
      servers
        .filter(({ part }) => asked.startsWith(`mcp__${part}__`))
        .map(({ name }) => ({ text: note, path: placeOf(name) })),
  }
}

/**
 * Waits until every server has answered, or the time of the load is over; then those that have not go on in the
 * background.
 */
async function askWithin(
  links: readonly ServerLink[],
  { waitMs }: McpSettings,
  clock: Clock,
  { signal }: SourceCall,
): Promise<void> {
  await withDeadline(
    async () => {
      let stop = (): void => {}
      const grace = new Promise<void>(resolve => {
        if (waitMs !== Infinity) stop = clock.after(waitMs, resolve)
      })
      try {
        await Promise.race([Promise.all(links.map(link => link.ask(signal))), grace])
      } finally {
        stop()
      }
      for (const link of links) link.goOn()
    },
    { signals: [signal] },
  )
}

function accepted({ servers }: McpSettings): Accepted {
  const good: Accepted['servers'][number][] = []
  const problems: Diagnostic[] = []
  const owners = new Map<string, string>()
  for (const [name, server] of Object.entries(servers)) {
    // What is no object at all is refused like any other that says nothing of itself.
    if (server?.enabled === false) continue
    const named = serverPart(name)
    const wrong =
      'problem' in named
        ? named.problem
        : (problemOf({ ...server }) ??
          (owners.has(named.part)
            ? `Its commands could not be told from those of the server "${owners.get(named.part)}".`
            : undefined))
    if ('part' in named && wrong === undefined) {
      owners.set(named.part, name)
      good.push({ name, part: named.part, server })
      continue
    }
    problems.push({
      severity: 'error',
      type: 'validation',
      code: 'mcp-server-refused',
      field: name,
      message: `The MCP server ${JSON.stringify(name)} is refused: ${wrong ?? ''}`,
      hint: 'Give it a name of letters, digits, hyphens and single underscores, and a command, a url or a transport.',
    })
  }
  return { servers: good, problems }
}

/** What is wrong with the shape of a server, which may come from an unchecked file. */
function problemOf(server: Partial<Record<'command' | 'url' | 'transport', unknown>>): string | undefined {
  const { command, url, transport } = server
  const count = [command, url, transport].filter(value => value !== undefined).length
  if (count !== 1)
    return count === 0 ? 'It has no command, url or transport.' : 'It has several of command, url and transport.'
  if (command !== undefined && (typeof command !== 'string' || command === '')) return 'Its command is no text.'
  if (transport !== undefined && typeof transport !== 'function') return 'Its transport is no function.'
  if (url !== undefined && !(URL.canParse(String(url)) && /^https?:$/.test(new URL(String(url)).protocol)))
    return 'Its url is no http address.'
  return undefined
}
