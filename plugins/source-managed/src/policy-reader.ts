import { lstatSync, statSync, type Stats } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { isSettled, plainFolder, systemCode } from '@skills/fs'
import { managedDirs, policyName } from './managed-dirs.js'
import { ownershipOn } from './exposure.js'
import type { Host } from '@skills/core'
import type { ManagedSourceOptions } from './index.js'
import type { Policy } from './policy.js'
import type { PolicyRules } from './policy-rules.js'

/** The policies there are, and what they keep out together. */
export interface KnownPolicies {
  readonly policies: readonly Policy[]
  readonly rules: PolicyRules
}

interface Look {
  /** Changes whenever a policy file does; undefined when there is none. */
  readonly stamp: string | undefined
  /** Whether a later change is sure to change the stamp. */
  readonly isSettled: boolean
}

/** Reads the policies of the managed folders, and again when a file changed. */
export class PolicyReader {
  readonly #host: Host
  readonly #dirs: readonly string[]
  readonly #owner: number | undefined
  #look: Look = { stamp: undefined, isSettled: true }
  #reading: Promise<KnownPolicies> | undefined
  /** What was read last, so that reading the same again gives the same object. */
  #known: KnownPolicies | undefined

  constructor({ dirs, owner }: Pick<ManagedSourceOptions, 'dirs' | 'owner'>, host: Host) {
    this.#host = host
    this.#dirs = (dirs ?? managedDirs(host.platform)).map(plainFolder)
    this.#owner = owner
  }

  /** Where a policy may be. */
  get paths(): readonly string[] {
    return this.#dirs.map(dir => `${dir}/${policyName}`)
  }

  /**
   * Undefined without a policy, and the very object of before as long as nothing else is said. Nothing is read but the
   * stamps of files, unless one is there and has changed.
   */
  async current(): Promise<KnownPolicies | undefined> {
    const look = this.#lookAt(this.paths)
    if (look.stamp === undefined) {
      this.#known = undefined
      this.#reading = undefined
    } else if (this.#reading === undefined || look.stamp !== this.#look.stamp || !this.#isReliable()) this.#reading = this.#read()
    this.#look = look
    try {
      return await this.#reading
    } catch (error) {
      // Tried again with the next question.
      this.#reading = undefined
      throw error
    }
  }

  /** What kept a policy from being read may be over without the file having changed: a busy disk, too many open files. */
  #isReliable(): boolean {
    return this.#look.isSettled && this.#known?.policies.some(({ isBroken }) => isBroken) !== true
  }

  async #read(): Promise<KnownPolicies> {
    const { PolicyRules: Rules, readPolicies } = await import('./read-policy.js')
    const policies = await readPolicies(this.#dirs, ownershipOn(this.#host.platform, this.#owner))
    if (this.#known === undefined || !isDeepStrictEqual(this.#known.policies, policies)) this.#known = { policies, rules: new Rules(policies) }
    return this.#known
  }

  #lookAt(paths: readonly string[]): Look {
    const now = this.#host.clock.now()
    const looks = paths.map(path => stampOf(path))
    return {
      stamp: looks.every(one => one === undefined) ? undefined : looks.map(one => one?.stamp ?? '').join('\n'),
      isSettled: looks.every(one => one?.times.every(time => isSettled(time, now)) !== false),
    }
  }
}

/** Undefined when there is certainly no file; one that cannot be looked at is there, and reading it tells why it cannot. */
function stampOf(path: string): { readonly stamp: string; readonly times: readonly number[] } | undefined {
  try {
    const own = lstatSync(path)
    // A link and what it leads to may each change without the other.
    const target = own.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : undefined
    const all = target === undefined ? [own] : [own, target]
    return { stamp: all.map(stampOfStats).join(' '), times: all.flatMap(({ mtimeMs, ctimeMs }) => [mtimeMs, ctimeMs]) }
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { stamp: code, times: [] }
  }
}

function stampOfStats({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(':')
}
