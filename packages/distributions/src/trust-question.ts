import { findProjectFolders } from '@skills/files'
import { isInside, realPathOf } from '@skills/files/internal'
import { folderToTrust, isTrustedFolder, trustedFolders, trustFolder } from '@skills/trust'
import { consentItems, type ConsentOptions } from './consent.js'
import type { TrustedFolder } from '@skills/trust/internal'
import type { Diagnostic, Host, Skills } from '@skills/core'
import type { Distribution } from './distribution.js'
import type { JudgedItem } from './unagreed.js'

/** Question whether a person trusts a folder, with everything that a yes would switch on. */
export interface TrustQuestion {
  /** Absolute path as given. */
  readonly folder: string
  /**
   * Real path of the folder. What is trusted is what was shown, even if a link is changed while the question is open.
   */
  readonly real: string
  /** Name of the distribution whose rules apply. */
  readonly distribution: string
  readonly items: readonly JudgedItem[]
  readonly problems: readonly Diagnostic[]
  /** Paths of code that lies outside of the folder, and is agreed to with its own. */
  readonly outside: readonly string[]
  /** Parent folders whose content does not count. */
  readonly skipped: readonly string[]
  readonly isTrusted: boolean
  /** True if it was trusted before items were recorded. */
  readonly isUnlisted: boolean
  /** True if there is a question: the folder is not trusted yet, or an item is new or changed. */
  readonly isOpen: boolean
  /** Trusts the folder with its new and changed items as they are in this question. */
  trust(): Promise<TrustedFolder>
}

/** State with the recorded agreements, and the distribution that a command line gives by a path or a package. */
export interface TrustGround extends Pick<ConsentOptions, 'state' | 'signal' | 'distribution'> {}

/**
 * Returns everything that trusting a folder would switch on. Runs nothing from the folder. Throws `E_INVALID_OPTION`
 * for a folder that must not be trusted.
 * @param from host of the working folder; it decides which folders must not be trusted
 * @param engine engine over the skills of the folder
 */
export async function trustQuestion(
  folder: string,
  from: Host,
  {
    skills,
    distribution: { name, shell, fork },
  }: { readonly skills: Skills; readonly distribution: Pick<Distribution, 'name' | 'shell' | 'fork'> },
  { state, signal, distribution: named }: TrustGround,
): Promise<TrustQuestion> {
  const { host } = skills
  const real = folderToTrust(folder, from)
  const catalog = await skills.catalog({ signal })
  const all = await consentItems(host, { state, signal, catalog, distribution: named, shell, fork })
  const isIn = ({ path }: JudgedItem): boolean => isInside(realPathOf(path) ?? path, real)
  const items = all.items.filter(isIn)
  const before = (await trustedFolders(state, { signal })).find(({ path }) => path === real)
  const open = items.filter(one => one.state !== 'agreed')
  return {
    folder,
    real,
    distribution: name,
    items,
    problems: all.problems,
    outside: all.items
      .filter(one => one.kind === 'module' && one.state !== 'agreed' && !isIn(one))
      .map(({ path }) => path),
    skipped: findProjectFolders(from).skipped,
    isTrusted: await isTrustedFolder(state, real, host, { signal }),
    isUnlisted: before !== undefined && before.items === undefined,
    isOpen: before?.items === undefined || open.length > 0,
    trust: () => trustFolder(state, real, { ...host, cwd: from.cwd }, { signal, items: open }),
  }
}
