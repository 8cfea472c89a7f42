import { execFileSync, spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { onTestFinished } from 'vitest'
import { fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { installContext, type InstallContext, type InstallOptions } from '../src/context.js'
import type { AddressInfo } from 'node:net'
import type { Plan } from '../src/plan.js'

/** Makes a tree that is removed at the end of the test. */
export function temporary(entries: TreeEntries = {}): TempTree {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

export interface Machine extends InstallContext {
  readonly tree: TempTree
  /** Folder of the project. */
  readonly project: string
}

/** Makes a machine with an empty home folder and a project. */
export function machine(entries: TreeEntries = {}, options: Partial<InstallOptions> = {}): Machine {
  const tree = temporary({ 'home/.keep': '', 'project/.git/HEAD': 'ref: refs/heads/main\n', ...entries })
  return { ...onMachine(tree, options), tree, project: `${tree.path}/project` }
}

/** Makes the context of another user of the same project, or of the same one again. */
export function onMachine({ path }: TempTree, options: Partial<InstallOptions> = {}, home = 'home'): InstallContext {
  const uid = process.getuid?.()
  return installContext({
    host: fakeHost({
      cwd: `${path}/project`,
      home: `${path}/${home}`,
      env: { PATH: process.env['PATH'] ?? '' },
      platform: process.platform,
      ...(uid !== undefined && { uid }),
    }),
    signal: new AbortController().signal,
    ...options,
  })
}

export function agreed<P extends Plan>(plan: P | undefined): P {
  if (plan === undefined) throw new Error('There is no plan.')
  return plan
}

export function skill(name: string, body = 'Do it.', more = ''): string {
  return `---\nname: ${name}\ndescription: It does ${name}.\n${more}---\n${body}\n`
}

/** Runs git without any configuration of the machine that runs the test. */
export function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
      GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
      GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    },
  }).trim()
}

/** Makes a repository with one commit. */
export function repository(tree: TempTree, folder: string, entries: TreeEntries): string {
  tree.write(Object.fromEntries(Object.entries(entries).map(([path, entry]) => [`${folder}/${path}`, entry])))
  const path = `${tree.path}/${folder}`
  git(path, 'init', '--quiet', '--initial-branch=main')
  commitAll(path)
  return path
}

export function commitAll(path: string): string {
  git(path, 'add', '--all', '--force')
  git(path, 'commit', '--quiet', '--allow-empty', '--message=x')
  return git(path, 'rev-parse', 'HEAD')
}

/** Reason why tests with git do not run here; undefined if they do. */
export const withoutGit = ((): string | undefined => {
  try {
    return execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim() === ''
      ? 'git has no --exec-path'
      : undefined
  } catch {
    return 'git is not installed'
  }
})()

/** Serves the repositories below a folder like a git server, over http on the loopback address. Returns its URL. */
export async function gitServer(folder: string, authorization?: string): Promise<string> {
  const backend = `${execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim()}/git-http-backend`
  return serve((request, response) => {
    if (authorization !== undefined && request.headers.authorization !== authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const child = spawn(backend, [], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        PATH_INFO: path,
        QUERY_STRING: query,
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_ADDR: '127.0.0.1',
      },
    })
    request.pipe(child.stdin)
    let head: Buffer | undefined = Buffer.alloc(0)
    child.stdout.on('data', (piece: Buffer) => {
      if (head === undefined) return void response.write(piece)
      head = Buffer.concat([head, piece])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const lines = head.toString('latin1', 0, end).split('\r\n')
      for (const line of lines) {
        const [name = '', value = ''] = line.split(/: (.*)/)
        if (name === 'Status') response.statusCode = Number.parseInt(value)
        else response.setHeader(name, value)
      }
      response.write(head.subarray(end + 4))
      head = undefined
    })
    child.stdout.on('end', () => response.end())
  })
}

/** Starts a server on the loopback address, which stops at the end of the test. */
export async function serve(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
