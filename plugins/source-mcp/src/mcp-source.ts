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

/** Servers of the options with a valid name and form, and the problems of the others. */
interface Accepted {
  readonly servers: readonly { readonly name: string; readonly part: string; readonly server: McpServer }[]
  readonly problems: readonly Diagnostic[]
}

/**
 * Makes the source of the prompts of MCP servers, and of their skills if they have the skills extension, as commands
 * `mcp__<server>__<name>`. The source of these commands is always `mcp`, so that nothing in them is executed. A server
 * that is down, slow or faulty affects only its own commands: a load waits at most `waitMs` for it, and a later answer
 * triggers a new load. See docs/reference/mcp.md, "MCP servers".
 * @throws SkillsError `E_INVALID_OPTION` for an invalid time or number
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

/** Makes a source that lists nothing and states why, so that the servers do not look broken. */
function switchedOff({ servers, problems }: Accepted): Source {
  const note = 'MCP servers are not contacted unless the host switches them on.'
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
 * Waits until every server has answered, or until the time of the load is over. Then the remaining servers continue in
 * the background.
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
    // A value that is not an object is refused below, like an object without fields.
    if (server?.enabled === false) continue
    const named = serverPart(name)
    const wrong =
      'problem' in named
        ? named.problem
        : (problemOf({ ...server }) ??
          (owners.has(named.part)
            ? `Its commands would have the same prefix as those of the server "${owners.get(named.part)}".`
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
      hint: 'Give the server a name of letters, digits, hyphens and single underscores, and a command, a url or a transport.',
    })
  }
  return { servers: good, problems }
}

/** Returns the problem of a server's form. It may come from an unchecked file. */
function problemOf(server: Partial<Record<'command' | 'url' | 'transport', unknown>>): string | undefined {
  const { command, url, transport } = server
  const count = [command, url, transport].filter(value => value !== undefined).length
  if (count !== 1)
    return count === 0 ? 'It has no command, url or transport.' : 'It has more than one of command, url and transport.'
  if (command !== undefined && (typeof command !== 'string' || command === ''))
    return 'Its command is not text, or is empty.'
  if (transport !== undefined && typeof transport !== 'function') return 'Its transport is not a function.'
  if (url !== undefined && !(URL.canParse(String(url)) && /^https?:$/.test(new URL(String(url)).protocol)))
    return 'Its url is not an http or https address.'
  return undefined
}
