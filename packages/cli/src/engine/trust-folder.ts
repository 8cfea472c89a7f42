import { dirname } from 'node:path'
import { findProjectFolders } from '@skills/files'
import { isInside, realPathOf } from '@skills/files/internal'
import { again, quoted } from './again.js'
import { counted } from '../output/problems.js'
import { printableLine } from '../output/printable.js'
import { trustText } from '../commands/trust/text.js'
import type { Diagnostic, Host } from '@skills/core'
import type { openState as OpenStateFunction } from '@skills/distributions/trust'
import type { TrustedFolder } from '@skills/distributions/internal'
import type { JudgedItem } from '@skills/distributions/configuration'
import type { Engine } from './engine-parts.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/** State of a folder before a person trusts it. */
export interface FolderToTrust {
  /**
   * Real path of the folder. What is trusted is what was shown, even if a link is changed while the question is open.
   */
  readonly real: string
  /** Host of the working folder; it decides which folders must not be trusted. */
  readonly from: Host
  readonly items: readonly JudgedItem[]
  readonly problems: readonly Diagnostic[]
  readonly isTrusted: boolean
  /** True if there is a question: the folder is not trusted yet, or an item is new or changed. */
  readonly isOpen: boolean
  /** Returns every item that is not agreed to, in full, for a person to read. */
  text(): string
}

/**
 * Returns what trusting a folder would switch on. Runs nothing of it. Throws `E_INVALID_OPTION` for a folder that must
 * not be trusted.
 */
export async function whatTrustMeans(
  folder: string,
  from: Host,
  { skills, distribution }: Engine,
  invocation: Invocation,
  io: Io,
): Promise<FolderToTrust> {
  const { host } = skills
  const { signal } = io
  const { folderToTrust, isTrustedFolder, trustedFolders } = await import('@skills/distributions/trust')
  const real = folderToTrust(folder, from)
  const state = await stateOf(host, io)
  const { consentItems } = await import('./configured.js')
  const catalog = await skills.catalog({ signal })
  const named = invocation.distribution === undefined ? undefined : { name: invocation.distribution, folder: io.cwd }
  const { items: all, problems: found } = await consentItems(host, {
    state,
    signal,
    catalog,
    distribution: named,
    shell: distribution.shell,
    fork: distribution.fork,
  })
  const items = all.filter(({ path }) => isIn(path, real))
  const outside = all.filter(
    ({ kind, path, state: word }) => kind === 'module' && word !== 'agreed' && !isIn(path, real),
  )
  const problems = [
    ...found,
    ...outside.map(({ path }): Diagnostic => ({
      severity: 'warning',
      type: 'validation',
      code: 'not-agreed',
      path,
      message: `It lies outside of this folder, and is agreed to with its own: ${again(`trust ${quoted(dirname(path))}`, invocation, io)}`,
      hint: 'Trust that folder.',
    })),
  ]
  const isTrusted = await isTrustedFolder(state, real, host, { signal })
  const before = (await trustedFolders(state, { signal })).find(({ path }) => path === real)
  const place = {
    folder,
    real,
    distribution: distribution.name,
    isTrusted,
    isUnlisted: before !== undefined && before.items === undefined,
  }
  return {
    real,
    from,
    items,
    problems,
    isTrusted,
    isOpen: before?.items === undefined || items.some(one => one.state !== 'agreed'),
    text: () => trustText(place, { items, problems, skipped: findProjectFolders(from).skipped }, invocation, io),
  }
}

/** Shows the items and asks a person. Returns undefined if the person cancels, and yes if there is no question. */
export async function askToTrust(
  found: FolderToTrust,
  { prompter, signal, stderr }: Io,
): Promise<'yes' | 'no' | 'no-terminal' | undefined> {
  if (!found.isOpen) return 'yes'
  stderr.write(found.text())
  if (prompter === undefined) return 'no-terminal'
  const answer = await prompter.choose(
    'Trust it?',
    [
      { value: 'no', label: 'No' },
      { value: 'yes', label: 'Yes, as it is shown here, until I revoke it' },
    ],
    signal,
  )
  return answer === 'yes' || answer === undefined ? answer : 'no'
}

/** Returns a sentence that says what stays trusted if the answer is not yes. */
export function keptText({ isTrusted, items }: FolderToTrust): string {
  if (!isTrusted) return 'Nothing is trusted'
  const agreed = items.filter(({ state }) => state === 'agreed').length
  return `Nothing more is trusted, and the folder stays trusted${agreed === 0 ? '' : ` with the ${counted(agreed, 'item')} agreed to before`}`
}

/** Shows what trusting a folder means, asks, and trusts it after a yes. Returns the answer. */
export async function askWhetherTrusted(
  { folder, from }: { readonly folder: string; readonly from: Host },
  engine: Engine,
  invocation: Invocation,
  io: Io,
): Promise<Awaited<ReturnType<typeof askToTrust>>> {
  const found = await whatTrustMeans(folder, from, engine, invocation, io)
  const answer = await askToTrust(found, io)
  if (answer === 'yes')
    io.stderr.write(`skills: Trusted: ${printableLine((await trustAsShown(found, engine, io)).path)}\n`)
  return answer
}

/** Trusts a folder and its new or changed items. */
export async function trustAsShown(
  { real, from, items }: FolderToTrust,
  { skills }: Engine,
  io: Io,
): Promise<TrustedFolder> {
  const { trustFolder } = await import('@skills/distributions/trust')
  const { host } = skills
  return trustFolder(
    await stateOf(host, io),
    real,
    { ...host, cwd: from.cwd },
    { signal: io.signal, items: items.filter(one => one.state !== 'agreed') },
  )
}

export async function stateOf(host: Host, { stderr }: Io): Promise<ReturnType<typeof OpenStateFunction>> {
  const { openState } = await import('@skills/distributions/trust')
  return openState(host, {
    report: ({ message, hint = '' }) => stderr.write(`skills: ${printableLine(`${message} ${hint}`)}\n`),
  })
}

/** Returns true if the real path of a file is in a folder. */
function isIn(path: string, folder: string): boolean {
  return isInside(realPathOf(path) ?? path, folder)
}
