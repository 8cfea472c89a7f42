import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { findProjectFolders, isInside, realPathOf } from '@skills/fs'
import type { Host } from '@skills/core'
import { exitCodes, type Io } from '../io.js'
import { lookingFlags } from '../command-table.js'
import { printableLine } from '../printable.js'
import { refuseOptions } from '../refuse-options.js'
import { shownPath } from '../shown-path.js'
import { trustText } from '../trust-text.js'
import { asUsageError, UsageError } from '../usage-error.js'
import { hostOf, withEngine, type Engine } from '../engine.js'
import { writeJson } from '../write-json.js'
import type { openState as OpenStateFunction, TrustedFolder } from '@skills/distributions/trust'
import type { JudgedItem } from '@skills/distributions/configuration'
import type { Invocation } from '../parse-arguments.js'

/** `skills trust [PATH]`, `skills trust --dry-run [PATH]`, `skills trust --list`, `skills trust --revoke [PATH]`. See docs/reference.md, "Trusting a folder". */
export async function trust(invocation: Invocation, io: Io): Promise<number> {
  const { has, args: [path] } = invocation
  if (has('--list') && (has('--revoke') || path !== undefined)) throw new UsageError('skills trust --list lists every folder that is trusted: leave out PATH and --revoke.')
  if (has('--yes') && (has('--list') || has('--revoke'))) throw new UsageError('The option --yes answers the question whether to trust a folder: there is none with --list or --revoke.')
  if (has('--dry-run') && (has('--yes') || has('--list') || has('--revoke'))) throw new UsageError('The option --dry-run shows what would be trusted, and trusts nothing: leave out the others.')
  if (has('--list')) refuseOptions(invocation, lookingFlags, 'skills trust --list lists every folder that is trusted')
  if (has('--revoke')) refuseOptions(invocation, lookingFlags, 'skills trust --revoke looks at no skill')
  const isTrusting = !has('--list') && !has('--revoke')
  if (isTrusting && path !== undefined && statSync(resolve(io.cwd, path), { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`There is no folder ${printableLine(path)} that could be trusted.`)
  }
  // Neither looks at what is in the folder: they work however broken that is.
  if (!isTrusting) {
    const host = hostOf(invocation, io)
    return has('--list') ? list(invocation, io, host) : revoke(path === undefined ? findProjectFolders(host).top : resolve(io.cwd, path), invocation, io, host)
  }
  // What is in a folder is told by looking from there; what must not be trusted, from where one is.
  const there = path === undefined ? invocation : { ...invocation, cwd: path }
  const host = hostOf(invocation, io)
  return withEngine(there, io, async engine => trustIt(path === undefined ? findProjectFolders(host).top : resolve(io.cwd, path), host, engine, invocation, io))
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

async function trustIt(folder: string, from: Host, { skills, distribution }: Engine, invocation: Invocation, io: Io): Promise<number> {
  const { host } = skills
  const { json, has } = invocation
  const { prompter, signal, stderr } = io
  // What is shown is what is trusted, also where a link is led elsewhere while the question is open.
  const real = realpathSync(folder)
  const state = await stateOf(host, io)
  const { consentItems } = await import('../configured.js')
  const catalog = await skills.catalog({ signal })
  const { items: all, problems } = await consentItems(host, { state, signal, catalog, shell: distribution.shell, fork: distribution.fork })
  const items = all.filter(({ path }) => isIn(path, real))
  const { isTrustedFolder, trustedFolders, trustFolder } = await import('@skills/distributions/trust')
  const isTrusted = await isTrustedFolder(state, real, host, { signal })
  const before = (await trustedFolders(state, { signal })).find(({ path }) => path === real)
  if (has('--dry-run')) {
    if (json) writeJson({ path: real, isTrusted, items: items.map(itemJson), problems: problems.map(({ path = null, message }) => ({ path, message })) }, io.stdout)
    else io.stdout.write(trustText({ folder, real, distribution: distribution.name, isTrusted, isUnlisted: before !== undefined && before.items === undefined }, { items, problems, skipped: findProjectFolders(from).skipped }, invocation, io))
    return exitCodes.ok
  }
  const asked = items.filter(one => one.state !== 'agreed')
  if (!has('--yes') && (before?.items === undefined || asked.length > 0)) {
    stderr.write(trustText({ folder, real, distribution: distribution.name, isTrusted, isUnlisted: before !== undefined && before.items === undefined }, { items, problems, skipped: findProjectFolders(from).skipped }, invocation, io))
    if (prompter === undefined) {
      stderr.write('skills: Nothing is trusted, for nobody is here to be asked. Run this at a terminal, or answer with --yes.\n')
      return exitCodes.failed
    }
    const answer = await prompter.choose('Trust it?', [{ value: 'no', label: 'No' }, { value: 'yes', label: 'Yes, as it is shown here, until I revoke it' }], signal)
    if (answer === undefined) return exitCodes.interrupted
    if (answer !== 'yes') {
      stderr.write('skills: Nothing is trusted.\n')
      return exitCodes.failed
    }
  }
  const trusted = await asUsageError(() => trustFolder(state, real, { ...host, cwd: from.cwd }, { signal, items: asked }))
  if (json) writeJson({ ...asJson(trusted), items: items.map(one => itemJson({ ...one, state: 'agreed' })) }, io.stdout)
  else io.stdout.write(`Trusted: ${printableLine(trusted.path)}\n`)
  return exitCodes.ok
}

/** Where a link leads is where a thing lies. */
function isIn(path: string, folder: string): boolean {
  return isInside(realPathOf(path) ?? path, folder)
}

function itemJson({ kind, label, path, line, state, digest, text }: JudgedItem): Record<string, unknown> {
  return { kind, label, path, line: line ?? null, state, digest, text }
}

async function stateOf(host: Host, { stderr }: Io): Promise<ReturnType<typeof OpenStateFunction>> {
  const { openState } = await import('@skills/distributions/trust')
  return openState(host, { report: ({ message, hint = '' }) => stderr.write(`skills: ${printableLine(`${message} ${hint}`)}\n`) })
}

function asJson({ path, since }: TrustedFolder): Record<string, unknown> {
  return { path, since: new Date(since).toISOString() }
}
