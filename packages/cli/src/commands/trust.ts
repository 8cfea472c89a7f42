import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { findProjectFolders } from '@skills/fs'
import type { Host } from '@skills/core'
import { exitCodes, type Io } from '../io.js'
import { lookingFlags } from '../command-table.js'
import { printableLine } from '../printable.js'
import { refuseOptions } from '../refuse-options.js'
import { shownPath } from '../shown-path.js'
import { trustText } from '../trust-text.js'
import { asUsageError, UsageError } from '../usage-error.js'
import { whatWouldRun } from '../what-would-run.js'
import { withEngine, type Engine } from '../engine.js'
import { writeJson } from '../write-json.js'
import type { openState as OpenStateFunction, TrustedFolder } from '@skills/distributions/trust'
import type { Invocation } from '../parse-arguments.js'

/** `skills trust [PATH]`, `skills trust --list`, `skills trust --revoke [PATH]`. See docs/reference.md, "Trusting a folder". */
export async function trust(invocation: Invocation, io: Io): Promise<number> {
  const { has, args: [path] } = invocation
  if (has('--list') && (has('--revoke') || path !== undefined)) throw new UsageError('skills trust --list lists every folder that is trusted: leave out PATH and --revoke.')
  if (has('--yes') && (has('--list') || has('--revoke'))) throw new UsageError('The option --yes answers the question whether to trust a folder: there is none with --list or --revoke.')
  if (has('--list')) refuseOptions(invocation, lookingFlags, 'skills trust --list lists every folder that is trusted')
  if (has('--revoke')) refuseOptions(invocation, lookingFlags, 'skills trust --revoke looks at no skill')
  const isTrusting = !has('--list') && !has('--revoke')
  if (isTrusting && path !== undefined && statSync(resolve(io.cwd, path), { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`There is no folder ${printableLine(path)} that could be trusted.`)
  }
  // What is in a folder is told by looking from there.
  const there = isTrusting && path !== undefined ? { ...invocation, cwd: path } : invocation
  return withEngine(there, io, async engine => {
    const { skills: { host } } = engine
    const folder = path === undefined ? findProjectFolders(host).top : resolve(io.cwd, path)
    if (has('--list')) return list(invocation, io, host)
    return has('--revoke') ? revoke(folder, invocation, io, host) : await trustIt(folder, engine, invocation, io)
  })
}

async function list({ json }: Invocation, io: Io, host: Host): Promise<number> {
  const { trustedFolders } = await import('@skills/distributions/trust')
  const folders = await trustedFolders(await stateOf(host, io), { signal: io.signal })
  if (json) writeJson(folders.map(asJson), io.stdout)
  else io.stdout.write(folders.map(({ path, since }) => `${printableLine(path)}\t${new Date(since).toISOString()}\n`).join(''))
  if (folders.length === 0 && io.stderr.isTerminal) io.stderr.write('No folder is trusted.\n')
  return exitCodes.ok
}

async function revoke(folder: string, { json }: Invocation, io: Io, host: Host): Promise<number> {
  const { revokeFolder } = await import('@skills/distributions/trust')
  const { revoked, stillTrustedBy } = await revokeFolder(await stateOf(host, io), folder, host, { signal: io.signal })
  if (json) writeJson({ revoked: revoked.map(asJson), stillTrustedBy: stillTrustedBy === undefined ? null : asJson(stillTrustedBy) }, io.stdout)
  else for (const { path } of revoked) io.stdout.write(`No longer trusted: ${printableLine(path)}\n`)
  if (revoked.length === 0) io.stderr.write(`skills: ${shownPath(folder, io.cwd)} was not trusted.\n`)
  if (stillTrustedBy !== undefined) io.stderr.write(`skills: It is still trusted, as part of ${printableLine(stillTrustedBy.path)}.\n`)
  return revoked.length > 0 && stillTrustedBy === undefined ? exitCodes.ok : exitCodes.failed
}

async function trustIt(folder: string, { skills, distribution }: Engine, invocation: Invocation, io: Io): Promise<number> {
  const { host } = skills
  const { json, has } = invocation
  const { prompter, signal, stderr } = io
  // What is shown is what is trusted, also where a link is led elsewhere while the question is open.
  const real = realpathSync(folder)
  if (!has('--yes')) {
    const would = await whatWouldRun(folder, await skills.catalog({ signal }), distribution.shell, signal)
    stderr.write(trustText({ folder, real, distribution: distribution.name }, would, invocation, io))
    if (prompter === undefined) {
      stderr.write('skills: Nothing is trusted, for nobody is here to be asked. Run this at a terminal, or answer with --yes.\n')
      return exitCodes.failed
    }
    const answer = await prompter.choose('Trust it?', [{ value: 'no', label: 'No' }, { value: 'yes', label: 'Yes, and everything in it, until I revoke it' }], signal)
    if (answer === undefined) return exitCodes.interrupted
    if (answer !== 'yes') {
      stderr.write('skills: Nothing is trusted.\n')
      return exitCodes.failed
    }
  }
  const { trustFolder } = await import('@skills/distributions/trust')
  const state = await stateOf(host, io)
  const trusted = await asUsageError(() => trustFolder(state, real, host, { signal }))
  if (json) writeJson(asJson(trusted), io.stdout)
  else io.stdout.write(`Trusted: ${printableLine(trusted.path)}\n`)
  return exitCodes.ok
}

async function stateOf(host: Host, { stderr }: Io): Promise<ReturnType<typeof OpenStateFunction>> {
  const { openState } = await import('@skills/distributions/trust')
  return openState(host, { report: ({ message, hint = '' }) => stderr.write(`skills: ${printableLine(`${message} ${hint}`)}\n`) })
}

function asJson({ path, since }: TrustedFolder): Record<string, unknown> {
  return { path, since: new Date(since).toISOString() }
}
