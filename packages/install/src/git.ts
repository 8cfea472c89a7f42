import { abortError, systemClock, SkillsError } from '@skills/core'
import { runInGroup, type RunResult } from '@skills/process-group'
import { Root } from '@skills/state/writer'
import { masked } from './error.js'
import type { GitSource } from './source.js'
import { idleLimitMs, type Opening } from './open-options.js'

type GitOptions = Pick<Opening, 'host' | 'signal' | 'onProgress' | 'idleMs'>

/**
 * Environment variables that git needs to start and to reach a server through a proxy, and those with which a person
 * configures ssh.
 */
const inherited =
  /^(?:PATH|PATHEXT|SYSTEMROOT|SYSTEMDRIVE|TEMP|SSH_AUTH_SOCK|GIT_SSH|GIT_SSH_COMMAND|GIT_SSH_VARIANT|(?:https?|all|no)_proxy)$/i
/**
 * Settings of the user's and the system's configuration that are used: how a server is reached, by which address, and
 * with which credentials. All others are ignored, also the one for redirects, which could take a header along.
 */
const trusted =
  /^(?:credential\..+|url\..+\.insteadof|core\.sshcommand|ssh\.variant|http\.(?:.+\.)?(?:proxy|proxyauthmethod|sslcainfo|sslcapath|sslcert|sslkey|extraheader))$/
const timeoutMs = 300_000
const commitId = /^(?:[\da-f]{40}|[\da-f]{64})$/
const fetched = 'refs/skills/fetched'

/**
 * Fetches one commit into a new bare repository, without a checkout, and returns its id.
 *
 * Uses the program git and not a library because of credentials: git's helpers, ssh and its agent, proxies and
 * certificates work as the person has set them up. git gets a closed environment: no configuration but what
 * {@link trusted} names, no template, no hook, no submodule, no filter (nothing is checked out) and no protocol but
 * http, https, ssh and files.
 * @param folder folder for the repository, absolute; it is made
 */
export async function fetchCommit({ url, ref }: GitSource, folder: string, options: GitOptions): Promise<string> {
  const { onProgress } = options
  const what = `Fetching ${masked(url)}`
  onProgress?.({ what })
  const git = await openGit(options)
  new Root(folder, { kind: 'temporary' }).makeFolder('')
  await done(git(['init', '--quiet', '--bare', '--template=', '--', folder]), url, git)
  const onStderr = (chunk: Buffer): void => {
    const [, count, total] = /.*\((\d+)\/(\d+)\)/s.exec(chunk.toString('latin1')) ?? []
    if (count !== undefined) onProgress?.({ what, done: Number(count), total: Number(total), unit: 'objects' })
  }
  const fetch = (depth: readonly string[], refs: readonly string[]): Promise<RunResult> =>
    git(
      [
        `--git-dir=${folder}`,
        'fetch',
        // Each line of progress shows that git is still receiving.
        '--progress',
        ...depth,
        '--no-tags',
        '--no-recurse-submodules',
        '--no-write-fetch-head',
        '--no-auto-maintenance',
        '--',
        url,
        ...refs,
      ],
      onStderr,
    )
  const resolved = async (name: string): Promise<string> =>
    (await done(git([`--git-dir=${folder}`, 'rev-parse', '--verify', `${name}^{commit}`]), url, git, ref)).trim()
  const wanted = ref ?? 'HEAD'
  const first = await fetch(['--depth=1'], [`+${wanted}:${fetched}`])
  if (!commitId.test(wanted) || isDone(first)) {
    await done(first, url, git, ref)
    return resolved(fetched)
  }
  // Not every server gives a commit by its id, so all branches and tags are fetched instead.
  await done(fetch([], ['+refs/heads/*:refs/skills/heads/*', '+refs/tags/*:refs/skills/tags/*']), url, git)
  return resolved(wanted)
}

