import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { findProjectFolders } from '@skills/files'
import type { Host } from '@skills/core'
import { exitCodes, type Io } from '../../io.js'
import { folded } from '../../output/folded.js'
import { printableLine } from '../../output/printable.js'
import { lookingFlags, refuseOptions } from '../../arguments/refuse-options.js'
import { shownPath } from '../../output/shown-path.js'
import { stateOf } from '../../engine/state-of.js'
import { asUsageError, UsageError } from '../../arguments/usage-error.js'
import { hostOf, withEngine } from '../../engine/engine.js'
import type { Engine } from '../../engine/engine-parts.js'
import { writeJson } from '../../output/write-json.js'
import type { TrustedFolder } from '@skills/distributions/internal'
import type { JudgedItem } from '@skills/distributions/configuration'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/**
 * `skills trust [PATH]`, `skills trust --dry-run [PATH]`, `skills trust --list`, `skills trust --revoke [PATH]`. See
 * docs/reference/cli.md, "Trusting a folder".
 */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const {
    has,
    args: [path],
  } = invocation
  if (has('--list') && (has('--revoke') || path !== undefined))
    throw new UsageError('skills trust --list lists every folder that is trusted: leave out PATH and --revoke.')
  if (has('--yes') && (has('--list') || has('--revoke')))
    throw new UsageError(
      'The option --yes has no effect with --list and --revoke, because they do not ask whether to trust a folder: leave it out.',
    )
  if (has('--dry-run') && (has('--yes') || has('--list') || has('--revoke')))
    throw new UsageError('The option --dry-run only shows what would be trusted: leave out --yes, --list and --revoke.')
  if (has('--list')) refuseOptions(invocation, lookingFlags, 'skills trust --list lists every folder that is trusted')
  if (has('--revoke')) refuseOptions(invocation, lookingFlags, 'skills trust --revoke reads no skills')
  const isTrusting = !has('--list') && !has('--revoke')
  if (
    isTrusting &&
    path !== undefined &&
    statSync(resolve(io.cwd, path), { throwIfNoEntry: false })?.isDirectory() !== true
  ) {
    throw new UsageError(`The folder ${printableLine(path)} cannot be trusted: there is no such folder.`)
  }
  // These options read nothing in the folder, so they work even if its content is broken.
  if (!isTrusting) {
    const host = hostOf(invocation, io)
    return has('--list')
      ? list(invocation, io, host)
      : revoke(path === undefined ? findProjectFolders(host).top : resolve(io.cwd, path), invocation, io, host)
  }
  // The engine runs in the folder itself to find its items. Which folders must not be trusted is decided from the
  // working folder.
  const there = path === undefined ? invocation : { ...invocation, cwd: path }
  const host = hostOf(invocation, io)
  return withEngine(there, io, async engine =>
    trustIt(path === undefined ? findProjectFolders(host).top : resolve(io.cwd, path), host, engine, invocation, io),
  )
}

async function list({ json }: InvocationOf<typeof command>, io: Io, host: Host): Promise<number> {
  const { trustedFolders } = await import('@skills/distributions/trust')
  const folders = await trustedFolders(await stateOf(host, io), { signal: io.signal })
  if (json) writeJson(folders.map(asJson), io.stdout)
  else
    io.stdout.write(
      folders.map(({ path, since }) => `${printableLine(path)}\t${new Date(since).toISOString()}\n`).join(''),
    )
  if (folders.length === 0 && io.stderr.isTerminal) io.stderr.write('No folder is trusted.\n')
  return exitCodes.ok
}

async function revoke(folder: string, { json }: InvocationOf<typeof command>, io: Io, host: Host): Promise<number> {
  const { revokeFolder } = await import('@skills/distributions/trust')
  const { revoked, stillTrustedBy } = await revokeFolder(await stateOf(host, io), folder, host, { signal: io.signal })
  if (json)
    writeJson(
      { revoked: revoked.map(asJson), stillTrustedBy: stillTrustedBy === undefined ? null : asJson(stillTrustedBy) },
      io.stdout,
    )
  else for (const { path } of revoked) io.stdout.write(`No longer trusted: ${printableLine(path)}\n`)
  if (revoked.length === 0) io.stderr.write(`skills: ${shownPath(folder, io.cwd)} was not trusted.\n`)
  if (stillTrustedBy !== undefined)
    io.stderr.write(`skills: It is still trusted, as part of ${printableLine(stillTrustedBy.path)}.\n`)
  return revoked.length > 0 && stillTrustedBy === undefined ? exitCodes.ok : exitCodes.failed
}

async function trustIt(
  folder: string,
  from: Host,
  engine: Engine,
  invocation: InvocationOf<typeof command>,
  io: Io,
): Promise<number> {
  const { json, has } = invocation
  const { askToTrust, keptText, whatTrustMeans } = await import('../../engine/trust-folder.js')
  const found = await asUsageError(() => whatTrustMeans(folder, from, engine, invocation, io))
  const { real, items, problems, isTrusted } = found
  if (has('--dry-run')) {
    if (json)
      writeJson(
        {
          path: real,
          isTrusted,
          items: items.map(itemJson),
          problems: problems.map(({ path = null, message }) => ({ path, message })),
        },
        io.stdout,
      )
    else io.stdout.write(folded(found.text(), io.stdout, io))
    return exitCodes.ok
  }
  const answer = has('--yes') ? 'yes' : await askToTrust(found, io)
  if (answer === undefined) return exitCodes.interrupted
  if (answer === 'no-terminal')
    io.stderr.write(
      `skills: ${keptText(found)}, because you cannot be asked here. Run this at a terminal, or answer with --yes.\n`,
    )
  if (answer === 'no') io.stderr.write(`skills: ${keptText(found)}.\n`)
  if (answer !== 'yes') return exitCodes.failed
  const trusted = await asUsageError(() => found.trust())
  if (json) writeJson({ ...asJson(trusted), items: items.map(one => itemJson({ ...one, state: 'agreed' })) }, io.stdout)
  else io.stdout.write(`Trusted: ${printableLine(trusted.path)}\n`)
  return exitCodes.ok
}

function itemJson({ kind, label, path, line, state, digest, text }: JudgedItem): Record<string, unknown> {
  return { kind, label, path, line: line ?? null, state, digest, text }
}

function asJson({ path, since }: TrustedFolder): Record<string, unknown> {
  return { path, since: new Date(since).toISOString() }
}
