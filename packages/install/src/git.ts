import { mkdirSync } from 'node:fs'
import { abortError, systemClock, type Host } from '@skills/core'
import { runInGroup, type RunResult } from '@skills/process-group'
import { InstallError, redacted } from './error.js'
import type { GitSource } from './source.js'

type GitHost = Pick<Host, 'env' | 'home'>

/** Of the environment: what git needs to start, to reach a server through a proxy, and an agent of ssh. */
const inherited = /^(?:PATH|PATHEXT|SYSTEMROOT|SYSTEMDRIVE|TEMP|SSH_AUTH_SOCK|(?:https?|all|no)_proxy)$/i
/** Of the user's and the system's configuration: how a server is reached and who asks. Nothing else of it counts. */
const trusted =
  /^(?:credential\..+|core\.sshcommand|http\.(?:.+\.)?(?:proxy|proxyauthmethod|sslcainfo|sslcapath|sslcert|sslkey|extraheader))$/
const timeoutMs = 300_000
const commitId = /^(?:[\da-f]{40}|[\da-f]{64})$/
const fetched = 'refs/skills/fetched'

/** A commit of a repository that was fetched into a bare one: nothing is checked out. */
export interface FetchedCommit {
  readonly repository: string
  readonly commit: string
}

/**
 * Fetches one commit into a new bare repository.
 *
 * It is the program git and not a library in its place, because of the credentials: helpers, ssh and its agent, proxies
 * and certificates are git's own, and work as the person has set them up. git gets a closed environment: no
 * configuration but what {@link trusted} names, no template, no hook, no submodule, no filter (nothing is checked out)
 * and no protocol but http, https, ssh and files.
 * @param folder for the repository, absolute; it is made
 */
export async function fetchCommit(
  { url, ref }: GitSource,
  folder: string,
  host: GitHost,
  signal: AbortSignal,
): Promise<FetchedCommit> {
  const git = await openGit(host, signal)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  await done(git.run(['init', '--quiet', '--bare', '--template=', '--', folder]), url)
  const fetch = (depth: readonly string[], refs: readonly string[]): Promise<RunResult> =>
    git.run([
      `--git-dir=${folder}`,
      'fetch',
      '--quiet',
      ...depth,
      '--no-tags',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      '--',
      url,
      ...refs,
    ])
  const wanted = ref ?? 'HEAD'
  const first = await fetch(['--depth=1'], [`+${wanted}:${fetched}`])
  // Not every server gives a commit by its id: what leads to it is fetched instead.
  if (commitId.test(wanted) && !isDone(first)) {
    await done(fetch([], ['+refs/heads/*:refs/skills/heads/*', '+refs/tags/*:refs/skills/tags/*']), url)
    return { repository: folder, commit: await resolved(wanted) }
  }
  await done(first, url, ref)
  return { repository: folder, commit: await resolved(fetched) }

  async function resolved(name: string): Promise<string> {
    const found = await done(git.run([`--git-dir=${folder}`, 'rev-parse', '--verify', `${name}^{commit}`]), url, ref)
    return found.trim()
  }
}

/** The commit that a source leads to now; nothing is fetched. */
export async function remoteCommit({ url, ref }: GitSource, host: GitHost, signal: AbortSignal): Promise<string> {
  if (ref !== undefined && commitId.test(ref)) return ref
  const git = await openGit(host, signal)
  const lines = await done(git.run(['ls-remote', '--quiet', '--', url]), url, ref)
  const refs = new Map(lines.split('\n').map(line => line.split('\t', 2).toReversed() as [string, string | undefined]))
  const names = ref === undefined ? ['HEAD'] : [`refs/tags/${ref}^{}`, `refs/tags/${ref}`, `refs/heads/${ref}`, ref]
  const commit = names.map(name => refs.get(name)).find(id => id !== undefined)
  if (commit === undefined || !commitId.test(commit)) throw notThere(url, ref)
  return commit
}

