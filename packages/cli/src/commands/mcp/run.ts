import { serveHttp, serveStdio, SkillsServer } from '@skills/mcp-server'
import { doesMore } from '@skills/invocation/internal'
import { again, pair, quoted } from '../../engine/again.js'
import { Asking, trustHint, type Unanswered } from '../../questions/asking.js'
import { printableLine } from '../../output/printable.js'
import { findingLines } from '../../output/findings.js'
import { withEngine, type MoreOptions } from '../../engine/engine.js'
import { exitCodes, type Io } from '../../io.js'
import { styleOf } from '../../output/style.js'
import { interrupted, isLoopback, portOf } from '../../arguments/listening.js'
import { UsageError } from '../../arguments/usage-error.js'
import { version } from '../../version.js'
import type { Diagnostic, Skills } from '@skills/core'
import type { PermissionRequest } from '@skills/rules'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** A person at a terminal would otherwise wait for an answer without knowing for what. */
const atTerminal =
  'skills: Waiting for an MCP client on standard input, until Ctrl-C. A client starts this command itself: skills mcp --help.\n'

/** `skills mcp`. See docs/reference/mcp.md, "Serving at the command line". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const isReadOnly = invocation.has('--read-only')
  const ofHttp = (['--port', '--host', '--origin', '--no-token'] as const).find(flag => invocation.has(flag))
  if (ofHttp !== undefined && !invocation.has('--http'))
    throw new UsageError(`The option ${ofHttp} has no effect without --http.`)
  const asking = new Asking(invocation, io)
  const style = styleOf(io.stderr, io.env, invocation.isColorless)
  const onDiagnostic = (diagnostic: Diagnostic): void =>
    io.stderr.write(
      findingLines(diagnostic, io.cwd, style)
        .map(line => `skills: ${line}\n`)
        .join(''),
    )
  const isLocal = !invocation.has('--http') || isLoopback(invocation.text('--host'))
  const more: MoreOptions = async (host, configured) => ({
    ...(await asking.options(host, configured)),
    // A client on another machine cannot use paths of this one.
    ...(!isLocal && { host: { ...host, showsPaths: false } }),
    // Skills that come with this program are about its own commands.
    bundled: configured.bundled ?? false,
    // Files are edited at the client and unknown here, so no skill waits for one.
    activation: false,
    ...(isReadOnly && {
      shell: false,
      hooks: false,
      fork: false,
      state: (await import('./unsaved.js')).unsaved(configured.state),
    }),
  })
  const code = await withEngine(
    invocation,
    io,
    async ({ skills, distribution }) => {
      const server = await SkillsServer.open({
        skills,
        distribution,
        server: { name: 'skills', version },
        isReadOnly,
        allowHint: (request, decision) => allowHint({ request, decision }, skills, invocation, io),
        onDiagnostic,
      })
      try {
        if (invocation.has('--http')) await overHttp(server, invocation, io)
        else {
          if (process.stdin.isTTY) io.stderr.write(atTerminal)
          await serveStdio(server, { signal: io.signal })
        }
      } finally {
        await server.close()
      }
      return io.signal.aborted ? exitCodes.interrupted : exitCodes.ok
    },
    more,
  )
  // Output that the client has not read yet would keep the process alive, and only exiting closes the pipe.
  if (process.stdout.writableLength > 0) process.exit(code)
  return code
}

/** Serves over HTTP until the process receives a signal to end. */
async function overHttp(
  server: SkillsServer,
  invocation: InvocationOf<typeof command>,
  { env, stderr, signal }: Io,
): Promise<void> {
  const { SKILLS_MCP_TOKEN: given } = env
  const host = invocation.text('--host')
  const http = await serveHttp(server, {
    port: portOf(invocation.text('--port')),
    ...(host !== undefined && { host, hosts: [host] }),
    origins: invocation.texts('--origin'),
    ...(invocation.has('--no-token') ? { token: false } : given !== undefined && given !== '' && { token: given }),
  })
  stderr.write(`skills: Serving MCP clients at ${http.url}, until Ctrl-C.\n`)
  if (http.token === undefined)
    stderr.write(
      `skills: No token is needed: ${isLoopback(host) ? 'every program on this machine' : `everyone who can reach ${printableLine(host ?? '')}`} can call the server.\n`,
    )
  else if (http.token !== given) stderr.write(`skills: Clients send the header Authorization: Bearer ${http.token}\n`)
  await interrupted(signal)
  await http.close()
}

/** Returns a hint with what allows a request that was denied: a rule for the server, trust, or both. */
async function allowHint(
  { request, decision }: Unanswered,
  skills: Skills,
  invocation: InvocationOf<typeof command>,
  io: Io,
): Promise<string> {
  const { tool, content, entry } = request
  const { type, rule, source = '' } = decision.decisionReason
  if (type === 'trust') return trustHint(entry, invocation, io)
  if (type === 'unreadable') return `${decision.message}. Correct that file first.`
  if (type === 'rule')
    return `The rule ${rule ?? ''} of ${source} requires an answer, and --allow does not change that: narrow that rule, or use a client that can ask.`
  const start = `start the server as: ${againAs(invocation, io)} --allow ${quoted(`${tool}(${content})`)}`
  return (await needsAgreement(request, skills, io.signal))
    ? `The skill is new or has changed since its folder was trusted. ${trustHint(entry, invocation, io)}. Agree to it, then ${start}`
    : `To allow it, ${start}`
}

/** Returns the command line of this server, with its options. */
function againAs(invocation: InvocationOf<typeof command>, io: Io): string {
  const { has, text, texts } = invocation
  const flags = (['--read-only', '--http', '--no-token'] as const).filter(flag => has(flag))
  const values = (['--port', '--host'] as const).flatMap(flag => pair(flag, text(flag)))
  const lists = (['--origin', '--allow', '--deny'] as const).flatMap(flag =>
    texts(flag).flatMap(value => pair(flag, value)),
  )
  return [again('mcp', invocation, io), ...flags, ...values, ...lists].join(' ')
}

/** True if no rule counts for the request, because the person has not agreed to the skill as it is now. */
async function needsAgreement(
  { tool, entry: { command } }: PermissionRequest,
  skills: Skills,
  signal: AbortSignal,
): Promise<boolean> {
  if (command.type !== 'prompt') return false
  const verdict = await skills.use('trust').first((one, call) => one.judge(command, true, call), { signal })
  if (verdict?.level !== 'trusted' || verdict.isApproved || verdict.item === 'agreed') return false
  return tool !== 'Skill' || (await doesMore(skills.use('executor'), command, '', signal))
}