/** Returns the id of the commit that a source leads to now, without fetching the commit. */
export async function remoteCommit({ url, ref }: GitSource, options: GitOptions): Promise<string> {
  if (ref !== undefined && commitId.test(ref)) return ref
  const refs = await remoteRefs(url, options)
  const names = ref === undefined ? ['HEAD'] : [`refs/tags/${ref}^{}`, `refs/tags/${ref}`, `refs/heads/${ref}`, ref]
  const commit = names.map(name => refs.get(name)).find(id => id !== undefined)
  if (commit === undefined || !commitId.test(commit)) throw notThere(url, ref)
  return commit
}

/** Returns the ids that the refs of a remote have now, by their full names. */
export async function remoteRefs(url: string, options: GitOptions): Promise<ReadonlyMap<string, string | undefined>> {
  const git = await openGit(options)
  const lines = await done(git(['ls-remote', '--quiet', '--', url]), url, git)
  return new Map(lines.split('\n').map(line => line.split('\t', 2).toReversed() as [string, string | undefined]))
}

/** @param more environment variables for this call alone */
type Git = (
  args: readonly string[],
  onStderr?: (chunk: Buffer) => void,
  more?: Readonly<Record<string, string>>,
) => Promise<RunResult>

/** Prepares git with the person's credentials and nothing else of their configuration. */
async function openGit({ host, signal, idleMs = idleLimitMs }: GitOptions): Promise<Git> {
  const env = {
    ...Object.fromEntries(Object.entries(host.env).filter(([name]) => inherited.test(name))),
    HOME: host.home,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
  }
  const calling =
    (given: Readonly<Record<string, string | undefined>>): Git =>
    async (args, onStderr, more = {}) => {
      const idle = new AbortController()
      const stop = (): void => idle.abort()
      let timer = setTimeout(stop, idleMs)
      const getsOn = (): void => {
        clearTimeout(timer)
        timer = setTimeout(stop, idleMs)
      }
      const pieces: Buffer[] = []
      try {
        const result = await runInGroup(
          { program: 'git', args: ['--no-pager', ...args], env: { ...given, ...more } },
          {
            // Does not run in a folder of the project: if the search path contains `.`, a program there could pass for
            // git.
            cwd: '/',
            clock: systemClock,
            signals: [signal, idle.signal],
            timeoutMs,
            maxOutputBytes: 64 * 1024 * 1024,
            graceMs: 500,
            keepsOfStderr: 2000,
            onStdout(piece) {
              getsOn()
              pieces.push(piece)
            },
            onStderr(piece) {
              getsOn()
              onStderr?.(piece)
            },
          },
        )
        const { end } = result
        const isIdle = end.by === 'abort' && end.signal === idle.signal
        return {
          ...result,
          stdout: Buffer.concat(pieces).toString(),
          ...(isIdle && {
            end: { by: 'timeout' as const },
            stderr: `fatal: the server sent nothing for ${idleMs / 1000} seconds`,
          }),
        }
      } finally {
        clearTimeout(timer)
      }
    }
  const own = await calling({
    ...env,
    ...(host.env['XDG_CONFIG_HOME'] !== undefined && { XDG_CONFIG_HOME: host.env['XDG_CONFIG_HOME'] }),
    // No repository, even if the root of the disk is one.
    GIT_DIR: '/dev/null',
  })(['config', '--null', '--list'])
  const pairs: (readonly [string, string])[] = [
    ['core.hooksPath', '/dev/null'],
    ['core.fsmonitor', 'false'],
    ['core.alternateRefsCommand', ''],
    ['core.askPass', ''],
    ['fetch.recurseSubmodules', 'false'],
    ['maintenance.auto', 'false'],
    ['gc.auto', '0'],
    ['protocol.allow', 'never'],
    // A server's answer cannot lead to another address: no redirect, no bundle, no pack from elsewhere. Without
    // redirects, alternates of a server without git's own protocol are also left out.
    ['http.followRedirects', 'false'],
    ['transfer.bundleURI', 'false'],
    ['fetch.uriProtocols', ''],
    ['submodule.recurse', 'false'],
    ['http.lowSpeedLimit', '100'],
    ['http.lowSpeedTime', String(Math.ceil(idleMs / 1000))],
    ...['http', 'https', 'ssh', 'file'].map(name => [`protocol.${name}.allow`, 'always'] as const),
    // ssh asks for no password at the terminal, so it needs an agent or a key without one. git prefers this setting to
    // GIT_SSH.
    ...(host.env['GIT_SSH'] === undefined ? [['core.sshCommand', 'ssh -oBatchMode=yes'] as const] : []),
    ...own.stdout.split('\0').flatMap(line => {
      const [, key = '', value = ''] = /^([^\n]+)\n(.*)$/s.exec(line) ?? []
      return trusted.test(key) ? [[key, value] as const] : []
    }),
  ]
  // Not passed as arguments, because every user of the machine sees those, and a header may be a token.
  const configured = pairs.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return calling({
    ...env,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_ALLOW_PROTOCOL: 'http:https:ssh:file',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_CONFIG_COUNT: String(pairs.length),
    ...Object.fromEntries(configured),
  })
}