interface Git {
  run(args: readonly string[]): Promise<RunResult>
}

/** git with the person's credentials and nothing else of their configuration. */
async function openGit(host: GitHost, signal: AbortSignal): Promise<Git> {
  const env = {
    ...Object.fromEntries(Object.entries(host.env).filter(([name]) => inherited.test(name))),
    HOME: host.home,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
  }
  const own = await call(['config', '--null', '--list'], {
    ...env,
    ...(host.env['XDG_CONFIG_HOME'] !== undefined && { XDG_CONFIG_HOME: host.env['XDG_CONFIG_HOME'] }),
    // Of no repository, also where the root of the disk is one.
    GIT_DIR: '/dev/null',
  })
  const pairs: (readonly [string, string])[] = [
    ['core.hooksPath', '/dev/null'],
    ['core.fsmonitor', 'false'],
    ['core.alternateRefsCommand', ''],
    ['core.askPass', ''],
    ['fetch.recurseSubmodules', 'false'],
    ['maintenance.auto', 'false'],
    ['gc.auto', '0'],
    ['protocol.allow', 'never'],
    ...['http', 'https', 'ssh', 'file'].map(name => [`protocol.${name}.allow`, 'always'] as const),
    // It asks for no password at the terminal: an agent of ssh, or a key without one.
    ['core.sshCommand', 'ssh -oBatchMode=yes'],
    ...own.stdout.split('\0').flatMap(line => {
      const [, key = '', value = ''] = /^([^\n]+)\n(.*)$/s.exec(line) ?? []
      return trusted.test(key) ? [[key, value] as const] : []
    }),
  ]
  const closed: Record<string, string | undefined> = {
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
  }
  // Not as arguments: those are seen by everyone on the machine, and a header may be a token.
  pairs.forEach(([key, value], at) => {
    closed[`GIT_CONFIG_KEY_${at}`] = key
    closed[`GIT_CONFIG_VALUE_${at}`] = value
  })
  return { run: args => call(args, closed) }

  function call(args: readonly string[], given: Readonly<Record<string, string | undefined>>): Promise<RunResult> {
    return runInGroup(
      { program: 'git', args: ['--no-pager', ...args], env: given },
      // Not in a folder of the project: where the search path has a `.`, a program there would be taken for git.
      {
        cwd: '/',
        clock: systemClock,
        signals: [signal],
        timeoutMs,
        maxOutputBytes: 64 * 1024 * 1024,
        graceMs: 500,
        keepsOfStderr: 2000,
      },
    )
  }
}

function isDone({ end }: RunResult): boolean {
  return end.by === 'exit' && end.code === 0
}

async function done(running: RunResult | Promise<RunResult>, url: string, ref?: string): Promise<string> {
  const result = await running
  const { end, stdout, stderr } = result
  if (end.by === 'abort') throw abortError(end.signal)
  if (isDone(result)) return stdout
  if (/couldn't find remote ref|unknown revision|not our ref|Needed a single revision/.test(stderr))
    throw notThere(url, ref)
  const why =
    end.by === 'start' ? `it cannot be started (${end.message})` : end.by === 'exit' ? lastLine(stderr) : end.by
  throw new InstallError(
    'E_INSTALL_FAILED',
    `git could not get ${redacted(url)}: ${redacted(why)}.`,
    'Try "git ls-remote" with the same address; a password or key has to be where git finds it by itself.',
  )
}

function lastLine(text: string): string {
  const lines = text.trim().split('\n')
  return (lines.find(line => line.startsWith('fatal:')) ?? lines.at(-1) ?? '')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/\.$/, '')
}

function notThere(url: string, ref: string | undefined): InstallError {
  return new InstallError(
    'E_INSTALL_NOT_FOUND',
    `${redacted(url)} has no ${ref === undefined ? 'commit yet' : JSON.stringify(ref)}.`,
    'Look at its branches and tags: git ls-remote.',
  )
}
