import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { userInfo } from 'node:os'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { agreed, machine, repository, skill, withoutGit, type Machine } from '../test/places.js'
import { applyPlan, outdated, planAdd } from './index.js'
import { readLock } from './lock.js'

const program = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find(path => existsSync(path))
const why = withoutGit ?? (program === undefined ? 'sshd is not installed' : undefined)

/** Returns a port of the loopback address that is free at this moment. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

interface Ssh {
  /** `ssh://…` up to the folder of the test. */
  readonly url: string
  /** Value for `GIT_SSH_COMMAND`, with the test's key and known hosts. */
  readonly command: string
}

/** Starts a real sshd with its own key, which accepts only the user who runs the test and one key. */
async function sshServer({ tree }: Machine): Promise<Ssh> {
  const folder = `${tree.path}/ssh`
  mkdirSync(folder, { mode: 0o700 })
  // If sshd drops its privileges, it needs an empty folder that belongs to root.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  for (const name of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', `${folder}/${name}`])
  const port = await freePort()
  const publicKey = (name: string): string => readFileSync(`${folder}/${name}.pub`, 'utf8')
  writeFileSync(`${folder}/authorized`, publicKey('user'), { mode: 0o600 })
  writeFileSync(`${folder}/known`, `[127.0.0.1]:${port} ${publicKey('host')}`)
  const options = {
    ListenAddress: '127.0.0.1',
    Port: String(port),
    HostKey: `${folder}/host`,
    AuthorizedKeysFile: `${folder}/authorized`,
    PidFile: 'none',
    UsePAM: 'no',
    StrictModes: 'no',
    PermitRootLogin: 'prohibit-password',
    PasswordAuthentication: 'no',
    KbdInteractiveAuthentication: 'no',
  }
  writeFileSync(
    `${folder}/config`,
    Object.entries(options)
      .map(line => `${line.join(' ')}\n`)
      .join(''),
  )
  const server = spawn(program ?? '', ['-D', '-e', '-f', `${folder}/config`], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  server.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  onTestFinished(() => void server.kill('SIGKILL'))
  await vi.waitFor(() => expect(said).toMatch(/listening on 127\.0\.0\.1/), { timeout: 10_000, interval: 10 })
  return {
    url: `ssh://${userInfo().username}@127.0.0.1:${port}${tree.path}`,
    command: `ssh -F none -oBatchMode=yes -oIdentitiesOnly=yes -oUserKnownHostsFile=${folder}/known -i ${folder}/user`,
  }
}

const withEnv = (at: Machine, env: Readonly<Record<string, string>>): Machine => ({
  ...at,
  host: { ...at.host, env: { ...at.host.env, ...env } },
})

const failure = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => String(error),
  )

describe.skipIf(why !== undefined)(`a repository over ssh${why === undefined ? '' : ` (not run: ${why})`}`, () => {
  it('is read with the command, key and known hosts that the person has set for git', async () => {
    const at = machine()
    repository(at.tree, 'server/tools.git', { 'skills/deploy/SKILL.md': skill('deploy') })
    const { url, command } = await sshServer(at)
    const source = `${url}/server/tools.git`
    const set = withEnv(at, { GIT_SSH_COMMAND: command })
    const plan = agreed(await planAdd(source, {}, set))
    await applyPlan(plan, { agreed: plan.digest }, set)
    expect(readLock(at.place.lock)['deploy']).toMatchObject({ source, resolved: { type: 'git', url: source } })
    expect(await outdated(set)).toEqual({ skills: [], refused: [] })
    // The same by git's own configuration, and by a program.
    at.tree.write({
      'home/.gitconfig': `[core]\n\tsshCommand = ${command}\n`,
      'bin/own-ssh': `#!/bin/sh\nexec ${command} "$@"\n`,
    })
    expect(agreed(await planAdd(source, {}, at)).digest).toBe(plan.digest)
    at.tree.remove('home/.gitconfig')
    chmodSync(`${at.tree.path}/bin/own-ssh`, 0o755)
    const own = withEnv(at, { GIT_SSH: `${at.tree.path}/bin/own-ssh` })
    expect(agreed(await planAdd(source, {}, own)).digest).toBe(plan.digest)
  })

  it('whose key or host is not known is refused without a question, in the words of ssh', async () => {
    const at = machine()
    repository(at.tree, 'server/tools.git', { 'skills/deploy/SKILL.md': skill('deploy') })
    const { url, command } = await sshServer(at)
    const source = `${url}/server/tools.git`
    const stranger = withEnv(at, {
      GIT_SSH_COMMAND: command.replace(/UserKnownHostsFile=\S+/, 'UserKnownHostsFile=none'),
    })
    expect(await failure(planAdd(source, {}, stranger))).toMatch(/ssh:.*Host key verification/)
    const keyless = withEnv(at, { GIT_SSH_COMMAND: command.replace(/ -i \S+/, ` -i ${at.tree.path}/no-key`) })
    expect(await failure(planAdd(source, {}, keyless))).toMatch(/ssh:.*Permission denied/)
    expect(existsSync(at.place.lock)).toBe(false)
  })

  it('gives ssh no option and the server no command by a URL, path or ref', async () => {
    const at = machine()
    repository(at.tree, 'server/tools.git', { 'skills/deploy/SKILL.md': skill('deploy') })
    const { url, command } = await sshServer(at)
    const set = withEnv(at, { GIT_SSH_COMMAND: command })
    const canary = `${at.tree.path}/canary`
    const touch = `touch ${canary}`
    for (const source of [
      `ssh://-oProxyCommand=touch\${IFS}${canary}/x.git`,
      `ssh://%2DoProxyCommand=touch%20${canary}/x.git`,
      `ssh://-oProxyCommand=x@127.0.0.1/x.git`,
      `git@-oProxyCommand=x:x.git`,
      `${url}/--upload-pack=${canary}/x.git`,
      `${url}/%2d-upload-pack=x.git`,
      `${url}/server/tools.git#--upload-pack=${touch}`,
      `${url}/server/';${touch};'.git`,
      `${url}/server/%27;touch%20${canary};%27.git`,
      `${url}/server/$(touch\${IFS}${canary}).git`,
      `ext::sh -c touch% ${canary}`,
    ])
      expect(await failure(planAdd(source, {}, set)), source).toMatch(/E_INSTALL|Error/)
    expect(existsSync(canary)).toBe(false)
  })
})