function isDone({ end }: RunResult): boolean {
  return end.by === 'exit' && end.code === 0
}

async function done(running: RunResult | Promise<RunResult>, url: string, git: Git, ref?: string): Promise<string> {
  const result = await running
  const { end, stdout, stderr } = result
  if (end.by === 'abort') throw abortError(end.signal)
  if (isDone(result)) return stdout
  if (/couldn't find remote ref|unknown revision|not our ref|Needed a single revision/.test(stderr))
    throw notThere(url, ref)
  if (/returned error: 30[12378]\b/.test(stderr)) throw await redirected(url, git)
  const why =
    end.by === 'start'
      ? `it cannot be started (${end.message})`
      : end.by === 'exit' || end.by === 'timeout'
        ? reasonIn(stderr) || 'it took too long'
        : end.by
  throw new SkillsError('E_INSTALL_FAILED', `git could not fetch ${masked(url)}: ${masked(why)}.`, {
    hint: isUnreachable(why)
      ? 'Check the address and the network, then try again.'
      : 'Try "git ls-remote" with the same address; git has to find the password or key without asking.',
  })
}

/** True for a reason of git, which is started in English, that says that no server was reached. */
function isUnreachable(why: string): boolean {
  return /could not resolve host|failed to connect|couldn't connect|connection (?:refused|timed out)|network is unreachable|name or service not known|took too long/i.test(
    why,
  )
}

/** Returns the error for a redirect, which is not followed because credentials would go along. */
async function redirected(url: string, git: Git): Promise<SkillsError> {
  let said = ''
  const onStderr = (chunk: Buffer): void => {
    if (said.length < 100_000) said += chunk.toString('latin1')
  }
  await git(['ls-remote', '--quiet', '--', url], onStderr, { GIT_TRACE_CURL: '1', GIT_TRACE_CURL_NO_DATA: '1' })
  const [, location = ''] = /^.*<= Recv header: location: *(\S+)/im.exec(said) ?? []
  const target = URL.canParse(location, url) ? new URL(location, url).href.replace(/\/info\/refs(?:\?.*)?$/, '') : ''
  const [where, hint] = /^https?:/.test(target)
    ? [masked(target).replace(/\p{Cc}/gu, ''), `If you trust that address, run: skills add git+${masked(target)}`]
    : ['an address that git does not use', 'Ask the administrator of the server for the address of the repository.']
  return new SkillsError(
    'E_INSTALL_REDIRECT',
    `${masked(url)} redirects to ${where}, and redirects are not followed.`,
    { hint },
  )
}

/** Returns git's reason for a failure; for ssh, the reason that ssh gives. */
function reasonIn(stderr: string): string {
  const lines = stderr.trim().split(/[\n\r]+/)
  const at = lines.findIndex(line => line.startsWith('fatal:'))
  const line = lines[at]?.includes('Could not read from remote') === true ? (lines[at - 1] ?? lines[at]) : lines.at(at)
  return (line ?? '').replace(/\p{Cc}/gu, ' ').replace(/\.$/, '')
}

function notThere(url: string, ref: string | undefined): SkillsError {
  return new SkillsError(
    'E_INSTALL_NOT_FOUND',
    `${masked(url)} has no ${ref === undefined ? 'commit yet' : JSON.stringify(ref)}.`,
    { hint: 'List the branches and tags of the repository: git ls-remote.' },
  )
}
